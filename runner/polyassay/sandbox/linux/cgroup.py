"""Control groups, where a part of their tree is ours to use: version 2, else version 1.

They are a net below the rlimits and the watch: exact, and they count what belongs to no process.
"""

import os
import signal
import time
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Protocol

from polyassay.sandbox import BoxLimits

_NEEDED = frozenset({"memory", "pids"})
_SPARE_MB = 192  # for what the limit on memory does not mean: /tmp, /dev/shm, the kernel's own
_SPARE_PROCESSES = 8  # of the launcher
_numbers = count()


class ControlGroup(Protocol):
    """The control group of one sandbox."""

    def joined(self, argv: list[str]) -> list[str]:
        """The command that enters the group and then becomes argv."""
        ...

    def cpu_seconds(self) -> float:
        """Of all its processes, those included that no parent waited for."""
        ...

    def kernel_bytes(self) -> int:
        """What the kernel holds for it: sockets, pipes, names of files, page tables."""
        ...

    def ran_out_of_memory(self) -> bool:
        """Whether the kernel ended any of its processes for that."""
        ...

    def remove(self) -> None:
        """Removes the group, which its last process may leave a moment after it died."""
        ...


class ControlGroups(Protocol):
    """A place in the tree where groups can be made."""

    @property
    def version(self) -> int: ...

    def new(self, limits: BoxLimits) -> ControlGroup:
        """A group with these limits, for one sandbox."""
        ...

    def tidy(self) -> None:
        """Ends and removes what processes of ours left that were killed."""
        ...


def memory_limit(limits: BoxLimits) -> int:
    """In bytes, with the files of a sandbox, which are in memory."""
    return limits.memory_mb + limits.disk_mb + _SPARE_MB << 20


def process_limit(limits: BoxLimits) -> int:
    return limits.processes + _SPARE_PROCESSES


def new_name() -> str:
    return f"polyassay-{os.getpid()}-{next(_numbers)}"


def entering(files: list[Path], argv: list[str]) -> list[str]:
    """The command that writes itself into these lists of processes, and then becomes argv."""
    lists = [str(file) for file in files]
    enter = 'while [ "$1" != -- ]; do echo 0 > "$1" || exit 1; shift; done; shift; exec "$@"'
    return ["/bin/sh", "-c", enter, "sh", *lists, "--", *argv]


def value_of(file: Path, name: str) -> int:
    """The number after a name in one of the kernel's lists; 0 where there is none."""
    try:
        lines = file.read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.split()[0] == name), 0)


def remove_folder(path: Path) -> None:
    for _ in range(200):
        try:
            path.rmdir()
        except FileNotFoundError:
            return
        except OSError:
            time.sleep(0.01)
        else:
            return


@dataclass(frozen=True, slots=True)
class ControlGroupV2:
    path: Path

    def joined(self, argv: list[str]) -> list[str]:
        return entering([self.path / "cgroup.procs"], argv)

    def cpu_seconds(self) -> float:
        return value_of(self.path / "cpu.stat", "usage_usec") / 1e6

    def kernel_bytes(self) -> int:
        stat = self.path / "memory.stat"
        return value_of(stat, "kernel") + value_of(stat, "sock")

    def ran_out_of_memory(self) -> bool:
        return value_of(self.path / "memory.events", "oom_kill") > 0

    def remove(self) -> None:
        remove_folder(self.path)


@dataclass(frozen=True, slots=True)
class ControlGroupsV2:
    """A folder of the tree in which groups can be made."""

    path: Path
    version: int = 2

    def new(self, limits: BoxLimits) -> ControlGroup:
        path = self.path / new_name()
        path.mkdir()
        for name, value in (
            ("memory.max", memory_limit(limits)),
            ("memory.swap.max", 0),
            ("memory.oom.group", 1),
            ("pids.max", process_limit(limits)),
        ):
            if (path / name).exists():
                (path / name).write_text(str(value))
        return ControlGroupV2(path)

    def tidy(self) -> None:
        remove_orphans(self.path)


def delegated() -> ControlGroupsV2 | None:
    """Our part of the tree of version 2, with its controllers on; None where there is none."""
    own = _own_folder()
    if own is None or not _words(own / "cgroup.controllers") >= _NEEDED:
        return None
    runner = own / f"polyassay-{os.getpid()}-runner"
    try:
        # A group with controllers below it may hold no process itself, unless it is the root.
        if (own / "cgroup.type").exists() and not _words(own / "cgroup.subtree_control") >= _NEEDED:
            runner.mkdir()
            (runner / "cgroup.procs").write_text("0")
        (own / "cgroup.subtree_control").write_text("+memory +pids")
    except OSError:
        _go_back(own, runner)
        return None
    return ControlGroupsV2(own)


def remove_orphans(own: Path) -> None:
    """Removes the groups of runners that were killed, and ends what is left in their sandboxes.

    That can only be a sandbox which was killed while it was set up (see launch.py).
    """
    for path in own.glob("polyassay-*-*"):
        _, owner, number = path.name.split("-")
        if Path("/proc", owner).exists():
            continue
        if number.isdigit():  # or it was the runner's own, with what else that has started
            _end_members(path)
        with suppress(OSError):  # something of it still runs
            path.rmdir()


def _end_members(path: Path) -> None:
    # A process of another namespace is told as 0, and so may be its runner, which lives then.
    for pid in _words(path / "cgroup.procs") - {"0"}:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(int(pid), signal.SIGKILL)


def _go_back(own: Path, runner: Path) -> None:
    try:
        (own / "cgroup.procs").write_text("0")
        runner.rmdir()
    except OSError:
        return


def _own_folder() -> Path | None:
    """Where this process is in the tree of version 2, if that can be written."""
    inside = None
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        if line.startswith("0::"):
            inside = line[3:]
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        fields = line.split()
        if inside is not None and " - cgroup2 " in line:
            folder = Path(fields[4], os.path.relpath(inside, fields[3]))
            return folder if _may_use(folder) else None
    return None


def _may_use(folder: Path) -> bool:
    """Root can write everywhere, which does not make everything root's to rearrange."""
    if not os.access(folder / "cgroup.procs", os.W_OK):
        return False
    if os.geteuid() != 0 or not (folder / "cgroup.type").exists():
        return True
    for mark in ("user.delegate", "trusted.delegate"):  # systemd's
        with suppress(OSError):
            if os.getxattr(folder, mark) == b"1":
                return True
    return False


def _words(file: Path) -> frozenset[str]:
    try:
        return frozenset(file.read_text().split())
    except OSError:
        return frozenset()
