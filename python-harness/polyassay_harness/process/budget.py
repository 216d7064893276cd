"""What a candidate may use in all: CPU time decides, whatever else the machine does meanwhile.

Wall time ends only a candidate that idles, or that takes ten times as long as its CPU time would.
"""

import os
import select
import time
from typing import Dict, List, Optional, Tuple

from polyassay_harness.process.endings import Stopped

USED_UP = "used up the CPU time that all tests have together"
NO_TIME = "no time was left"
WALL_FACTOR = 10  # times the CPU time
_IDLE_SHARE = 0.01  # of the CPU, below which a candidate counts as idle
_GLANCE = 1.0  # seconds between two looks at what a candidate has used
_TICKS = os.sysconf("SC_CLK_TCK")
_CORES = os.cpu_count() or 1


class Budget:
    """The time of one candidate, in all of its processes."""

    def __init__(self, total_seconds: float, root: Optional[int] = None) -> None:
        self._total = total_seconds
        self._root = root  # the process whose descendants run at present
        self._before = cpu_of_tree(root) if root is not None else 0.0
        self._spent = self._running = 0.0  # by trees that have ended, and at the last look
        self._began = self._looked = time.monotonic()
        self._used_when_looked = 0.0

    def watch(self, root: int) -> None:
        """Counts this process and its descendants from now on, until they have ended."""
        self._root, self._before = root, 0.0

    def ended(self, cpu_seconds: float) -> None:
        """The tree that was watched has ended, and used so much."""
        self._root = None
        # The kernel forgets what those used that nobody waited for.
        self._spent += max(cpu_seconds, self._running)
        self._running = 0.0

    def used(self) -> float:
        if self._root is not None:
            self._running = cpu_of_tree(self._root) - self._before
        return self._spent + self._running

    @property
    def used_up(self) -> bool:
        """Whether no other test may begin."""
        passed = time.monotonic() - self._began
        return passed * _CORES >= self._total and self._problem() is not None

    def readable(self, descriptor: int) -> None:
        """Waits until something can be read, or a process has ended; raises Stopped."""
        self.wait(descriptor, select.POLLIN)

    def wait(self, descriptor: int, event: int) -> None:
        poll = select.poll()
        poll.register(descriptor, event)
        while not poll.poll(_GLANCE * 1000):
            problem = self._problem()
            if problem is not None:
                raise problem

    def wait_for_end(self, pid: int) -> None:
        """Waits for a child, which is not reaped; raises Stopped."""
        descriptor = os.pidfd_open(pid)
        try:
            self.readable(descriptor)
        finally:
            os.close(descriptor)

    def _problem(self) -> Optional[Stopped]:
        now, used = time.monotonic(), self.used()
        if used >= self._total:
            return Stopped("timed_out", USED_UP, of_candidate=True)
        if now - self._began >= WALL_FACTOR * self._total:
            why = f"took more than {WALL_FACTOR} times its {self._total:g} s"
            return Stopped("timed_out", why, of_candidate=True, idled=True)
        if now - self._looked >= self._total:
            if used - self._used_when_looked < _IDLE_SHARE * self._total:
                why = f"did nothing for {self._total:g} s"
                return Stopped("timed_out", why, of_candidate=True, idled=True)
            self._looked, self._used_when_looked = now, used
        return None


def cpu_of_tree(root: int) -> float:
    """Seconds that a process and its descendants have used, those included that they waited for."""
    children: Dict[int, List[int]] = {}
    used: Dict[int, float] = {}
    for name in os.listdir("/proc"):
        found = _stat(name) if name.isdigit() else None
        if found is not None:
            parent, used[int(name)] = found
            children.setdefault(parent, []).append(int(name))
    total, waiting = 0.0, [root]
    while waiting:
        pid = waiting.pop()
        total += used.get(pid, 0.0)
        waiting += children.get(pid, ())
    return total


def _stat(pid: str) -> Optional[Tuple[int, float]]:
    """A process' parent, and its seconds."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return None
    return int(fields[1]), sum(map(int, fields[11:15])) / _TICKS
