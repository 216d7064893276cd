"""Which of two tools is better, by how much, and how sure that is; always on the same tasks."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np

from polyassay.errors import PolyAssayError
from polyassay.measures.groups import grouped
from polyassay.measures.passk import refuse_large_k
from polyassay.measures.scores import unit_pass_at_k
from polyassay.measures.units import Unit, UnitScore
from polyassay.statistics.intervals import (
    RESAMPLES,
    SEED,
    Interval,
    by_cluster,
    difference_interval,
)
from polyassay.statistics.significance import ALPHA, FLIPS, Reach, holm, mcnemar, reach, sign_flip

RATIO = "avg_pass_ratio"
MCNEMAR = "McNemar, exact"


class Answer(StrEnum):
    """About the second tool."""

    BETTER = "better"
    WORSE = "worse"
    CANNOT_TELL = "cannot tell"


@dataclass(frozen=True, slots=True)
class Paired:
    """One unit's values of one metric."""

    unit: Unit
    question: Hashable  # chance is drawn by questions
    a: float
    b: float

    @property
    def difference(self) -> float:
        return self.b - self.a


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric of both tools, over the units that both have."""

    units: int
    tasks: int  # fewer than the units where a task was asked in several prompt languages
    a: float
    b: float
    interval: Interval  # of the difference
    p: float
    p_adjusted: float
    test: str  # "McNemar, exact" or "sign-flip"
    ahead: int  # units on which the second tool does better
    behind: int
    reach: Reach

    @property
    def difference(self) -> float:
        return self.b - self.a

    @property
    def answer(self) -> Answer:
        """Only where the test and the interval agree, so that the two never contradict."""
        if self.p_adjusted >= ALPHA:
            return Answer.CANNOT_TELL
        if self.interval.low > 0:
            return Answer.BETTER
        return Answer.WORSE if self.interval.high < 0 else Answer.CANNOT_TELL


@dataclass(frozen=True, slots=True)
class Comparison:
    a: str
    b: str
    tasks: int  # units that both have
    metrics: Mapping[str, Metric]
    deciding: tuple[Paired, ...]  # units that differ, by the first metric, the largest first
    groups: Mapping[tuple[str, ...], Mapping[str, Metric]] = field(default_factory=dict)
    by: tuple[str, ...] = ()


def compare(
    a: tuple[str, Sequence[UnitScore]],
    b: tuple[str, Sequence[UnitScore]],
    ks: Sequence[int] = (1,),
    by: Sequence[str] = (),
    seed: int = SEED,
) -> Comparison:
    """Two named tools, from what `collect` returns for each."""
    names = tuple(name for name in by if name != "tool")
    for tool, units in (a, b):
        for k in ks:
            refuse_large_k(k, ((str(u.unit), len(u.samples)) for u in units), tool)
    pairs = _pairs(a[1], b[1])
    if not pairs:
        raise PolyAssayError(
            f"{a[0]} and {b[0]} have no task in common.",
            hint="Compare tools that answered the same suite in the same prompt language.",
        )
    if not _enough(pairs, ks):
        raise PolyAssayError(
            f"No task has {max(ks)} samples of both tools that count.",
            hint="Ask for a smaller k, or resume the run to retry its harness errors.",
        )
    metrics = _metrics(pairs, ks)
    first = next(iter(metrics))
    return Comparison(
        a=a[0],
        b=b[0],
        tasks=len(pairs),
        metrics={name: paired_metric(v.pairs, v.binary, seed) for name, v in metrics.items()},
        deciding=_deciding(metrics[first], metrics[RATIO]),
        groups=_groups(a[1], b[1], ks, names, seed) if names else {},
        by=names,
    )


Pair = tuple[UnitScore, UnitScore]


def share_tasks(a: Sequence[UnitScore], b: Sequence[UnitScore]) -> bool:
    """Whether there is anything to compare."""
    return bool(_pairs(a, b))


def _pairs(a: Sequence[UnitScore], b: Sequence[UnitScore]) -> list[Pair]:
    others = {score.unit: score for score in b if not score.left_out}
    return [(s, others[s.unit]) for s in a if not s.left_out and s.unit in others]


def _enough(pairs: Sequence[Pair], ks: Sequence[int]) -> bool:
    """Whether every pass@k has at least one task; harness errors may have taken its samples."""
    return any(all(unit_pass_at_k(side, max(ks)) is not None for side in pair) for pair in pairs)


def _metrics(pairs: Sequence[Pair], ks: Sequence[int]) -> dict[str, "_Values"]:
    once = all(len(side.samples) <= 1 for pair in pairs for side in pair)
    found = {}
    for k in ks:
        values = [(a, unit_pass_at_k(a, k), unit_pass_at_k(b, k)) for a, b in pairs]
        known = [
            Paired(a.unit, a.question, x, y)
            for a, x, y in values
            if x is not None and y is not None
        ]
        found[f"pass@{k}"] = _Values(known, binary=once)
    ratios = [Paired(a.unit, a.question, a.ratio, b.ratio) for a, b in pairs]
    found[RATIO] = _Values(ratios, binary=False)
    return found


@dataclass(frozen=True, slots=True)
class _Values:
    pairs: Sequence[Paired]
    binary: bool  # one sample each: passed or not


def paired_metric(
    pairs: Sequence[Paired],
    binary: bool,
    seed: int = SEED,
    resamples: int = RESAMPLES,
    flips: int = FLIPS,
) -> Metric:
    """One metric's comparison, not adjusted for others; `binary`: every value is 0 or 1."""
    differences = [pair.difference for pair in pairs]
    rows = by_cluster(differences, [pair.question for pair in pairs])
    ahead = sum(d > 1e-12 for d in differences)
    behind = sum(d < -1e-12 for d in differences)
    exact = binary and len(rows) == len(pairs)
    p = mcnemar(ahead, behind) if exact else sign_flip(rows[:, 0], seed, flips)
    return Metric(
        units=len(pairs),
        tasks=len(rows),
        a=float(np.mean([pair.a for pair in pairs])),
        b=float(np.mean([pair.b for pair in pairs])),
        interval=difference_interval(rows, seed, resamples),
        p=p,
        p_adjusted=p,
        test=MCNEMAR if exact else "sign-flip",
        ahead=ahead,
        behind=behind,
        reach=reach(rows),
    )


def _deciding(first: _Values, ratio: _Values) -> tuple[Paired, ...]:
    by_ratio = {pair.unit: abs(pair.difference) for pair in ratio.pairs}
    apart = [pair for pair in first.pairs if abs(pair.difference) > 1e-12]
    return tuple(sorted(apart, key=lambda p: (-abs(p.difference), -by_ratio[p.unit], p.unit)))


def _groups(
    a: Sequence[UnitScore], b: Sequence[UnitScore], ks: Sequence[int], by: Sequence[str], seed: int
) -> dict[tuple[str, ...], dict[str, Metric]]:
    """The metrics of every group that both have, adjusted over the groups."""
    of_a, of_b = grouped(a, by), grouped(b, by)
    shared = {label: _pairs(of_a[label], of_b[label]) for label in of_a if label in of_b}
    found = {
        label: {
            name: paired_metric(v.pairs, v.binary, seed) for name, v in _metrics(pairs, ks).items()
        }
        for label, pairs in shared.items()
        if _enough(pairs, ks)
    }
    for name in [*(f"pass@{k}" for k in ks), RATIO]:
        adjusted = holm([metrics[name].p for metrics in found.values()])
        for metrics, p in zip(found.values(), adjusted, strict=True):
            metrics[name] = replace(metrics[name], p_adjusted=p)
    return found
