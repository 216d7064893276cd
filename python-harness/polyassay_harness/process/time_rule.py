"""When a candidate has had its time: one rule for all languages.

CPU time decides, whatever else the machine does meanwhile. Wall time ends only a candidate that
idles, or that takes ten times as long as its CPU time would. A process that waits for a core does
not idle: the kernel tells how long it waited.
"""

import os
from typing import Callable, Iterable, Optional

from polyassay_harness.process.endings import Stopped

USED_UP = "used up the CPU time that all tests have together"
WALL_FACTOR = 10  # times the CPU time
_IDLE_PART = 3  # this part of a candidate's time without work is idling
_IDLE_SHARE = 0.05  # of one core: less work than that is none


class TimeRule:
    """The time of one candidate; asked now and then by the process that measures it."""

    def __init__(self, total_seconds: float, now: float) -> None:
        self._total = total_seconds
        self._window = total_seconds / _IDLE_PART
        self._began = self._looked = now
        self._used_then = self._waited_then = 0.0

    def skip(self, seconds: float) -> None:
        """So much time has passed in which nothing was asked of the candidate."""
        self._looked += seconds

    def problem(self, now: float, used: float, waited: Callable[[], float]) -> Optional[Stopped]:
        """Why the candidate must end, if it must.

        `used`: its CPU time so far; `waited`: asks how long its threads waited for a core.
        """
        if used >= self._total:
            return Stopped("timed_out", USED_UP, of_candidate=True)
        if now - self._began >= WALL_FACTOR * self._total:
            why = f"took more than {WALL_FACTOR} times its {self._total:g} s"
            return Stopped("timed_out", why, of_candidate=True, idled=True)
        if now - self._looked < self._window:
            return None
        waited_now = waited()
        wanted = used - self._used_then + max(waited_now - self._waited_then, 0.0)
        if wanted < _IDLE_SHARE * self._window:
            why = f"did nothing for {self._window:g} s"
            return Stopped("timed_out", why, of_candidate=True, idled=True)
        self._looked, self._used_then, self._waited_then = now, used, waited_now
        return None


def waited_for_a_core(pids: Iterable[int]) -> float:
    """Seconds that the threads of these processes were ready to run and did not; 0 if unknown."""
    nanoseconds = 0
    for pid in pids:
        try:
            for thread in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{thread}/schedstat", "rb") as file:
                    nanoseconds += int(file.read().split()[1])
        except (OSError, IndexError):  # it has ended, or this kernel does not tell
            continue
    return nanoseconds / 1e9
