"""When a candidate has had its time: one rule for all languages.

CPU time decides, whatever else the machine does meanwhile. Wall time ends only a candidate that
idles, or that takes ten times as long as its CPU time would; and of wall time counts only what it
had for itself (own_time.py).
"""

from typing import Callable, Optional, Tuple

from polyassay_harness.process.endings import Stopped
from polyassay_harness.process.own_time import OwnTime, Readings

USED_UP = "used up the CPU time that all tests have together"
WALL_FACTOR = 10  # times the CPU time
_IDLE_PART = 3  # this part of a candidate's time without work is idling
_IDLE_SHARE = 0.05  # of one core: less work than that is none
_PAUSE = 0.5  # seconds between two looks at what its threads do


class TimeRule:
    """The time of one candidate; asked now and then by the process that measures it."""

    def __init__(self, total_seconds: float, now: float) -> None:
        self._total = total_seconds
        self._window = total_seconds / _IDLE_PART
        self._pause = min(_PAUSE, self._window / 2)
        self._used = 0.0
        self._had = OwnTime(now)
        # Had and used when it was last known to have worked.
        self._then: Tuple[float, float] = (0.0, 0.0)

    def skip(self, seconds: float) -> None:
        """Leaves out so much time, in which nothing was asked of the candidate."""
        self._had.skip(seconds)

    def know(self, readings: Readings) -> None:
        """What its processes did before is no candidate's."""
        self._had.know(readings)

    def begin_test(self) -> None:
        """A test that has come to its end did not idle, however little it computed."""
        self._then = self._had.seconds, self._used

    def over(self, used: float) -> Optional[Stopped]:
        """Why it must end whatever it does at present; between two tests it cannot idle."""
        if used >= self._total:
            return Stopped("timed_out", USED_UP, of_candidate=True)
        if self._had.seconds >= WALL_FACTOR * self._total:
            most = f"{WALL_FACTOR * self._total:g} s"
            limit = f"{self._total:g} s of CPU time that all tests have together"
            why = f"took more than {most}, {WALL_FACTOR} times the {limit}"
            return Stopped("timed_out", why, of_candidate=True, idled=True)
        return None

    def problem(
        self, now: float, used: float, readings: Callable[[], Readings]
    ) -> Optional[Stopped]:
        """Why the candidate must end, if it must.

        `used`: its CPU time so far; `readings`: asks what its threads, and ours, have waited.
        """
        if now - self._had.looked >= self._pause:
            had = self._had.seconds
            self._had.look(now, used - self._used, readings())
            if self._had.at_work:  # so it did not idle since the last look, whatever it did then
                had_then, used_then = self._then
                self._then = had_then + self._had.seconds - had, used_then + used - self._used
            self._used = used
        return self.over(used) or self._idling(used)

    def _idling(self, used: float) -> Optional[Stopped]:
        had_then, used_then = self._then
        had = self._had.seconds - had_then
        if had < self._window:
            return None
        if used - used_then < _IDLE_SHARE * had:
            why = f"did nothing for {round(self._window, 2):g} s"
            return Stopped("timed_out", why, of_candidate=True, idled=True)
        self._then = (self._had.seconds, used)
        return None
