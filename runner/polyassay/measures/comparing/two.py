"""Which of two tools is better, by how much, and how sure that is; always on the same units."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np

from polyassay.errors import PolyAssayError
from polyassay.measures.comparing.steps import is_passing, mean_step
from polyassay.measures.groups import grouped
from polyassay.measures.table import (
    RATIO,
    Measure,
    Of,
    measure,
    pass_at_names,
    refuse_missing_samples,
)
from polyassay.measures.units import Unit, UnitScore, distinct_tasks
from polyassay.statistics.clusters import (
    ALPHA,
    Array,
    Interval,
    Numbers,
    by_number,
    cluster_numbers,
)
from polyassay.statistics.paired import Difference, paired, too_few
from polyassay.statistics.power import detectable
from polyassay.statistics.significance import holm, levels


class Answer(StrEnum):
    """About the second tool."""

    BETTER = "better"
    WORSE = "worse"
    CANNOT_TELL = "cannot tell"


@dataclass(frozen=True, slots=True)
class Paired:
    """One unit's values of one measure."""

    unit: Unit
    cluster: Hashable  # chance is drawn by clusters
    a: float
    b: float

    @property
    def difference(self) -> float:
        return self.b - self.a


@dataclass(frozen=True, slots=True)
class Metric:
    """One measure of both tools, over the units of which both values are known."""

    measure: Measure
    units: int
    clusters: int  # fewer than the units where several belong together
    a: float
    b: float
    found: Difference
    p: float
    p_adjusted: float
    level: float  # at which it was tested, so that interval and answer go together
    ahead: int  # units on which the second tool has the higher value
    behind: int

    @property
    def difference(self) -> float:
        return self.b - self.a

    @property
    def interval(self) -> Interval:
        """Of the difference; it leaves out zero exactly where there is an answer."""
        return self.found.interval(self.level)

    @property
    def detectable(self) -> float | None:
        """The smallest difference that this many tasks show; None where they show none."""
        smallest = float(detectable(self.found))
        return None if np.isnan(smallest) else smallest

    @property
    def too_few(self) -> bool:
        """Whether so few tasks could not give an answer, whatever they showed."""
        return self.answer is Answer.CANNOT_TELL and too_few(self.clusters, self.level)

    @property
    def effect(self) -> float:
        """Cohen's d of the paired differences."""
        spread = float(self.found.error) * np.sqrt(float(self.found.clusters))
        return self.difference / float(spread)

    @property
    def answer(self) -> Answer:
        if self.p_adjusted >= ALPHA:
            return Answer.CANNOT_TELL
        higher = bool(self.found.centre > 0)
        return Answer.BETTER if higher == self.measure.more_is_better else Answer.WORSE


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Units that a comparison does not count."""

    only_one_asked: int = 0
    not_counted: int = 0  # not runnable, or lost to a harness error, for either tool
    unit: str = "task"  # what these are, where one task may be several prompts


@dataclass(frozen=True, slots=True)
class Comparison:
    a: str
    b: str
    tasks: int  # units that both have
    metrics: Mapping[str, Metric]
    deciding: tuple[Paired, ...]  # units that differ, by the first measure, the largest first
    left_out: LeftOut = LeftOut()
    groups: Mapping[tuple[str, ...], Mapping[str, Metric]] = field(default_factory=dict)
    by: tuple[str, ...] = ()
    distinct: int = 0  # tasks of the units, where one may be several units
    # Of each tool: what it has not answered, and so counts as failed.
    unanswered: tuple[frozenset[Unit], frozenset[Unit]] = (frozenset(), frozenset())

    @property
    def repeated(self) -> bool:
        """Whether a task counts more than once, as one in two prompt languages does."""
        return 0 < self.distinct < self.tasks


Pair = tuple[UnitScore, UnitScore]
Side = tuple[str, Sequence[UnitScore]]  # a tool, and what it did


def compare(
    a: Side,
    b: Side,
    ks: Sequence[int] = (1,),
    by: Sequence[str] = (),
    besides: Sequence[str] = (),
) -> Comparison:
    """Two named tools, from what `collect` returns for each; `besides`: more measures, by name."""
    names = tuple(name for name in by if name != "tool")
    chosen = compared_measures([*pass_at_names(ks), RATIO, *besides])
    for tool, units in (a, b):
        refuse_missing_samples(chosen, units, tool)
    pairs = pairs_of(a[1], b[1])
    if not pairs:
        raise PolyAssayError(
            f"{a[0]} and {b[0]} have no task in common.",
            hint="Compare tools that answered the same suite in the same prompt language.",
        )
    metrics = _metrics(pairs, chosen)
    for row in chosen:
        if row.name not in metrics:
            raise PolyAssayError(
                f"{row.title} is not known of any task of both tools.",
                hint="Ask for another measure, or resume the run to retry its harness errors.",
            )
    first = next(iter(metrics))
    return Comparison(
        a=a[0],
        b=b[0],
        tasks=len(pairs),
        distinct=distinct_tasks([side for side, _ in pairs]),
        metrics={
            name: paired_metric(of.pairs, of.measure, of.steps) for name, of in metrics.items()
        },
        deciding=_deciding(metrics[first], metrics[RATIO]),
        left_out=_left_out(a[1], b[1], len(pairs)),
        groups=_groups(a[1], b[1], chosen, names) if names else {},
        by=names,
        unanswered=(_without_answer(a[1]), _without_answer(b[1])),
    )


def _without_answer(units: Sequence[UnitScore]) -> frozenset[Unit]:
    return frozenset(unit.unit for unit in units if not unit.samples)


def compared_measures(names: Sequence[str]) -> list[Measure]:
    """Each once, where two tools can be told apart by it."""
    return [compared_measure(name) for name in dict.fromkeys(names)]


def compared_measure(name: str) -> Measure:
    """The row of this name, where two tools can be told apart by it."""
    row = measure(name)
    if row.of is Of.TOOL:
        raise PolyAssayError(
            f"{row.title} is of a whole tool, so chance cannot be told from it.",
            hint="`polyassay score` shows it; compare by a measure of samples or tasks.",
        )
    return row


def share_tasks(a: Sequence[UnitScore], b: Sequence[UnitScore]) -> bool:
    """Whether there is anything to compare."""
    return bool(pairs_of(a, b))


def pairs_of(a: Sequence[UnitScore], b: Sequence[UnitScore]) -> list[Pair]:
    others = {score.unit: score for score in b if not score.left_out}
    return [(s, others[s.unit]) for s in a if not s.left_out and s.unit in others]


def _left_out(a: Sequence[UnitScore], b: Sequence[UnitScore], compared: int) -> LeftOut:
    of_a, of_b = {score.unit for score in a}, {score.unit for score in b}
    every = of_a | of_b
    unit = "task" if len({unit.task_key for unit in every}) == len(every) else "prompt"
    return LeftOut(len(of_a ^ of_b), len(of_a & of_b) - compared, unit)


@dataclass(frozen=True, slots=True)
class _Values:
    measure: Measure
    pairs: Sequence[Paired]
    steps: tuple[float, float]  # by how much one sample of either tool can change a unit's value


def _metrics(pairs: Sequence[Pair], chosen: Sequence[Measure]) -> dict[str, _Values]:
    """The known values of each measure; measures of which nothing is known are left out."""
    found = {}
    for row in chosen:
        values = [(a, row.of_unit(a), row.of_unit(b)) for a, b in pairs]
        known = [
            Paired(a.unit, a.cluster, x, y) for a, x, y in values if x is not None and y is not None
        ]
        if known:
            first, second = zip(*pairs, strict=True)
            passing = is_passing(row, first) and is_passing(row, second)
            steps = (mean_step(first), mean_step(second)) if passing else (0.0, 0.0)
            found[row.name] = _Values(row, known, steps)
    return found


def paired_metric(
    pairs: Sequence[Paired], row: Measure, steps: tuple[float, float] = (0.0, 0.0)
) -> Metric:
    """One measure's comparison, not adjusted for others."""
    a, b = (np.array([getattr(pair, side) for pair in pairs]) for side in ("a", "b"))
    clusters = cluster_numbers([pair.cluster for pair in pairs])
    return metric_of(a, b, clusters, row, steps)


