"""Control groups of version 1, where this process may make groups below its own.

Each controller has a tree of its own there. Unlike in version 2, making a group below one's own
rearranges nothing, so no delegation is needed: whoever may make the folder may use it.
"""

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from polyassay.sandbox import BoxLimits
from polyassay.sandbox.linux.cgroup import (
    ControlGroup,
    entering,
    memory_limit,
    new_name,
    process_limit,
    remove_folder,
    remove_orphans,
    value_of,
)

_OWN = Path("/proc/self/cgroup")
_MOUNTS = Path("/proc/self/mountinfo")
_CONTROLLERS = ("memory", "pids", "cpuacct")
# TCP's buffers are counted only where they are limited, and no candidate has a network.
_TCP_SHARE = 4


@dataclass(frozen=True, slots=True)
class ControlGroupV1:
    """One folder in the tree of each controller."""

    memory: Path
    pids: Path
    cpuacct: Path

    def joined(self, argv: list[str]) -> list[str]:
        return entering([path / "cgroup.procs" for path in self._folders()], argv)

    def cpu_seconds(self) -> float:
        return _number(self.cpuacct / "cpuacct.usage") / 1e9

    def kernel_bytes(self) -> int:
        kernel = _number(self.memory / "memory.kmem.usage_in_bytes")
        return kernel + _number(self.memory / "memory.kmem.tcp.usage_in_bytes")

    def ran_out_of_memory(self) -> bool:
        state = self.memory / "memory.oom_control"
        return value_of(state, "under_oom") > 0 or value_of(state, "oom_kill") > 0

    def remove(self) -> None:
        for path in self._folders():
            remove_folder(path)

    def _folders(self) -> tuple[Path, Path, Path]:
        return self.memory, self.pids, self.cpuacct


@dataclass(frozen=True, slots=True)
class ControlGroupsV1:
    """This process' own folders, below which groups are made."""

    memory: Path
    pids: Path
    cpuacct: Path
    version: int = 1

    def new(self, limits: BoxLimits) -> ControlGroup:
        name = new_name()
        group = ControlGroupV1(self.memory / name, self.pids / name, self.cpuacct / name)
        try:
            for folder in (group.memory, group.pids, group.cpuacct):
                folder.mkdir()
            self._limit(group, limits)
        except OSError:
            group.remove()
            raise
        return group

    def tidy(self) -> None:
        for folder in (self.memory, self.pids, self.cpuacct):
            remove_orphans(folder)

    @staticmethod
    def _limit(group: ControlGroupV1, limits: BoxLimits) -> None:
        memory = memory_limit(limits)
        (group.memory / "memory.limit_in_bytes").write_text(str(memory))
        (group.pids / "pids.max").write_text(str(process_limit(limits)))
        for name, value in (
            ("memory.memsw.limit_in_bytes", memory),  # not every kernel counts swap
            ("memory.kmem.tcp.limit_in_bytes", memory // _TCP_SHARE),
            # The kernel would end one process of several: they wait, and the watch ends all.
            ("memory.oom_control", 1),
        ):
            with suppress(OSError):
                (group.memory / name).write_text(str(value))


def usable() -> ControlGroupsV1 | None:
    """None where a tree is missing, or where no group can be made in it."""
    own = [_own_folder(controller) for controller in _CONTROLLERS]
    if not all(folder and _can_make_groups(folder) for folder in own):
        return None
    memory, pids, cpuacct = (folder for folder in own if folder)
    return ControlGroupsV1(memory, pids, cpuacct)


def _own_folder(controller: str) -> Path | None:
    """Where this process is in the controller's tree."""
    inside = None
    for line in _OWN.read_text().splitlines():
        _, names, path = line.split(":", 2)
        if controller in names.split(","):
            inside = path
    for line in _MOUNTS.read_text().splitlines():
        fields, _, source = line.partition(" - ")
        kind, _, options = source.split(" ", 2)
        if inside and kind == "cgroup" and controller in options.split(","):
            root, place = fields.split()[3:5]
            return Path(place, os.path.relpath(inside, root))
    return None


def _can_make_groups(folder: Path) -> bool:
    try:
        made = folder / new_name()
        made.mkdir()
    except OSError:
        return False
    remove_folder(made)
    return True


def _number(file: Path) -> int:
    try:
        return int(file.read_text())
    except OSError:
        return 0
