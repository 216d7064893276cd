"""The time that a candidate may use, measured in the sandbox by the rule of time_rule.py."""

import os
import select
import time
from typing import Callable, Optional

from polyassay_harness.process.endings import Stopped
from polyassay_harness.process.own_time import Readings, waits_for_a_core, working_seconds
from polyassay_harness.process.time_rule import TimeRule
from polyassay_harness.process.tree_time import TreeTime, members

NO_TIME = "no time was left"
_GLANCE = 1.0  # seconds between two looks at what a candidate has used
_QUICK_GLANCE = 0.1  # where it has many processes, of which some may end unseen
_MANY = 4
_CORES = os.cpu_count() or 1
_ROUNDING = 1.0  # a process' own limit is in whole seconds, and is to be the first that ends it


class Budget:
    """The time of one candidate, in all of its processes.

    A test's own limit binds each process by itself (limits.py). Here it binds all that run at once
    during the test, together; counted from the first look on, so that quick tests cost no look.
    """

    def __init__(self, total_seconds: float, root: Optional[int] = None) -> None:
        self._total = total_seconds
        self._root = root  # the process whose descendants run at present
        self._time = TreeTime(root) if root is not None else None
        self._before = self._time.look() if self._time else 0.0
        self._spent = self._running = 0.0  # by trees that have ended, and at the last look
        self._began = self._waited_until = time.monotonic()
        self._next_look = self._began + _GLANCE
        self._rule = TimeRule(total_seconds, self._began)
        self._over: Optional[Stopped] = None
        self._test_seconds: Optional[float] = None
        self._used_before_test: Optional[float] = None
        self._loaded: Optional[Callable[[], bool]] = None

    def watch(self, root: int) -> None:
        """Counts this process and its descendants from now on, until they have ended."""
        self._root, self._time, self._before = root, TreeTime(root), 0.0

    def ended(self, cpu_seconds: float) -> None:
        """The tree that was watched has ended, and used so much."""
        self._root = self._time = None
        # The kernel forgets what processes used that their parent did not wait for.
        self._spent += max(cpu_seconds, self._running)
        self._running = 0.0

    def begin_test(self, seconds: float, loaded: Optional[Callable[[], bool]] = None) -> None:
        """All processes together may use so much from now on.

        `loaded`: tells whether the program has loaded, after which the test begins once more.
        """
        self._test_seconds, self._used_before_test, self._loaded = seconds, None, loaded

    def used(self) -> float:
        if self._time is not None:
            self._running = max(self._time.look() - self._before, self._running)
        return self._spent + self._running

    @property
    def used_up(self) -> bool:
        """Whether no other test may begin."""
        passed = time.monotonic() - self._began
        if self._over is None and passed * _CORES < self._total:
            return False
        self._over = self._over or self._rule.over(self.used())
        return self._over is not None

    def readable(self, descriptor: int) -> None:
        """Waits until something can be read, or a process has ended; raises Stopped."""
        self.wait(descriptor, select.POLLIN)

    def wait(self, descriptor: int, event: int) -> None:
        poll = select.poll()
        poll.register(descriptor, event)
        between = time.monotonic() - self._waited_until
        self._rule.skip(between)
        self._next_look += between  # many short waits make a long one
        while not poll.poll(max(self._next_look - time.monotonic(), 0.0) * 1000):
            self._look()
        self._waited_until = time.monotonic()

    def wait_for_end(self, pid: int) -> None:
        """Waits for a child, which is not reaped; raises Stopped."""
        descriptor = os.pidfd_open(pid)
        try:
            self.readable(descriptor)
        finally:
            os.close(descriptor)

    def problem(self) -> Optional[Stopped]:
        """Why the test or the whole candidate must end, if so."""
        used = self.used()
        return self._of_candidate(used) or self._of_test(used)

    def _look(self) -> None:
        problem = self.problem()
        self._next_look = time.monotonic() + self._pause()
        if problem is not None:
            raise problem

    def _pause(self) -> float:
        many = self._time is not None and self._time.processes > _MANY
        return _QUICK_GLANCE if many else _GLANCE

    def _of_candidate(self, used: float) -> Optional[Stopped]:
        """Once it must end, it stays so."""
        if self._over is None:
            self._over = self._rule.problem(time.monotonic(), used, self._readings)
        return self._over

    def _of_test(self, used: float) -> Optional[Stopped]:
        if self._test_seconds is None:
            return None
        if self._root == os.getpid():
            used -= time.process_time()  # what it takes to pass on calls is no test's
        if self._loaded is not None and self._loaded():
            self._loaded = self._used_before_test = None
        if self._used_before_test is None:
            self._used_before_test = used
        if used - self._used_before_test <= self._test_seconds + _ROUNDING:
            return None
        why = f"used more than {self._test_seconds:g} s of CPU time in all of its processes"
        return Stopped("timed_out", why)

    def _readings(self) -> Readings:
        found = members(self._root) if self._root is not None else ()
        candidates = [pid for pid in found if pid != os.getpid()]  # this process always runs now
        return Readings((waits_for_a_core(candidates),), working_seconds())
