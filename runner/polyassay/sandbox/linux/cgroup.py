"""Control groups, version 2, where a part of their tree is ours to use.

They are a net below the rlimits and the watch: exact, and they count what belongs to no process.
"""

import os
import time
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from polyassay.sandbox import BoxLimits

_NEEDED = frozenset({"memory", "pids"})
_SPARE_MB = 192  # for what the limit on memory does not mean: /tmp, /dev/shm, the kernel's own
_SPARE_PROCESSES = 8  # of the launcher
_numbers = count()


@dataclass(frozen=True, slots=True)
class Group:
    """The control group of one sandbox."""

    path: Path

    def joined(self, argv: list[str]) -> list[str]:
        """The command that enters the group and then becomes argv."""
        enter = 'echo 0 > "$0/cgroup.procs" && exec "$@"'
        return ["/bin/sh", "-c", enter, str(self.path), *argv]

    def cpu_seconds(self) -> float:
        return self._value("cpu.stat", "usage_usec") / 1e6

    def ran_out_of_memory(self) -> bool:
        return self._value("memory.events", "oom_kill") > 0

    def remove(self) -> None:
        """Removes the group, which its last process may leave a moment after it died."""
        for _ in range(200):
            try:
                self.path.rmdir()
            except FileNotFoundError:
                return
            except OSError:
                time.sleep(0.01)
            else:
                return

    def _value(self, file: str, name: str) -> int:
        try:
            lines = (self.path / file).read_text().splitlines()
        except OSError:
            return 0
        return next((int(line.split()[1]) for line in lines if line.split()[0] == name), 0)


@dataclass(frozen=True, slots=True)
class Groups:
    """A folder of the tree in which groups can be made."""

    path: Path

    def new(self, limits: BoxLimits) -> Group:
        path = self.path / f"polyassay-{os.getpid()}-{next(_numbers)}"
        path.mkdir()
        memory = limits.memory_mb + limits.disk_mb + _SPARE_MB << 20
        for name, value in (
            ("memory.max", memory),
            ("memory.swap.max", 0),
            ("memory.oom.group", 1),
            ("pids.max", limits.processes + _SPARE_PROCESSES),
        ):
            if (path / name).exists():
                (path / name).write_text(str(value))
        return Group(path)


def delegated() -> Groups | None:
    """Our part of the tree, with its controllers switched on; None where there is none."""
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
    _remove_orphans(own)
    return Groups(own)


def _remove_orphans(own: Path) -> None:
    """Removes the groups of runners that were killed."""
    for path in own.glob("polyassay-*-*"):
        if not Path("/proc", path.name.split("-")[1]).exists():
            with suppress(OSError):  # something of it still runs: it is not ours to end
                path.rmdir()


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