def metric_of(
    a: Array, b: Array, clusters: Numbers, row: Measure, steps: tuple[float, float]
) -> Metric:
    """The same from all values of either side, in one order, with the number of each cluster."""
    differences = b - a
    rows = by_number(differences, clusters)
    found = paired(rows[:, 0], rows[:, 1], steps, row.scale.span)
    p = float(found.p)
    return Metric(
        measure=row,
        units=len(differences),
        clusters=len(rows),
        a=float(np.mean(a)),
        b=float(np.mean(b)),
        found=found,
        p=p,
        p_adjusted=p,
        level=ALPHA,
        ahead=int(np.count_nonzero(differences > 1e-12)),
        behind=int(np.count_nonzero(differences < -1e-12)),
    )


def adjusted(metrics: Sequence[Metric]) -> list[Metric]:
    """The same comparisons, tested together after Holm, with the intervals that go with it."""
    ps = [metric.p for metric in metrics]
    together = zip(metrics, holm(ps), levels(ps), strict=True)
    return [replace(metric, p_adjusted=p, level=level) for metric, p, level in together]


def equally_adjusted(metrics: Sequence[Metric]) -> list[Metric]:
    """The same, tested together after Bonferroni: all intervals are of one level.

    Holm finds a little more, but of two groups it would show one with 97.5 % and one with 95 %.
    """
    count = len(metrics)
    return [replace(m, p_adjusted=min(1.0, count * m.p), level=ALPHA / count) for m in metrics]


def _deciding(first: _Values, ratio: _Values) -> tuple[Paired, ...]:
    by_ratio = {pair.unit: abs(pair.difference) for pair in ratio.pairs}
    apart = [pair for pair in first.pairs if abs(pair.difference) > 1e-12]
    return tuple(
        sorted(apart, key=lambda p: (-abs(p.difference), -by_ratio.get(p.unit, 0.0), p.unit))
    )


def _groups(
    a: Sequence[UnitScore], b: Sequence[UnitScore], chosen: Sequence[Measure], by: Sequence[str]
) -> dict[tuple[str, ...], dict[str, Metric]]:
    """The measures of every group that both have, adjusted over the groups."""
    of_a, of_b = grouped(a, by), grouped(b, by)
    shared = {label: pairs_of(of_a[label], of_b[label]) for label in of_a if label in of_b}
    found = {
        label: {
            name: paired_metric(of.pairs, of.measure, of.steps)
            for name, of in _metrics(pairs, chosen).items()
        }
        for label, pairs in shared.items()
        if pairs
    }
    for row in chosen:
        having = [metrics for metrics in found.values() if row.name in metrics]
        together = equally_adjusted([metrics[row.name] for metrics in having])
        for metrics, metric in zip(having, together, strict=True):
            metrics[row.name] = metric
    return found
