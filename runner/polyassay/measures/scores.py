"""The score table: every measure and the counts, by tool and by group."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TypeVar

from polyassay.errors import PolyAssayError
from polyassay.measures.groups import grouped
from polyassay.measures.table import (
    Measure,
    Of,
    measure,
    pass_at_names,
    refuse_missing_samples,
    usual,
)
from polyassay.measures.taxonomy import Failure
from polyassay.measures.units import Sample, Scores, UnitScore, same_for_all
from polyassay.model import Judging, Outcome
from polyassay.statistics.clusters import by_cluster
from polyassay.statistics.intervals import Interval, mean_interval

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measure of one tool; both are None where nothing is known."""

    value: float | None
    interval: Interval | None = None
    known: int = 0  # units whose value is known

    @property
    def number(self) -> float:
        """The value for sorting and drawing; what is unknown comes last."""
        return -1.0 if self.value is None else self.value


@dataclass(frozen=True, slots=True)
class ToolScore:
    """One tool's figures over one group of units."""

    tasks: int  # units in the denominators, those without an answer included
    samples: int  # candidates that count
    unanswered: int  # units
    left_out: Mapping[Outcome, int]  # units that enter no figure of any tool, and why
    passed_tasks: int  # the first sample passes
    solved: int  # any sample passes
    estimates: Mapping[str, Estimate]  # measure → its value
    pass_ratio_sum: float
    judged: Mapping[Judging, int]
    outcomes: Mapping[Outcome, int]
    flags: Mapping[str, int]
    failures: Mapping[Failure, int]  # answers, missing ones included
    prompt_languages: tuple[str, ...] = ()  # in which the tool was asked
    most_samples: int = 0  # of a unit
    sets_used: Mapping[str, int] = field(default_factory=dict)  # assertion set → samples
    sets_per_task: float = 0.0  # distinct sets over the samples of a solved task, mean

    def __getitem__(self, name: str) -> Estimate:
        return self.estimates[name]

    @property
    def share_apart(self) -> float:
        """How much of what was judged was judged out of the candidates' reach."""
        return self.judged.get(Judging.APART, 0) / max(1, sum(self.judged.values()))


@dataclass(frozen=True, slots=True)
class Row:
    tool: str
    group: Mapping[str, str]  # without the tool
    score: ToolScore


@dataclass(frozen=True, slots=True)
class ScoreTable:
    by: tuple[str, ...]  # without the tool
    measures: tuple[Measure, ...]  # those of which any value is known
    rows: tuple[Row, ...]
    comparable: bool = True  # whether all tools were asked the same units


def score_table(
    scores: Scores,
    ks: Sequence[int] = (1,),
    by: Sequence[str] = (),
    besides: Sequence[str] = (),
    within: Sequence[str] = (),
) -> ScoreTable:
    """Every tool's figures, from what `collect` returns; `besides`: more measures, by name.

    A tool with too few samples for a measure has no value of it, and what no tool has enough for
    is refused; `within`: groups of which one with enough will do.
    """
    names = tuple(name for name in by if name != "tool")
    chosen = usual(ks, besides)
    even = same_for_all(scores)
    rows = [
        Row(tool, dict(zip(names, labels, strict=True)), score(members, chosen))
        for tool, units in even.items()
        for labels, members in grouped(units, names).items()
    ]
    wanted = pass_at_names(ks)
    known = [m for m in chosen if m.name in wanted or any(row.score[m.name].known for row in rows)]
    _refuse_where_none(scores, names or within, chosen)
    asked = {frozenset(unit.unit for unit in units) for units in even.values()}
    return ScoreTable(names, tuple(known), tuple(rows), len(asked) <= 1)


def _refuse_where_none(scores: Scores, by: Sequence[str], chosen: Sequence[Measure]) -> None:
    """Where no row has the samples that a measure needs, there is nothing to show of it."""
    for row in chosen:
        rows = [group for units in scores.values() for group in grouped(units, by).values()]
        if row.needs > 1 and not any(row.has_samples(group) for group in rows):
            if "suite" not in by:
                _refuse_where_some_suite_has(scores, row)
            for tool, units in scores.items():
                refuse_missing_samples([row], units, tool)


