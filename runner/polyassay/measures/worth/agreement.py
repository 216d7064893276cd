"""How a measure goes along with passing, sample by sample and within tasks.

Every statistic takes weights, so that a resample of tasks is the same function with other
weights; with weights of one it equals scipy's.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from polyassay.measures.worth.resampling import (
    RESAMPLES,
    SEED,
    Array,
    Indices,
    draws,
    numbered,
    percentiles,
    resampled,
)
from polyassay.statistics.clusters import Interval

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Agreed:
    """A coefficient; unknown where one side does not vary."""

    value: float | None
    interval: Interval | None
    n: int  # what it is made of: samples, tasks or tools


class Ranked:
    """Values in order with whether their samples passed, for an AUC under any weights."""

    def __init__(self, values: Array, passed: Array) -> None:
        self._order = np.argsort(values, kind="stable")
        ordered = values[self._order]
        self._starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
        self._passed = passed[self._order]

    def auc(self, weights: Array) -> float:
        """The chance that a pass has a higher value than a failure; ties count half."""
        if not len(weights):
            return float("nan")
        ordered = weights[self._order]
        passes = np.add.reduceat(ordered * self._passed, self._starts)
        fails = np.add.reduceat(ordered * (1 - self._passed), self._starts)
        below = np.cumsum(fails) - fails / 2
        pairs = passes.sum() * fails.sum()
        return float((passes * below).sum() / pairs) if pairs else float("nan")


def point_biserial(values: Array, passed: Array, weights: Array) -> float:
    """Pearson's correlation with passing."""
    total = weights.sum()
    x = values - (weights * values).sum() / total
    y = passed - (weights * passed).sum() / total
    spread = np.sqrt((weights * x * x).sum() * (weights * y * y).sum())
    return float((weights * x * y).sum() / spread) if spread > 1e-12 else float("nan")


def auc(
    values: Sequence[float],
    passed: Sequence[bool],
    clusters: Sequence[Hashable],
    resamples: int = RESAMPLES,
) -> Agreed:
    return _agreed(
        Ranked(np.asarray(values, float), np.asarray(passed, float)).auc, clusters, resamples
    )


def correlation(
    values: Sequence[float],
    passed: Sequence[bool],
    clusters: Sequence[Hashable],
    resamples: int = RESAMPLES,
) -> Agreed:
    """Point-biserial."""
    x, y = np.asarray(values, float), np.asarray(passed, float)
    return _agreed(lambda weights: point_biserial(x, y, weights), clusters, resamples)


def auc_within(
    values: Sequence[float],
    passed: Sequence[bool],
    tasks: Sequence[Hashable],
    clusters: Sequence[Hashable],
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Agreed:
    """The mean of the AUCs of tasks in which some samples pass and some fail.

    That leaves out how hard and how long tasks are, which a pooled figure has in it.
    """
    x, y, index = np.asarray(values, float), np.asarray(passed, float), numbered(tasks)
    found, of_cluster = [], []
    for rows in _groups(index):
        if 0 < y[rows].sum() < len(rows):
            found.append(Ranked(x[rows], y[rows]).auc(np.ones(len(rows))))
            of_cluster.append(clusters[int(rows[0])])
    if not found:
        return Agreed(None, None, 0)
    aucs, numbers = np.array(found), numbered(of_cluster)
    count = int(numbers.max()) + 1
    sums = np.bincount(numbers, weights=aucs)
    sizes = np.bincount(numbers).astype(float)
    weights = draws(count, resamples, seed)
    interval = percentiles((weights @ sums) / (weights @ sizes)) if count > 1 else None
    return Agreed(float(aucs.mean()), interval, len(aucs))


def _groups(index: Indices) -> list[Indices]:
    if not len(index):
        return []
    order = np.argsort(index, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(index[order])) + 1)


def _agreed(of: Callable[[Array], float], clusters: Sequence[Hashable], resamples: int) -> Agreed:
    """A weighted figure with the interval that drawing clusters gives; none where none is."""
    n = len(clusters)
    found = of(np.ones(n)) if n else float("nan")
    if not np.isfinite(found):
        return Agreed(None, None, n)
    return Agreed(found, resampled(numbered(clusters), of, resamples, SEED), n)


@dataclass(frozen=True, slots=True)
class Quintile:
    low: float
    high: float
    samples: int
    passed: int


def quintiles(values: Sequence[float], passed: Sequence[bool]) -> list[Quintile]:
    """The pass rate in five parts of equal size; fewer parts where values are equal."""
    x, y = np.asarray(values, float), np.asarray(passed, float)
    if not len(x):
        return []
    edges = np.unique(np.quantile(x, [0.2, 0.4, 0.6, 0.8], method="inverted_cdf"))
    parts = np.searchsorted(edges, x, side="left")
    return [
        Quintile(float(of.min()), float(of.max()), len(of), int(y[parts == part].sum()))
        for part in np.unique(parts)
        for of in [x[parts == part]]
    ]


@dataclass(frozen=True, slots=True)
class BestThreshold:
    value: float  # the one that is best on all samples
    accuracy: float  # balanced, on tasks that had no say in choosing it


def best_threshold(
    values: Sequence[float], passed: Sequence[bool], clusters: Sequence[Hashable], folds: int = 5
) -> BestThreshold | None:
    """How well `value > threshold` tells passes from failures, cross-validated by cluster."""
    x, y, index = np.asarray(values, float), np.asarray(passed, bool), numbered(clusters)
    if not len(x) or y.all() or not y.any():
        return None
    rng = np.random.default_rng(SEED)
    fold = rng.permutation(int(index.max()) + 1)[index] % folds
    said = np.zeros(len(x), bool)
    for one in range(folds):
        learn = fold != one
        if y[learn].any() and not y[learn].all():
            said[~learn] = x[~learn] > _threshold(x[learn], y[learn])
    accuracy = (said[y].mean() + (~said)[~y].mean()) / 2
    return BestThreshold(_threshold(x, y), float(accuracy))


def _threshold(x: Array, y: Flags) -> float:
    """The value above which to say "passes", by balanced accuracy."""
    levels = np.unique(x)
    passes = np.searchsorted(np.sort(x[y]), levels, side="right")
    fails = np.searchsorted(np.sort(x[~y]), levels, side="right")
    accuracy = (1 - passes / y.sum()) + fails / (~y).sum()
    return float(levels[int(np.argmax(accuracy))])
