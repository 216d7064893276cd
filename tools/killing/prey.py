"""Finds PolyAssay's own processes, and tells whether one has work in hand.

A process is stopped before it is looked at, so that it cannot finish its work between the look and
the kill.
"""

import os
import random
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from polyassay.sandbox.linux.processes import family

_WAITS = ["0", "0x0"]  # reads from standard input: number and first argument of the system call
_STOPPED = "tTZX"  # a thread's state
_PATIENCE = 2.0  # seconds for a process to stop: on a busy machine its threads wait for a core


@dataclass(frozen=True, slots=True)
class Prey:
    """A process that was killed in the middle of its work."""

    pid: int
    work: str  # what shows that it had any


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of process."""

    name: str
    mark: str  # in its command line
    works: Callable[[int], str]  # what it is busy with, or nothing
    language: str
    options: tuple[str, ...] = ()

    def kill_one(self, runner: int, chance: random.Random) -> Prey | None:
        """One of the runner's processes of this kind that is at work, if there is any."""
        found = [pid for pid in self._candidates(runner) if self._is_first(pid)]
        if not found:
            return None
        pid = chance.choice(found)
        try:
            os.kill(pid, signal.SIGSTOP)
            if _stops(pid) and (work := self.works(pid)):
                os.kill(pid, signal.SIGKILL)
                return Prey(pid, f"{self.name} {pid}: {work}")
        except (OSError, IndexError):  # it has ended meanwhile
            pass
        with suppress(OSError):
            os.kill(pid, signal.SIGCONT)
        return None

    def _candidates(self, runner: int) -> list[int]:
        roots = [runner]
        if "docker" in self.options:  # the engine's, and not the runner's children
            roots = [int(path.name) for path in Path("/proc").glob("[0-9]*")]
            return [pid for pid in roots if self.mark in _command(pid) and _inside(pid)]
        return [pid for pid in family(runner) if self.mark in _command(pid)]

    def _is_first(self, pid: int) -> bool:
        """Whether it is no fork of such a process, nor its launcher."""
        command = _command(pid)
        if command.startswith(("/bin/sh", "/usr/bin/bwrap", "bwrap", "/sbin/docker-init")):
            return False
        return self.mark not in _command(_parent(pid)) or _command(_parent(pid)).startswith(
            ("/usr/bin/bwrap", "bwrap", "/sbin/docker-init")
        )


def is_not_asking(pid: int) -> str:
    """A helper's work: it does anything but wait for its next request."""
    doing = _system_call(pid, pid)
    return "" if doing[:2] == _WAITS else f"in system call {doing[0]}"


def has_no_reading_thread(pid: int) -> str:
    """A JVM's work: none of its threads waits for a message on standard input."""
    threads = list(Path(f"/proc/{pid}/task").iterdir())
    doing = [_system_call(pid, int(thread.name)) for thread in threads]
    if any(call[:2] == _WAITS for call in doing):
        return ""
    return f"none of {len(threads)} threads waits for a message"


def compiles(pid: int) -> str:
    """The compile service's work: each build is a thread that is named after it."""
    for thread in Path(f"/proc/{pid}/task").iterdir():
        if (thread / "comm").read_text().strip() == "compile":
            return f"its thread {thread.name} compiles"
    return ""


def holds_candidate(pid: int) -> str:
    """A zygote's work: a process of a candidate below it, in a namespace of its own."""
    own = _depth(pid)
    for member in family(pid):
        if _depth(member) > own:
            return f"holds a candidate in process {member}"
    return ""


def has_child(pid: int) -> str:
    """A judge's work: the fork that runs tests, at anything but waiting for its next request."""
    for member in list(family(pid))[1:]:
        call = _system_call(member, member)
        if call[:1] != ["0"]:
            return f"its fork {member} is in system call {call[0]}"
    return ""


def _stops(pid: int) -> bool:
    """Waits until a process that was told to stop has done so; not so where it has ended."""
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        states = [_state(thread) for thread in Path(f"/proc/{pid}/task").iterdir()]
        if all(state in _STOPPED for state in states):
            return "T" in states
        time.sleep(0.001)
    return False


def _state(thread: Path) -> str:
    return (thread / "stat").read_text().rpartition(")")[2].split()[0]


def _command(pid: int) -> str:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ")
    except OSError:
        return ""
    return words.decode("utf-8", "replace")


def _parent(pid: int) -> int:
    try:
        return int(_stat(pid)[1])
    except OSError:  # it has ended meanwhile
        return 0


def _stat(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def _depth(pid: int) -> int:
    """How many process namespaces it is in."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((len(line.split()) for line in lines if line.startswith("NSpid:")), 0)


def _inside(pid: int) -> bool:
    return _depth(pid) > _depth(os.getpid())


def _system_call(pid: int, thread: int) -> list[str]:
    """The number and arguments of the system call in which it is; "running" where in none."""
    try:
        return Path(f"/proc/{pid}/task/{thread}/syscall").read_text().split()
    except OSError:
        return ["gone"]


_ZYGOTE, _JUDGE = "load_part('zygote')", "load_part('judge')"
_WORKER, _EXECUTOR = "com.polyassay.worker.Worker", "com.polyassay.execute.Executor"
_DOCKER = ("--sandbox", "docker")
KINDS = {
    kind.name: kind
    for kind in (
        Kind("reader", "polyassay.candidates.reader", is_not_asking, "python"),
        Kind("zygote", _ZYGOTE, holds_candidate, "python"),
        Kind("judge", _JUDGE, has_child, "python"),
        Kind("worker-jvm", _WORKER, has_no_reading_thread, "java", ("--judge", "apart")),
        Kind("judge-jvm", _EXECUTOR, has_no_reading_thread, "java", ("--judge", "apart")),
        Kind("executor-jvm", _EXECUTOR, has_no_reading_thread, "java", ("--judge", "together")),
        Kind("compile-service", "com.polyassay.service.CompileService", compiles, "java"),
        Kind("container", _ZYGOTE, has_child, "python", _DOCKER),
    )
}
