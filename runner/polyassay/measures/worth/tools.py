"""Whether a measure puts tools into the order in which tests put them."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from polyassay.measures.worth.agreement import Agreed
from polyassay.measures.worth.resampling import (
    RESAMPLES,
    SEED,
    Array,
    draws,
    numbered,
    percentiles,
)

Statistic = Callable[[Array, Array], float]

FEW = 5  # with fewer tools an interval says little


@dataclass(frozen=True, slots=True)
class Pair:
    a: str
    b: str
    measure: float  # b minus a
    tests: float
    agree: bool


@dataclass(frozen=True, slots=True)
class Ranking:
    tau: Agreed  # Kendall's tau-b
    pearson: Agreed
    agreement: Agreed  # the share of pairs of tools that both decide alike
    pairs: tuple[Pair, ...]


def kendall_tau_b(x: Array, y: Array) -> float:
    signs_x, signs_y = np.sign(x[:, None] - x[None, :]), np.sign(y[:, None] - y[None, :])
    upper = np.triu_indices(len(x), 1)
    a, b = signs_x[upper], signs_y[upper]
    spread = np.sqrt((a**2).sum() * (b**2).sum())
    return float((a * b).sum() / spread) if spread else float("nan")


def rank_tools(
    measure: Mapping[str, Mapping[Hashable, float]],
    tests: Mapping[str, Mapping[Hashable, float]],
    clusters: Mapping[Hashable, Hashable],
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Ranking | None:
    """From each tool's values by unit, over the units that all tools have; none with one tool.

    Units are resampled by cluster, the same for every tool and for both sides.
    """
    tools = sorted(measure.keys() & tests.keys())
    sides = [side[tool] for side in (measure, tests) for tool in tools]
    units = sorted(set.intersection(*(set(side) for side in sides)), key=str) if sides else []
    if len(tools) < 2 or not units:
        return None
    index = numbered([clusters[unit] for unit in units])
    x = np.array([[measure[tool][unit] for unit in units] for tool in tools])
    y = np.array([[tests[tool][unit] for unit in units] for tool in tools])
    weights = draws(int(index.max()) + 1, resamples, seed)[:, index]
    means = [(side @ weights.T) / weights.sum(1) for side in (x, y)]
    whole = x.mean(1), y.mean(1)

    def agreed(statistic: Statistic) -> Agreed:
        value = statistic(*whole)
        if not np.isfinite(value):
            return Agreed(None, None, len(tools))
        drawn = np.array([statistic(means[0][:, i], means[1][:, i]) for i in range(resamples)])
        return Agreed(value, percentiles(drawn), len(tools))

    pairs = tuple(
        Pair(tools[i], tools[j], float(dx), float(dy), bool(np.sign(dx) == np.sign(dy)))
        for i, j in combinations(range(len(tools)), 2)
        for dx, dy in [(whole[0][j] - whole[0][i], whole[1][j] - whole[1][i])]
    )
    return Ranking(agreed(kendall_tau_b), agreed(_pearson), agreed(_decided_alike), pairs)


def _decided_alike(x: Array, y: Array) -> float:
    upper = np.triu_indices(len(x), 1)
    a = np.sign(x[None, :] - x[:, None])[upper]
    b = np.sign(y[None, :] - y[:, None])[upper]
    return float((a == b).mean())


def _pearson(x: Array, y: Array) -> float:
    if np.ptp(x) < 1e-12 or np.ptp(y) < 1e-12:
        return float("nan")
    return float(np.corrcoef(x, y)[0, 1])
