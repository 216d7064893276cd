"""Starts, limits and kills processes; knows no language.

A guest is one sandboxed process that speaks frames (four bytes of length, big-endian, then that
many bytes) over its standard input and output. Its standard error is kept up to a limit.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from polyassay.sandbox.endings import Ended as Ended
from polyassay.sandbox.endings import NotStarted as NotStarted
from polyassay.sandbox.endings import Starved as Starved
from polyassay.sandbox.patience import Patience
from polyassay_harness.process.own_time import Waits

SCRATCH = "/scratch"  # the private, sized, writable working directory of every guest
# Tells a guest which folder was made for it: it empties and fills no other.
SCRATCH_VARIABLE = "POLYASSAY_SCRATCH"


@dataclass(frozen=True, slots=True)
class BoxLimits:
    memory_mb: int = 1024  # resident memory of the whole sandbox
    processes: int = 256
    open_files: int = 256
    disk_mb: int = 256  # the scratch folder
    cpu_seconds: float | None = None  # of the whole sandbox; None: only its users' own limits
    frame_bytes: int = 16 << 20  # a longer frame from the guest breaks off
    stderr_bytes: int = 64 << 10


@dataclass(frozen=True, slots=True)
class Box:
    """A guest's command, the files that it may see, and its limits."""

    argv: tuple[str, ...]
    readable: tuple[Path, ...] = ()  # bound read-only at their own paths, besides the system
    environment: Mapping[str, str] = field(default_factory=dict)  # all of it: the host's is cleared
    limits: BoxLimits = BoxLimits()
    nests: bool = False  # a zygote: may give namespaces of their own to its children
    fixed_layout: bool = True  # the kernel lays memory out alike each time, where it can be told so


class Guest(Protocol):
    """A running sandbox. After Ended nothing of it is left, and it cannot be used again."""

    def send(
        self, frame: bytes, within: float | Patience, meanwhile: Callable[[], None] | None = None
    ) -> None:
        """Sends one frame; `within`, `meanwhile` and what is raised are those of receive()."""
        ...

    def receive(
        self, within: float | Patience, meanwhile: Callable[[], None] | None = None
    ) -> bytes:
        """The next frame; raises Ended (timed_out) where none is complete in time.

        `within`: seconds of the guest's own time, of this wait or of several. Raises Starved where
        the machine did not let it have them. `meanwhile` is called now and then while nothing
        comes. It may raise Ended, which ends this guest, or anything else, which does not.
        """
        ...

    def speaks(self) -> bool:
        """Whether a message has come, so that receive() would return at once."""
        ...

    def cpu_seconds(self) -> float:
        """User and system time that the whole sandbox has used so far."""
        ...

    def waits(self) -> Waits:
        """How long each of its threads was ready to run while others had the cores."""
        ...

    def stderr(self) -> str:
        """Its standard error so far, up to a limit."""
        ...

    def allow_memory(self, memory_mb: int) -> None:
        """Lets the sandbox use so much more memory than it uses now, up to its own limit."""
        ...

    def close(self) -> None:
        """Kills the whole namespace and waits until it is empty; may be called twice."""
        ...


class Sandbox(Protocol):
    """One way to confine guests; may be used by several threads."""

    name: str
    fixes_layout: bool  # whether Box.fixed_layout is honoured
    nests: bool  # whether Box.nests is honoured; where not, a guest serves one candidate only

    def start(self, box: Box) -> Guest:
        """Starts a guest; raises NotStarted where that fails."""
        ...

    def strengths(self) -> list[str]:
        """Protections that this machine offers and others may lack, for `doctor`."""
        ...

    def weaknesses(self) -> list[str]:
        """Protections that this machine lacks, and how to get them, for `doctor`."""
        ...
