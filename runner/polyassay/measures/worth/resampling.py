"""Intervals by resampling clusters: all samples of a cluster are drawn together."""

from collections.abc import Callable, Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from polyassay.statistics.clusters import ALPHA, Interval

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

RESAMPLES = 1000
SEED = 1


def numbered(clusters: Sequence[Hashable]) -> Indices:
    """Clusters as numbers, in the order in which they appear."""
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(cluster, len(numbers)) for cluster in clusters], int)


def draws(clusters: int, resamples: int = RESAMPLES, seed: int = SEED) -> Array:
    """One row a resample: how often each cluster was drawn."""
    rng = np.random.default_rng(seed)
    drawn = rng.multinomial(clusters, np.full(clusters, 1 / clusters), size=resamples)
    return drawn.astype(float)


def percentiles(values: Array) -> Interval | None:
    """Of what resamples gave; none where most of them gave nothing."""
    known = values[np.isfinite(values)]
    if len(known) < 0.5 * len(values) or not len(known):
        return None
    low, high = np.quantile(known, [ALPHA / 2, 1 - ALPHA / 2])
    return Interval(float(low), float(high))


def resampled(
    clusters: Indices,
    statistic: Callable[[Array], float],
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Interval | None:
    """`statistic` is given one weight a sample: how often its cluster was drawn."""
    if not len(clusters):
        return None
    weights = draws(int(clusters.max()) + 1, resamples, seed)
    with np.errstate(invalid="ignore", divide="ignore"):
        return percentiles(np.array([statistic(row[clusters]) for row in weights]))
