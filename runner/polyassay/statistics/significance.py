"""Tests of "no difference" between paired values, and what they could show at all."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import comb
from statistics import NormalDist

import numpy as np

from polyassay.statistics.intervals import SEED, Array, typical_difference

FLIPS = 50_000
ALPHA = 0.05
POWER = 0.80
FEWEST = 6  # differing tasks for a p under ALPHA at all: five on one side have 2 / 2**5 = 0.0625
_EXACT_UP_TO = 14  # differences: 2**14 sign patterns are fewer than FLIPS
_REACH = NormalDist().inv_cdf(1 - ALPHA / 2) + NormalDist().inv_cdf(POWER)


def mcnemar(ahead: int, behind: int) -> float:
    """Exact two-sided p: which side passed a task that only one passed is a fair coin."""
    tosses = ahead + behind
    tail = sum(comb(tosses, heads) for heads in range(min(ahead, behind) + 1))
    return min(1.0, float(2 * tail / 2**tosses))


def sign_flip(differences: Array, seed: int = SEED, flips: int = FLIPS) -> float:
    """Two-sided p: were the sides alike, either sign of each task's difference is as likely.

    Tasks with the same absolute difference are flipped as one binomial count. With few
    differences all sign patterns are tried, otherwise `flips` random ones.
    """
    sizes = np.abs(differences[np.abs(differences) > 1e-12]).round(12)
    seen = abs(differences.sum()) - 1e-9
    if len(sizes) == 0:
        return 1.0
    if len(sizes) <= _EXACT_UP_TO:
        signs = np.array(list(product((-1.0, 1.0), repeat=len(sizes))))
        return float(np.mean(np.abs(signs @ sizes) >= seen))
    values, counts = np.unique(sizes, return_counts=True)
    rng = np.random.default_rng(seed)
    ups = rng.binomial(counts, 0.5, size=(flips, len(values)))
    sums = (2 * ups - counts) @ values
    return float((1 + np.count_nonzero(np.abs(sums) >= seen)) / (1 + flips))


def holm(ps: Sequence[float]) -> list[float]:
    """Adjusted so that the chance of any false alarm among all of them stays at 5 %."""
    order = sorted(range(len(ps)), key=lambda i: ps[i])
    adjusted = [1.0] * len(ps)
    largest = 0.0
    for rank, i in enumerate(order):
        largest = max(largest, min(1.0, (len(ps) - rank) * ps[i]))
        adjusted[i] = largest
    return adjusted


@dataclass(frozen=True, slots=True)
class Reach:
    """What this many tasks can show, at 80 % power and a 5 % level."""

    detectable: float  # the smallest difference
    tasks_needed: int | None  # for the difference that was seen; None where it is zero
    effect: float  # Cohen's d of the paired differences


def reach(rows: Array) -> Reach:
    """From rows of (sum of differences, units) a task; smoothed as the interval is."""
    tasks, size = len(rows), rows[:, 1].mean()
    difference = rows[:, 0].sum() / rows[:, 1].sum()
    squares = (
        np.sum((rows[:, 0] - difference * rows[:, 1]) ** 2) + 2 * typical_difference(rows) ** 2
    )
    deviation = np.sqrt(squares / (tasks + 2)) / size
    needed = None
    if abs(difference) > 1e-12:
        needed = int(np.ceil((_REACH * deviation / difference) ** 2))
    return Reach(float(_REACH * deviation / np.sqrt(tasks)), needed, float(difference / deviation))
