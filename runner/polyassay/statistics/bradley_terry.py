"""Strengths from choices between two, ties included: Bradley and Terry's model, after Davidson.

Of tools with strengths i and j (in log odds), the first is chosen with weight exp(d / 2), the
second with exp(-d / 2), neither with exp(tie), where d = i - j + side: who leans to the left
prefers whatever stands there, and that is taken out. Errors are clustered (sandwich), because
choices about one task go along with each other. Of every two that met, half a win of either is
added, so that a tool that always wins has a strength, as `paired` adds clusters.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from polyassay.statistics.clusters import ALPHA, Array, Interval
from polyassay.statistics.paired import two_sided

PRIOR = 0.5  # wins of either that are added to every two that met
_STEPS, _CLOSE = 100, 1e-10


@dataclass(frozen=True, slots=True)
class Choices:
    """One row a choice between two tools, which are numbers from 0."""

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    outcome: NDArray[np.int64]  # 1: the left one, 0: neither, -1: the right one
    clusters: Sequence[Hashable]
    tools: int


@dataclass(frozen=True, slots=True)
class BradleyTerry:
    strengths: Array  # log odds against an average tool; they sum to zero
    covariance: Array  # of the strengths
    tie: float | None  # log weight of a tie; none where there was none
    side: float  # log odds for whatever stands on the left
    side_error: float
    clusters: int

    def difference(self, first: int, second: int) -> tuple[float, float]:
        """How much stronger the first is than the second, and the standard error of that."""
        c = self.covariance
        square = c[first, first] + c[second, second] - 2 * c[first, second]
        return float(self.strengths[first] - self.strengths[second]), float(np.sqrt(square))

    def interval(self, value: float, error: float, level: float = ALPHA) -> Interval:
        half = float(special.stdtrit(self.degrees, 1 - level / 2)) * error
        return Interval(value - half, value + half)

    def p(self, value: float, error: float) -> float:
        return float(two_sided(value / error, self.degrees))

    @property
    def degrees(self) -> int:
        return max(1, self.clusters - 1)


def fit(choices: Choices, prior: float = PRIOR) -> BradleyTerry:
    """By Newton's method; every tool must have met every other, if only through others."""
    rows = _Rows.of(choices, prior)
    beta = np.zeros(rows.designs.shape[2])
    for _ in range(_STEPS):
        scores, information = rows.derivatives(beta)
        step = np.linalg.solve(information, (scores * rows.weights[:, None]).sum(0))
        beta = beta + np.clip(step, -3, 3)
        if np.abs(step).max() < _CLOSE:
            break
    scores, information = rows.derivatives(beta)
    covariance = _sandwich(scores * rows.weights[:, None], information, rows.clusters)
    return _centred(beta, covariance, choices, rows)


@dataclass(frozen=True, slots=True)
class _Rows:
    """Each row's three designs: left chosen, right chosen, neither."""

    designs: Array  # row, outcome, parameter
    chosen: NDArray[np.int64]
    weights: Array
    clusters: NDArray[np.int64]
    ties: bool

    @classmethod
    def of(cls, choices: Choices, prior: float) -> "_Rows":
        seen = np.stack([choices.left, choices.right], 1)
        met = np.unique(np.sort(seen, axis=1), axis=0)
        met = np.concatenate([met, met[:, ::-1]]) if prior else met[:0]  # each once on either side
        sides = np.concatenate([seen, met, met])
        outcome = np.concatenate([choices.outcome, np.repeat([1, -1], len(met))])
        numbers: dict[Hashable, int] = {}
        known = [numbers.setdefault(cluster, len(numbers)) for cluster in choices.clusters]
        added = range(len(numbers), len(numbers) + 2 * len(met))
        ties = bool((choices.outcome == 0).any())
        return cls(
            _designs(sides, choices.tools, ties),
            np.where(outcome == 1, 0, np.where(outcome == -1, 1, 2)),
            np.concatenate([np.ones(len(seen)), np.full(len(added), prior / 2)]),
            np.array([*known, *added]),
            ties,
        )

    def derivatives(self, beta: Array) -> tuple[Array, Array]:
        """Every row's score, and the information of all."""
        utility = self.designs @ beta
        if not self.ties:
            utility[:, 2] = -np.inf
        chance = special.softmax(utility, axis=1)
        mean = (chance[:, :, None] * self.designs).sum(1)
        score = np.take_along_axis(self.designs, self.chosen[:, None, None], 1)[:, 0] - mean
        weighted = chance * self.weights[:, None]
        second = np.einsum("rk,rki,rkj->ij", weighted, self.designs, self.designs)
        information = second - np.einsum("r,ri,rj->ij", self.weights, mean, mean)
        return score, information


def _designs(sides: NDArray[np.int64], tools: int, ties: bool) -> Array:
    """Parameters: all tools but the first, the side, and the tie where there is one."""
    count = len(sides)
    apart = np.zeros((count, tools + 1))  # the tools, then the side
    rows = np.arange(count)
    apart[rows, sides[:, 0]] += 1
    apart[rows, sides[:, 1]] -= 1
    apart[:, tools] = 1
    apart = apart[:, 1:]
    designs = np.zeros((count, 3, tools + ties))
    designs[:, 0, :tools] = apart / 2
    designs[:, 1, :tools] = -apart / 2
    if ties:
        designs[:, 2, tools] = 1
    return designs


def _sandwich(scores: Array, information: Array, clusters: NDArray[np.int64]) -> Array:
    count = int(clusters.max()) + 1
    sums = np.zeros((count, scores.shape[1]))
    np.add.at(sums, clusters, scores)
    bread = np.linalg.inv(information)
    found: Array = bread @ (sums.T @ sums) @ bread * count / max(1, count - 1)
    return found


def _centred(beta: Array, covariance: Array, choices: Choices, rows: _Rows) -> BradleyTerry:
    """From strengths against the first tool to strengths against the average."""
    tools = choices.tools
    turn = np.eye(tools)[:, 1:] - 1 / tools
    side = tools - 1
    own = slice(0, side)
    return BradleyTerry(
        turn @ beta[own],
        turn @ covariance[own, own] @ turn.T,
        float(beta[tools]) if rows.ties else None,
        float(beta[side]),
        float(np.sqrt(covariance[side, side])),
        len(set(choices.clusters)),
    )