def _refuse_where_some_suite_has(scores: Scores, row: Measure) -> None:
    suites = [group for units in scores.values() for group in grouped(units, ["suite"]).values()]
    if any(row.has_samples(group) for group in suites):
        raise PolyAssayError(
            f"{row.title} needs {row.needs} samples a task, which no tool has on all suites.",
            hint="Add `--by suite`, which shows it where there are enough.",
        )


def kept_units(units: Sequence[UnitScore]) -> list[UnitScore]:
    """Those that enter figures."""
    return [unit for unit in units if not unit.left_out]


def score(units: Sequence[UnitScore], chosen: Sequence[Measure] | None = None) -> ToolScore:
    """The figures of one group."""
    kept = kept_units(units)
    counted = _different([unit.counted for unit in kept])
    solved_by_set = any(sample.solved_by for sample, _ in counted)
    sets_used = [unit.sets_used() for unit in kept] if solved_by_set else []
    solving = [len(used) for used in sets_used if used]
    return ToolScore(
        tasks=len(kept),
        samples=sum(len(unit.counted) for unit in kept),
        unanswered=sum(not unit.samples for unit in kept),
        left_out=Counter(unit.left_out for unit in units if unit.left_out),
        passed_tasks=sum(unit.first_passed for unit in kept),
        solved=sum(unit.passed > 0 for unit in kept),
        estimates={m.name: estimate(kept, m) for m in chosen or usual([1])},
        pass_ratio_sum=sum(unit.ratio for unit in kept),
        judged=_counts((sample.judged, times) for sample, times in counted),
        outcomes=_counts((s.outcome, n) for s, n in _different([unit.samples for unit in units])),
        flags=_counts((flag, times) for sample, times in counted for flag in sample.flags),
        failures=_failures(kept, counted),
        prompt_languages=tuple(sorted({unit.unit.prompt_language for unit in units})),
        most_samples=max((len(unit.samples) for unit in units), default=0),
        sets_used=sum(sets_used, Counter()),
        sets_per_task=sum(solving) / len(solving) if solving else 0.0,
    )


def unit_value(unit: UnitScore, name: str) -> float | None:
    return measure(name).of_unit(unit)


def estimate(units: Sequence[UnitScore], of: Measure) -> Estimate:
    """The mean over the units whose value is known, with its interval."""
    if not of.has_samples(units):  # over the others alone it would be a figure of other tasks
        return Estimate(None)
    if of.of is Of.TOOL:
        return Estimate(of.value(units), known=len(units))
    values = [(unit, of.of_unit(unit)) for unit in units]
    known = [(unit.cluster, value) for unit, value in values if value is not None]
    if not known:
        return Estimate(None)
    rows = by_cluster([value for _, value in known], [cluster for cluster, _ in known])
    interval = mean_interval(rows, of.scale.low, of.scale.high)
    return Estimate(sum(value for _, value in known) / len(known), interval, len(known))


def _different(samples: Sequence[Sequence[Sample]]) -> list[tuple[Sample, int]]:
    """Each different object with how often it comes: of a million samples few differ."""
    every = list(chain.from_iterable(samples))
    objects = dict(zip(map(id, every), every, strict=True))
    return [(objects[number], times) for number, times in Counter(map(id, every)).items()]


def _counts(found: Iterable[tuple[T, int]]) -> Counter[T]:
    counts: Counter[T] = Counter()
    for value, times in found:
        counts[value] += times
    return counts


def _failures(
    units: Sequence[UnitScore], counted: Sequence[tuple[Sample, int]]
) -> dict[Failure, int]:
    """In the order of the taxonomy."""
    counts = _counts((sample.failure, times) for sample, times in counted if sample.failure)
    # Where a tool gave several samples a task, it left out as many.
    samples = max((len(unit.samples) for unit in units), default=1)
    counts[Failure.NO_ANSWER] = sum(not unit.samples for unit in units) * max(1, samples)
    return {failure: counts[failure] for failure in Failure if counts[failure]}
