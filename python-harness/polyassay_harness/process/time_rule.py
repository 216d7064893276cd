"""When a candidate has had its time: one rule for all languages.

CPU time decides, whatever else the machine does meanwhile. Wall time ends only a candidate that
idles, or that takes ten times as long as its CPU time would. Time in which a thread waited for a
core, as the kernel tells it, is the machine's and no idling.
"""

import math
import os
from typing import Callable, Dict, Iterable, Optional

from polyassay_harness.process.endings import Stopped

USED_UP = "used up the CPU time that all tests have together"
WALL_FACTOR = 10  # times the CPU time
_IDLE_PART = 3  # this part of a candidate's time without work is idling
_IDLE_SHARE = 0.05  # of one core: less work than that is none

Waits = Dict[int, float]  # thread → seconds that it was ready to run while others had the cores
READY = math.inf  # it is ready now: the kernel tells how long it waited only once it has run


class TimeRule:
    """The time of one candidate; asked now and then by the process that measures it."""

    def __init__(self, total_seconds: float, now: float) -> None:
        self._total = total_seconds
        self._window = total_seconds / _IDLE_PART
        self._began = self._looked = now
        self._used_then = 0.0
        self._waits_then: Waits = {}

    def skip(self, seconds: float) -> None:
        """So much time has passed in which nothing was asked of the candidate."""
        self._looked += seconds

    def over(self, now: float, used: float) -> Optional[Stopped]:
        """Why it must end whatever it does at present; between two tests it cannot idle."""
        if used >= self._total:
            return Stopped("timed_out", USED_UP, of_candidate=True)
        if now - self._began >= WALL_FACTOR * self._total:
            most = f"{WALL_FACTOR * self._total:g} s"
            limit = f"{self._total:g} s of CPU time that all tests have together"
            why = f"took more than {most}, {WALL_FACTOR} times the {limit}"
            return Stopped("timed_out", why, of_candidate=True, idled=True)
        return None

    def problem(self, now: float, used: float, waits: Callable[[], Waits]) -> Optional[Stopped]:
        """Why the candidate must end, if it must.

        `used`: its CPU time so far; `waits`: asks how long its threads waited for a core.
        """
        over = self.over(now, used)
        if over is not None:
            return over
        if now - self._looked < self._window:
            return None
        waits_now = waits()
        if READY in waits_now.values():
            return None  # it works or waits for a core; the next look may tell
        longest = max((waits_now[i] - self._waits_then.get(i, 0.0) for i in waits_now), default=0.0)
        # What is left is the time in which it could have worked.
        free = max(now - self._looked - longest, 0.0)
        if used - self._used_then < _IDLE_SHARE * free:
            why = f"did nothing for {round(self._window, 2):g} s"
            return Stopped("timed_out", why, of_candidate=True, idled=True)
        self._looked, self._used_then, self._waits_then = now, used, waits_now
        return None


def waits_for_a_core(pids: Iterable[int]) -> Waits:
    """How long each thread of these processes has waited, as far as the kernel tells."""
    found: Waits = {}
    for pid in pids:
        try:
            for thread in os.listdir(f"/proc/{pid}/task"):
                found[int(thread)] = _wait(f"/proc/{pid}/task/{thread}")
        except (OSError, IndexError):  # it has ended, or this kernel does not tell
            continue
    return found


def _wait(thread: str) -> float:
    with open(f"{thread}/schedstat", "rb") as file:
        seconds = int(file.read().split()[1]) / 1e9
    with open(f"{thread}/stat", "rb") as file:
        state = file.read().rpartition(b")")[2].split()[0]
    return READY if state == b"R" else seconds
