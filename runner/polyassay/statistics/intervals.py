"""95 % intervals around the mean of one tool.

A plain interval is too narrow where nearly all tasks pass or fail, and of no width where all do.
So two clusters that have all and two that have nothing are added, as Agresti and Coull do for a
share: docs/statistics.md shows what that buys.
"""

import numpy as np
from scipy import special

from polyassay.statistics.clusters import ALPHA, Array, Interval

__all__ = ["Interval", "mean_interval", "two_means_interval"]

_PRIOR = 10.0  # clusters' worth of belief that scores vary as much as those of a coin
_ADDED = 4.0


def mean_ends(
    sums: Array, sizes: Array, low: float | None = 0.0, high: float | None = 1.0
) -> tuple[Array, Array]:
    """Around means of values between `low` and `high`; the last axis holds the clusters."""
    centre, error, degrees = _moments(sums, sizes, low, high)
    half = special.stdtrit(degrees, 1 - ALPHA / 2) * error
    floor, ceiling = -np.inf if low is None else low, np.inf if high is None else high
    return np.maximum(centre - half, floor), np.minimum(centre + half, ceiling)


def mean_interval(rows: Array, low: float | None = 0.0, high: float | None = 1.0) -> Interval:
    """Around the mean of values between `low` and `high`, from the rows of `by_cluster`."""
    ends = mean_ends(rows[:, 0], rows[:, 1], low, high)
    return Interval(float(ends[0]), float(ends[1]))


def two_means_interval(
    first: Array, second: Array, low: float | None = 0.0, high: float | None = 1.0
) -> Interval:
    """Around the difference of two means over different tasks, after Welch."""
    (a, error_a, n), (b, error_b, m) = (
        _moments(r[:, 0], r[:, 1], low, high) for r in (first, second)
    )
    square = error_a**2 + error_b**2
    if not 0 < square < np.inf:  # without ends: one cluster, or none that differs
        return Interval(float(a - b - square), float(a - b + square))
    degrees = square**2 / (error_a**4 / n + error_b**4 / m)
    half = special.stdtrit(degrees, 1 - ALPHA / 2) * np.sqrt(square)
    span = np.inf if low is None or high is None else high - low
    return Interval(float(max(-span, a - b - half)), float(min(span, a - b + half)))


def _moments(
    sums: Array, sizes: Array, low: float | None, high: float | None
) -> tuple[Array, Array, Array]:
    """Mean, standard error and degrees of freedom."""
    sizes = np.broadcast_to(sizes, sums.shape)
    count, units = sums.shape[-1], sizes.sum(-1)
    degrees = np.maximum(units**2 / (sizes**2).sum(-1) - 1, 1.0)
    mean = sums.sum(-1) / units
    squares = ((sums - mean[..., None] * sizes) ** 2).sum(-1)
    if low is None or high is None:
        # Without ends there is nothing to add. One cluster says nothing about the spread.
        error = np.sqrt(squares * count / max(1, count - 1)) / units
        return mean, np.where(count > 1, error, np.inf), degrees
    size = units / count
    weight = size * _like_coins((sums - low * sizes) / (high - low), sizes, size)
    total = units + _ADDED * weight
    centre = (sums.sum(-1) + _ADDED / 2 * weight * (low + high)) / total
    rest = ((sums - centre[..., None] * sizes) ** 2).sum(-1)
    rest += _ADDED / 2 * weight**2 * ((high - centre) ** 2 + (low - centre) ** 2)
    return centre, np.sqrt(rest) / total, degrees


def _like_coins(sums: Array, sizes: Array, size: Array) -> Array:
    """How much scores between 0 and 1 vary, against coins of the same mean: 1 for passed or not.

    A ratio of ten tests says more than one test does, so what is added weighs less. With few
    clusters little is known about that, so some coins are mixed in.
    """
    count = sums.shape[-1]
    mean = (sums.sum(-1) + _PRIOR / 2 * size) / (size * (count + _PRIOR))
    spread = ((sums - mean[..., None] * sizes) ** 2).sum(-1) / size**2
    spread += _PRIOR / 2 * ((1 - mean) ** 2 + mean**2)
    found: Array = spread / ((count + _PRIOR) * mean * (1 - mean))
    return found
