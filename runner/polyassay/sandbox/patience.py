"""How long a guest is waited for: in its own time, so that no load of the machine ends a wait."""

import time
from typing import Protocol

from polyassay.sandbox.endings import Ended, Starved
from polyassay_harness.process.own_time import (
    READY,
    OwnTime,
    Readings,
    Waits,
    working_seconds,
)

_PAUSE = 0.5  # seconds between two looks at what its threads do
_STARVED_FACTOR = 3  # times the own time that it is given
_LEAST_STARVED = 120.0


class Waited(Protocol):
    """A guest that is waited for."""

    def cpu_seconds(self) -> float:
        """The CPU time that it has used so far."""
        ...

    def waits(self) -> Waits:
        """How long each of its threads was ready to run while others had the cores."""
        ...


class Patience:
    """One allowance of own time, for one wait or for several waits for several guests.

    A guest that the machine keeps from answering is given three times as long by the clock. What
    hangs on something else than a core, as the disk, has no more than its own time: a guest can
    bring that about itself, and would never be blamed.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._most = max(_STARVED_FACTOR * seconds, _LEAST_STARVED)
        self._pause = min(_PAUSE, seconds / 4)
        self._had = OwnTime(time.monotonic(), kept=(READY,))
        self._left_off: float | None = None
        self._guest: Waited | None = None
        self._used: dict[Waited, float] = {}  # by each at the last look at it

    def resume(self, guest: Waited) -> None:
        """The guest is waited for from now on; between two waits it has no work."""
        if self._left_off is not None:
            self._had.skip(time.monotonic() - self._left_off)
            self._left_off = None
        self._guest = guest

    def leave_off(self) -> None:
        """It has answered."""
        self._left_off = time.monotonic()

    def pause(self) -> float:
        """How long to wait until the next look."""
        return max(self._had.looked + self._pause - time.monotonic(), 0.0)

    def check(self) -> None:
        """Raises Ended where the guest has had its time, and Starved where it could not get it."""
        now, guest = time.monotonic(), self._guest
        assert guest is not None
        if now - self._had.looked < self._pause:
            return
        used = guest.cpu_seconds()
        ran = used - self._used.get(guest, used)
        self._had.look(now, ran, Readings((guest.waits(),), working_seconds()))
        self._used[guest] = used
        if self._had.seconds >= self.seconds:
            raise Ended("gave no answer in time", timed_out=True, idled=True)
        if self._had.passed >= self._most:
            had, passed = round(self._had.seconds), round(self._had.passed)
            raise Starved(f"others had the machine: in {passed} s a process got {had} s of time")
