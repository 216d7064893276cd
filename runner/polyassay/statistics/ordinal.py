"""An ordinal mixed model: scores on a scale without assuming that its steps are equally wide.

The chance of a score up to a point is logistic in that point's threshold less the effects of the
row (which tool, which grader) and of its cluster (the task), and clusters are drawn from a normal
distribution. The likelihood integrates clusters out by Gauss-Hermite quadrature around each
cluster's own mode. `ordinal::clmm` of R fits the same model; a test holds this against it.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from polyassay.statistics.clusters import ALPHA, Array, Interval

Whole = NDArray[np.int64]

_POINTS = 15
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(_POINTS)
_LOG_WEIGHTS = np.log(_WEIGHTS) - np.log(np.sqrt(2 * np.pi))
_SMALL = 1e-12


@dataclass(frozen=True, slots=True)
class OrdinalFit:
    effects: Array  # of the columns, in log odds of a higher score
    errors: Array  # their standard errors
    thresholds: Array
    spread: float  # standard deviation of clusters
    log_likelihood: float
    converged: bool

    def interval(self, column: int) -> Interval:
        half = float(special.ndtri(1 - ALPHA / 2) * self.errors[column])
        return Interval(float(self.effects[column]) - half, float(self.effects[column]) + half)

    def p(self, column: int) -> float:
        return float(2 * special.ndtr(-abs(self.effects[column] / self.errors[column])))


def fit_ordinal(
    scores: Sequence[int], columns: Array, clusters: Sequence[Hashable]
) -> OrdinalFit | None:
    """`columns` has a row a score and a column an effect; none where nothing can be told."""
    levels, ranks = np.unique(np.asarray(scores), return_inverse=True)
    numbers: dict[Hashable, int] = {}
    group = np.array([numbers.setdefault(cluster, len(numbers)) for cluster in clusters])
    with_constant = np.column_stack([np.ones(len(ranks)), columns])
    if len(levels) < 2 or len(numbers) < 2:
        return None
    if np.linalg.matrix_rank(with_constant) < with_constant.shape[1]:
        return None  # effects that cannot be told apart: one grader a tool, say
    problem = _Problem(ranks.astype(np.int64), np.asarray(columns, float), group, len(levels) - 1)
    start = problem.start()
    from scipy import optimize  # only here: it takes half a second to import

    found = optimize.minimize(problem.loss, start, method="BFGS", options={"gtol": 1e-4})
    covariance = _inverse(_hessian(problem.loss, found.x))
    errors = np.sqrt(np.diag(covariance))[problem.effects] if covariance is not None else None
    if errors is None or not np.isfinite(errors).all():
        return None
    return OrdinalFit(
        found.x[problem.effects],
        errors,
        problem.thresholds(found.x),
        float(np.exp(found.x[-1])),
        -float(found.fun),
        bool(found.success or np.abs(found.jac).max() < 1e-2),
    )


class _Problem:
    """Parameters: the first threshold, logarithms of the steps to the others, effects, log sd."""

    def __init__(self, ranks: Whole, columns: Array, group: Whole, cuts: int) -> None:
        self.ranks, self.columns, self.group, self.cuts = ranks, columns, group, cuts
        self.effects = slice(cuts, cuts + columns.shape[1])
        self.groups = int(group.max()) + 1

    def start(self) -> Array:
        shares = np.cumsum(np.bincount(self.ranks, minlength=self.cuts + 1))[:-1] / len(self.ranks)
        cuts = special.logit(shares)
        steps = np.log(np.maximum(np.diff(cuts), 1e-3))
        return np.concatenate([cuts[:1], steps, np.zeros(self.columns.shape[1]), [-0.7]])

    def thresholds(self, x: Array) -> Array:
        found: Array = np.cumsum(np.concatenate([x[:1], np.exp(x[1 : self.cuts])]))
        return found

    def loss(self, x: Array) -> float:
        """The negative logarithm of the likelihood."""
        cuts = np.concatenate([[-np.inf], self.thresholds(x), [np.inf]])
        means = self.columns @ x[self.effects]
        upper, lower = cuts[self.ranks + 1] - means, cuts[self.ranks] - means
        spread = float(np.exp(np.clip(x[-1], -12, 4)))
        mode, width = self._modes(upper, lower, spread)
        at = mode[:, None] + width[:, None] * _NODES  # nodes of each cluster
        rows = _chance(upper[:, None] - at[self.group], lower[:, None] - at[self.group])
        terms = np.zeros((self.groups, _POINTS))
        np.add.at(terms, self.group, np.log(rows))
        normal = -((at / spread) ** 2) / 2 - np.log(spread) + np.log(width)[:, None]
        return -float(
            special.logsumexp(terms + normal + _LOG_WEIGHTS + _NODES**2 / 2, axis=1).sum()
        )

    def _modes(self, upper: Array, lower: Array, spread: float) -> tuple[Array, Array]:
        """Where each cluster's integrand is highest, and how wide it is there."""
        at = np.zeros(self.groups)
        curve = np.full(self.groups, 1 / spread**2)
        for _ in range(12):
            high, low = upper - at[self.group], lower - at[self.group]
            f_high, f_low = special.expit(high), special.expit(low)
            # Of log(F(upper - u) - F(lower - u)) for the logistic F.
            slope = -(1 - f_high - f_low)
            bend = f_high * (1 - f_high) + f_low * (1 - f_low)
            gradient = np.bincount(self.group, slope, self.groups) - at / spread**2
            curve = np.bincount(self.group, bend, self.groups) + 1 / spread**2
            at = at + np.clip(gradient / curve, -2, 2)
        return at, 1 / np.sqrt(curve)


def _chance(upper: Array, lower: Array) -> Array:
    found: Array = np.maximum(special.expit(upper) - special.expit(lower), _SMALL)
    return found


def _hessian(loss: Callable[[Array], float], x: Array) -> Array:
    """By central differences."""
    step = 1e-4 * np.maximum(1.0, np.abs(x))
    size = len(x)
    found = np.empty((size, size))

    def at(*moves: tuple[int, float]) -> float:
        moved = x.copy()
        for index, sign in moves:
            moved[index] += sign * step[index]
        return loss(moved)

    for i in range(size):
        for j in range(i + 1):
            four = at((i, 1), (j, 1)) - at((i, 1), (j, -1)) - at((i, -1), (j, 1))
            found[i, j] = found[j, i] = (four + at((i, -1), (j, -1))) / (4 * step[i] * step[j])
    return found


def _inverse(hessian: Array) -> Array | None:
    """A cluster spread at zero has a flat direction, which the pseudo-inverse leaves out."""
    try:
        found = np.asarray(np.linalg.pinv(hessian, rcond=1e-8), dtype=np.float64)
    except np.linalg.LinAlgError:
        return None
    return found if (np.diag(found) >= 0).all() else None
