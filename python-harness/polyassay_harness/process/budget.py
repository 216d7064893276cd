"""What a candidate may use in all, measured in the sandbox: the rule itself is time_rule.py."""

import os
import select
import time
from typing import Dict, List, Optional, Tuple

from polyassay_harness.process.endings import Stopped
from polyassay_harness.process.time_rule import TimeRule, waited_for_a_core

NO_TIME = "no time was left"
_GLANCE = 1.0  # seconds between two looks at what a candidate has used
_TICKS = os.sysconf("SC_CLK_TCK")
_CORES = os.cpu_count() or 1


class Budget:
    """The time of one candidate, in all of its processes."""

    def __init__(self, total_seconds: float, root: Optional[int] = None) -> None:
        self._total = total_seconds
        self._root = root  # the process whose descendants run at present
        self._before = cpu_of(tree(root)) if root is not None else 0.0
        self._spent = self._running = 0.0  # by trees that have ended, and at the last look
        self._began = self._waited_until = time.monotonic()
        self._rule = TimeRule(total_seconds, self._began)
        self._over: Optional[Stopped] = None

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
            self._running = cpu_of(tree(self._root)) - self._before
        return self._spent + self._running

    @property
    def used_up(self) -> bool:
        """Whether no other test may begin."""
        passed = time.monotonic() - self._began
        if self._over is None and passed * _CORES < self._total:
            return False
        return self.problem() is not None

    def readable(self, descriptor: int) -> None:
        """Waits until something can be read, or a process has ended; raises Stopped."""
        self.wait(descriptor, select.POLLIN)

    def wait(self, descriptor: int, event: int) -> None:
        poll = select.poll()
        poll.register(descriptor, event)
        self._rule.skip(time.monotonic() - self._waited_until)
        while not poll.poll(_GLANCE * 1000):
            problem = self.problem()
            if problem is not None:
                raise problem
        self._waited_until = time.monotonic()

    def wait_for_end(self, pid: int) -> None:
        """Waits for a child, which is not reaped; raises Stopped."""
        descriptor = os.pidfd_open(pid)
        try:
            self.readable(descriptor)
        finally:
            os.close(descriptor)

    def problem(self) -> Optional[Stopped]:
        """Why the candidate must end, if it must; once it must, it stays so."""
        if self._over is None:
            self._over = self._rule.problem(time.monotonic(), self.used(), self._waited)
        return self._over

    def _waited(self) -> float:
        return waited_for_a_core(tree(self._root)) if self._root is not None else 0.0


Seconds = Dict[int, float]


def tree(root: int) -> Seconds:
    """A process and its descendants, each with the CPU time that it and its dead children used."""
    children: Dict[int, List[int]] = {}
    used: Seconds = {}
    for name in os.listdir("/proc"):
        found = _stat(name) if name.isdigit() else None
        if found is not None:
            parent, used[int(name)] = found
            children.setdefault(parent, []).append(int(name))
    members, waiting = [], [root]
    while waiting:
        pid = waiting.pop()
        members.append(pid)
        waiting += children.get(pid, ())
    return {pid: used[pid] for pid in members if pid in used}


def cpu_of(processes: Seconds) -> float:
    return sum(processes.values())


def _stat(pid: str) -> Optional[Tuple[int, float]]:
    """A process' parent, and its seconds."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return None
    return int(fields[1]), sum(map(int, fields[11:15])) / _TICKS
