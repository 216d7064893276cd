"""Intervals of figures that have no formula of their own: leave out one group after the other."""

from collections.abc import Callable, Hashable, Sequence

import numpy as np
from scipy import special

from polyassay.statistics.clusters import ALPHA, Interval

GROUPS = 40  # clusters are put into at most so many groups, because every figure costs time


def jackknife(
    figure: Callable[[Sequence[Hashable]], float | None],
    clusters: Sequence[Hashable],
    ends: tuple[float, float] = (-1.0, 1.0),
    level: float = ALPHA,
) -> Interval | None:
    """`figure` is computed of some clusters; none where it, or too much of it, is not defined."""
    whole = figure(clusters)
    count = min(GROUPS, len(clusters))
    if whole is None or count < 3:
        return None
    without = [
        figure([cluster for n, cluster in enumerate(clusters) if n % count != group])
        for group in range(count)
    ]
    known = np.array([value for value in without if value is not None])
    if len(known) < max(3, 0.9 * count):
        return None
    size = len(known)
    error = float(np.sqrt((size - 1) / size * ((known - known.mean()) ** 2).sum()))
    half = float(special.stdtrit(size - 1, 1 - level / 2)) * error
    return Interval(max(ends[0], whole - half), min(ends[1], whole + half))
