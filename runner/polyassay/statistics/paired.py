"""The difference of two tools on the same units: one procedure for interval, p and answer.

A t-interval around the mean of the paired differences, with the spread between clusters, after one
cluster was added on which either side is ahead. For passed or not this is the interval of Bonett
and Price. The p-value is the same interval read backwards (it is below a level exactly where the
interval of that level leaves out zero), so that interval and answer cannot contradict each other.
docs/statistics.md shows how often it is right.

Everything works on stacks of comparisons, too: the last axis holds the clusters, so that
tools/simulate-statistics computes thousands at once.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from scipy import special

from polyassay.statistics.clusters import ALPHA, Array, Interval

FEWEST = 6  # differing clusters without which nothing can be told: five of five is p = 0.0625
_PRIOR = 0.5  # clusters' worth of belief that a difference is as large as one sample can make it
_TINY = 1e-12


@dataclass(frozen=True, slots=True)
class Difference:
    """The second side less the first. All fields are numbers, or arrays of the same shape."""

    seen: Any  # the plain mean
    centre: Any  # with the added clusters
    error: Any  # standard error of the centre
    degrees: Any  # of freedom
    clusters: Any
    square: Any  # mean square of a cluster's difference, the added ones included
    usual: Any  # how large a difference is where there is one
    lean: Any  # how far the added clusters pull the centre to one side
    low: float | None = -1.0  # differences cannot be smaller
    high: float | None = 1.0

    @property
    def p(self) -> Any:
        return two_sided(self.centre / self.error, self.degrees)

    def ends(self, level: Any = ALPHA) -> tuple[Any, Any]:
        """The interval that misses with this chance."""
        half = special.stdtrit(self.degrees, 1 - np.asarray(level) / 2) * self.error
        low = np.minimum(self.centre - half, self.seen)
        high = np.maximum(self.centre + half, self.seen)
        if self.low is not None:
            low = np.maximum(low, self.low)
        if self.high is not None:
            high = np.minimum(high, self.high)
        return low, high

    def interval(self, level: float = ALPHA) -> Interval:
        low, high = self.ends(level)
        return Interval(float(low), float(high))


@cache
def too_few(clusters: int, level: float = ALPHA) -> bool:
    """Whether there is no answer at this level even where all of them go one way."""
    return bool(paired(np.ones(clusters), np.ones(clusters)).p >= level)


def two_sided(t: Any, degrees: Any) -> Any:
    return 2 * special.stdtr(degrees, -np.abs(t))


def paired(
    sums: Array,
    sizes: Array,
    steps: tuple[float, float] = (0.0, 0.0),
    span: float | None = 1.0,
) -> Difference:
    """From each cluster's sum of differences and number of units.

    `steps`: by how much one sample of the first and of the second side can change a difference;
    with 1 sample against 10, one side's luck weighs ten times as much as the other's. `span`: the
    largest difference that the scale allows, if there is one.
    """
    count = sums.shape[-1]
    sizes = np.broadcast_to(sizes, sums.shape)
    units = sizes.sum(-1)
    size = units / count
    behind, ahead = (np.maximum(_usual(sums, size, span), np.sqrt(size) * step) for step in steps)
    total = sums.sum(-1) + ahead - behind
    weight = units + 2 * size
    centre = total / weight
    rest = sums - centre[..., None] * sizes
    squares = (rest**2).sum(-1) + (ahead - centre * size) ** 2 + (behind + centre * size) ** 2
    error = np.sqrt(squares) / weight
    absolute = np.abs(sums).sum(-1) + ahead + behind
    square = (sums**2).sum(-1) + ahead**2 + behind**2
    return Difference(
        seen=sums.sum(-1) / units,
        centre=centre,
        error=error,
        degrees=_degrees(sizes),
        clusters=count,
        square=square / size**2 / (count + 2),
        usual=square / absolute / size,
        lean=np.abs(ahead - behind) / weight,
        low=None if span is None else -span,
        high=span,
    )


def _usual(sums: Array, size: Any, span: float | None) -> Any:
    """How far ahead a side is on the cluster that is added for it: as far as the sides differ
    where they differ. With few differences little is known about that, so it leans to the span."""
    differ = np.count_nonzero(np.abs(sums) > _TINY, axis=-1)
    squares = (sums**2).sum(-1)
    if span is None:
        return np.where(differ, np.sqrt(squares / np.maximum(differ, 1)), size)
    return np.sqrt((squares + _PRIOR * size * span**2) / (differ + _PRIOR))


def _degrees(sizes: Array) -> Any:
    """Clusters of one size count in full; a few large ones among small ones count as fewer."""
    effective = sizes.sum(-1) ** 2 / (sizes**2).sum(-1)
    return np.maximum(effective - 1, 1.0)
