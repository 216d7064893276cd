"""How long a run will take, from the work that is left.

Suites differ by a factor of a hundred in what a candidate costs, and a run's first seconds go into
starting processes. So work is counted by what candidates of each suite have cost so far, and the
pace is that of the last minute.
"""

import time
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence

from polyassay.model import Verdict

WINDOW = 60.0  # seconds over which the pace is measured
SOONEST = 3.0  # seconds after the first verdict: before, a pace is an accident
FEWEST = 10  # verdicts


class Remaining:
    def __init__(
        self, pending: Mapping[str, int], clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`pending`: candidates without a verdict, by suite."""
        self._pending = Counter(dict(pending))
        self._done: Counter[str] = Counter()
        self._cost: Counter[str] = Counter()
        self._clock = clock
        self._seen: deque[tuple[float, Counter[str]]] = deque()

    def add(self, verdicts: Sequence[Verdict]) -> None:
        for verdict in verdicts:
            suite = verdict.candidate.suite
            self._done[suite] += 1
            self._cost[suite] += max(verdict.seconds, 1e-3)  # type: ignore[assignment]
        now = self._clock()
        self._seen.append((now, Counter(self._done)))
        while len(self._seen) > 2 and now - self._seen[0][0] > WINDOW:
            self._seen.popleft()

    def seconds(self) -> float | None:
        """Until the last verdict; None where it cannot be told yet."""
        pace = self._pace()
        if not pace:
            return None
        left = self._pending - self._done
        return sum(count * self._price(suite) for suite, count in left.items()) / pace

    def rate(self) -> float:
        """Candidates a second, of late."""
        if len(self._seen) < 2:
            return 0.0
        (then, before), (now, done) = self._seen[0], self._seen[-1]
        return (done.total() - before.total()) / max(now - then, 1e-9)

    def _pace(self) -> float:
        """Work a second, of late; 0 where too little was seen."""
        if len(self._seen) < 2:
            return 0.0
        (then, before), (now, done) = self._seen[0], self._seen[-1]
        if now - then < SOONEST or done.total() - before.total() < FEWEST:
            return 0.0
        work = sum(n * self._price(suite) for suite, n in (done - before).items())
        return work / (now - then)

    def _price(self, suite: str) -> float:
        """What a candidate of a suite costs; a suite of which none was judged: as the others."""
        of = suite if self._done[suite] else ""
        if of:
            return self._cost[of] / self._done[of]
        return sum(self._cost.values()) / max(1, self._done.total())


def pace(rate: float) -> str:
    """Candidates a second, and where these are few, a minute.

    >>> [pace(r) for r in (0.0, 0.04, 0.9, 1.24, 88.8)]
    ['', '2.4/min', '0.9/s', '1.2/s', '89/s']
    """
    if not rate:
        return ""
    if rate < 0.67:
        return f"{rate * 60:.1f}/min"
    return f"{rate:.1f}/s" if rate < 10 else f"{rate:.0f}/s"


def told(seconds: float | None) -> str:
    """A time to wait, no finer than it can be known.

    >>> [told(s) for s in (None, 0.4, 7.2, 94, 4000)]
    ['', '1 s left', '7 s left', '2 min left', '1 h 7 min left']
    """
    if seconds is None:
        return ""
    if seconds < 60:
        return f"{max(1, round(seconds))} s left"
    minutes = round(seconds / 60)
    return f"{minutes} min left" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min left"


def took(count: int, seconds: float) -> str:
    """What a whole run has cost, for the last line.

    >>> took(98, 114.2), took(3, 0.2)
    ('98 in 114 s', '3 in 1 s')
    """
    return f"{count:,} in {max(1, round(seconds)):,} s"
