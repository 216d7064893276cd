"""The CPU time of a process and of everything that it started, as /proc tells it."""

import os
from typing import Dict, List, NamedTuple, Optional

_TICKS = os.sysconf("SC_CLK_TCK")


class Process(NamedTuple):
    parent: int
    started: int  # tells it from a later process of the same number
    own: float  # seconds
    of_dead: float  # of children for which it has waited


Members = Dict[int, Process]


class TreeTime:
    """Asked now and then. What a process has used that ended unwaited for is what was last seen."""

    def __init__(self, root: int) -> None:
        self._root = root
        self._seen: Members = {}
        self._lost = 0.0  # of processes that the kernel has forgotten

    @property
    def processes(self) -> int:
        """How many there were at the last look."""
        return len(self._seen)

    def look(self) -> float:
        now, then = members(self._root), self._seen
        gone = sum(
            process.own + process.of_dead
            for pid, process in then.items()
            if pid not in now or now[pid].started != process.started
        )
        told = sum(
            process.of_dead - (then[pid].of_dead if _is_same(then.get(pid), process) else 0.0)
            for pid, process in now.items()
        )
        # A process that waited for a child was told all that the child used; some of it was seen.
        self._lost += max(gone - told, 0.0)
        self._seen = now
        return self._lost + sum(process.own + process.of_dead for process in now.values())


def _is_same(then: Optional[Process], now: Process) -> bool:
    return then is not None and then.started == now.started


def members(root: int) -> Members:
    """A process and its descendants."""
    found: Members = {}
    children: Dict[int, List[int]] = {}
    for name in os.listdir("/proc"):
        process = _process(name) if name.isdigit() else None
        if process is not None:
            found[int(name)] = process
            children.setdefault(process.parent, []).append(int(name))
    chosen, waiting = [], [root]
    while waiting:
        pid = waiting.pop()
        chosen.append(pid)
        waiting += children.get(pid, ())
    return {pid: found[pid] for pid in chosen if pid in found}


def _process(pid: str) -> Optional[Process]:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return None
    own, of_dead = (sum(map(int, fields[at : at + 2])) / _TICKS for at in (11, 13))
    return Process(int(fields[1]), int(fields[19]), own, of_dead)
