"""95 % intervals by resampling tasks.

A plain percentile bootstrap is too narrow where nearly all tasks pass or fail, and of no width
where all do. So pseudo-tasks are added before resampling, as Agresti and Coull do for a share:
docs/statistics.md shows what that buys.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

RESAMPLES = 10_000
SEED = 1
_CELLS = 4_000_000  # resamples × distinct rows held at once


@dataclass(frozen=True, slots=True)
class Interval:
    low: float
    high: float

    def overlaps(self, other: "Interval") -> bool:
        return self.low <= other.high and other.low <= self.high


def by_cluster(values: Sequence[float], clusters: Sequence[Hashable]) -> Array:
    """One row a cluster: the sum of its values, and how many there are."""
    numbers: dict[Hashable, int] = {}
    index = [numbers.setdefault(cluster, len(numbers)) for cluster in clusters]
    return np.stack(
        [
            np.bincount(index, weights=np.asarray(values, float), minlength=len(numbers)),
            np.bincount(index, minlength=len(numbers)).astype(float),
        ],
        axis=1,
    )


def mean_interval(rows: Array, seed: int = SEED, resamples: int = RESAMPLES) -> Interval:
    """Around the mean of values between 0 and 1, from the rows of `by_cluster`.

    Two tasks that pass and two that fail are added, as light as the values vary less than those
    of a coin: a ratio of 10 tests says more than one test does.
    """
    return _percentiles(_resampled_means(_with_coins(rows), seed, resamples))


def two_means_interval(
    first: Array, second: Array, seed: int = SEED, resamples: int = RESAMPLES
) -> Interval:
    """Around the difference of two means over different tasks."""
    means = [
        _resampled_means(_with_coins(rows), seed + i, resamples)
        for i, rows in enumerate((first, second))
    ]
    return _percentiles(means[0] - means[1])


def _with_coins(rows: Array) -> Array:
    size = rows[:, 1].mean()
    mean = rows[:, 0].sum() / rows[:, 1].sum()
    coin = mean * (1 - mean)
    spread = np.mean((rows[:, 0] - mean * rows[:, 1]) ** 2) / size**2
    # Without any spread nothing is known about it: then they count in full.
    weight = size * (max(spread / coin, 0.01) if coin > 1e-9 and spread > 1e-9 else 1.0)
    pseudo = [[weight, weight], [weight, weight], [0.0, weight], [0.0, weight]]
    return np.vstack([rows, pseudo])


def difference_interval(rows: Array, seed: int = SEED, resamples: int = RESAMPLES) -> Interval:
    """Around the mean of paired differences, from the rows of `by_cluster`.

    One task is added on which either side is ahead, by as much as the sides differ where they
    do: for passed or not this is the interval of Bonett and Price.
    """
    pseudo = typical_difference(rows) * np.array([[1.0, 0.0], [-1.0, 0.0]])
    pseudo[:, 1] = rows[:, 1].mean()
    found = _percentiles(_resampled_means(np.vstack([rows, pseudo]), seed, resamples))
    return Interval(max(-1.0, found.low), min(1.0, found.high))


def typical_difference(rows: Array) -> float:
    """Root mean square of the differences that are not zero; a whole task where none is."""
    apart = rows[np.abs(rows[:, 0]) > 1e-12, 0]
    return float(np.sqrt(np.mean(apart**2))) if len(apart) else float(rows[:, 1].mean())


def _resampled_means(rows: Array, seed: int, resamples: int) -> Array:
    """Means over resamples of the rows, drawn with replacement.

    Rows that are equal are drawn as one with a count: the same distribution, and its cost
    depends on how many distinct scores there are, not on how many tasks.
    """
    distinct, counts = np.unique(rows.round(12), axis=0, return_counts=True)
    rng = np.random.default_rng(seed)
    block = max(1, _CELLS // len(distinct))
    totals = np.concatenate(
        [
            rng.multinomial(len(rows), counts / len(rows), size=min(block, resamples - start))
            @ distinct
            for start in range(0, resamples, block)
        ]
    )
    means: Array = totals[:, 0] / totals[:, 1]
    return means


def _percentiles(means: Array) -> Interval:
    low, high = np.quantile(means, [0.025, 0.975])
    return Interval(float(low), float(high))
