"""Values by cluster: what goes along with each other is drawn together."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

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
    numbers: dict[Hashable, int] = {}
    index = [numbers.setdefault(cluster, len(numbers)) for cluster in clusters]
    return np.stack(
        [
            np.bincount(index, weights=np.asarray(values, float), minlength=len(numbers)),
            np.bincount(index, minlength=len(numbers)).astype(float),
        ],
        axis=1,
    )
