"""The CPU time of one candidate, measured from outside of all sandboxes that it is judged in.

Python's candidates have supervisors of ours inside of their sandbox, which measure there
(polyassay_harness/process/budget.py). A JVM is measured here, out of its candidate's reach. Both
follow one rule.
"""

import time

from polyassay.model import Limits
from polyassay.sandbox import Ended, Guest
from polyassay.sandbox.patience import Patience
from polyassay_harness.process.own_time import Readings, working_seconds
from polyassay_harness.process.time_rule import WALL_FACTOR, TimeRule

_GLANCE = 0.1  # seconds between two looks
_NET_SECONDS = 10.0  # beyond the rule's own end: the most that all waits have


class Allowance:
    """The time that a candidate may use, for a test and in all."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        now = time.monotonic()
        self.patience = Patience(WALL_FACTOR * limits.total_seconds + _NET_SECONDS)
        self._rule = TimeRule(limits.total_seconds, now)
        self._guests: tuple[Guest, ...] = ()
        self._before = 0.0  # what these guests had used when the candidate came
        self._spent = 0.0  # in guests before these
        self._at_test = 0.0  # what had been used when the present test began
        self._next_look = 0.0
        self._known = False  # what these guests' threads have waited; looked up when it matters
        self._paused = now

    def count(self, *guests: Guest) -> None:
        """Counts what these use from now on, instead of those before."""
        self._spent = self.used()
        self._guests = guests
        self._before = self._of_guests()
        self._at_test = self._spent
        self._known = False
        now = time.monotonic()
        self._rule.skip(now - self._paused)
        self._next_look = now + _GLANCE

    def pause(self) -> None:
        """Until others are counted, nothing is asked of the candidate: it does not idle."""
        self._paused = time.monotonic()

    def begin_test(self) -> None:
        self._at_test = self.used()
        self._rule.begin_test()

    def used(self) -> float:
        return self._spent + self._of_guests() - self._before

    def check(self) -> None:
        """Raises Ended where the candidate has had its time; to be called often."""
        now = time.monotonic()
        if now < self._next_look:
            return
        self._next_look = now + _GLANCE
        if not self._known:
            self._known = True
            self._rule.know(self._readings())
        used, seconds = self.used(), self._limits.seconds
        if used - self._at_test > seconds:
            raise Ended(f"used more than {seconds:g} s of CPU time", timed_out=True)
        problem = self._rule.problem(now, used, self._readings)
        if problem is not None:
            raise Ended(problem.message, timed_out=True, idled=problem.idled)

    @property
    def used_up(self) -> bool:
        """Whether no other test may begin."""
        return self._rule.over(self.used()) is not None

    def _of_guests(self) -> float:
        return sum(guest.cpu_seconds() for guest in self._guests)

    def _readings(self) -> Readings:
        return Readings([guest.waits() for guest in self._guests], working_seconds())
