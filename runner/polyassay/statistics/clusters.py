"""Values by cluster: what goes along with each other is drawn together."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Numbers = NDArray[np.intp]

ALPHA = 0.05  # how often an answer may be false, and an interval miss
POWER = 0.80


@dataclass(frozen=True, slots=True)
class Interval:
    low: float
    high: float

    def overlaps(self, other: "Interval") -> bool:
        return self.low <= other.high and other.low <= self.high


def by_cluster(values: Sequence[float], clusters: Sequence[Hashable]) -> Array:
    """One row a cluster: the sum of its values, and how many there are."""
    return by_number(np.asarray(values, float), cluster_numbers(clusters))


def cluster_numbers(clusters: Sequence[Hashable]) -> Numbers:
    """Clusters as numbers from 0 on, in the order in which they come up."""
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(cluster, len(numbers)) for cluster in clusters], np.intp)


def renumbered(numbers: Numbers) -> Numbers:
    """The same clusters as `cluster_numbers` numbers them where only these are left."""
    _, first, place = np.unique(numbers, return_index=True, return_inverse=True)
    order = np.empty(len(first), np.intp)
    order[np.argsort(first)] = np.arange(len(first))
    return order[place]


def by_number(values: Array, numbers: Numbers) -> Array:
    """As `by_cluster`, with clusters as numbers."""
    return np.stack(
        [np.bincount(numbers, weights=values), np.bincount(numbers).astype(float)], axis=1
    )
