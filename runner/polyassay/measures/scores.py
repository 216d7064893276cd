"""The score table: pass@k, AvgPassRatio and counts, by tool and by group."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from polyassay.measures.groups import grouped
from polyassay.measures.passk import pass_at_k, refuse_large_k
from polyassay.measures.taxonomy import Failure
from polyassay.measures.units import UnitScore
from polyassay.model import Judging, Outcome, Style
from polyassay.statistics.intervals import SEED, Interval, by_cluster, mean_interval

CELL_MEASURES = ("output_em", "f1", "ran")


@dataclass(frozen=True, slots=True)
class Estimate:
    value: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class Score:
    """One tool's figures over one group of units."""

    tasks: int  # units in the denominators, those without an answer included
    samples: int  # candidates that count
    unanswered: int  # units
    left_out: int  # units of which no sample counts
    passed_tasks: int  # the first sample passes
    solved: int  # any sample passes
    pass_at: Mapping[int, Estimate]
    avg_pass_ratio: Estimate
    pass_ratio_sum: float
    judged: Mapping[Judging, int]
    outcomes: Mapping[Outcome, int]
    flags: Mapping[str, int]
    failures: Mapping[Failure, int]  # samples, and units without an answer
    measures: Mapping[str, float] = field(default_factory=dict)  # of notebook cells
    sets_used: Mapping[str, int] = field(default_factory=dict)  # assertion set → samples
    sets_per_task: float = 0.0  # distinct sets over the samples of a solved task, mean

    @property
    def share_apart(self) -> float:
        """How much of what was judged was judged out of the candidates' reach."""
        return self.judged.get(Judging.APART, 0) / max(1, sum(self.judged.values()))


@dataclass(frozen=True, slots=True)
class Row:
    tool: str
    group: Mapping[str, str]  # without the tool
    score: Score


@dataclass(frozen=True, slots=True)
class ScoreTable:
    by: tuple[str, ...]  # without the tool
    ks: tuple[int, ...]
    rows: tuple[Row, ...]


def score_table(
    scores: Mapping[str, Sequence[UnitScore]],
    ks: Sequence[int] = (1,),
    by: Sequence[str] = (),
    seed: int = SEED,
) -> ScoreTable:
    """Every tool's figures, from what `collect` returns."""
    names = tuple(name for name in by if name != "tool")
    for tool, units in scores.items():
        for k in ks:
            refuse_large_k(k, ((str(u.unit), len(u.samples)) for u in units), tool)
    rows = [
        Row(tool, dict(zip(names, labels, strict=True)), score(members, ks, seed))
        for tool, units in scores.items()
        for labels, members in grouped(units, names).items()
    ]
    return ScoreTable(names, tuple(ks), tuple(rows))


def score(units: Sequence[UnitScore], ks: Sequence[int] = (1,), seed: int = SEED) -> Score:
    """The figures of one group."""
    kept = [unit for unit in units if not unit.left_out]
    sets_used = [unit.sets_used() for unit in kept]
    solving = [len(used) for used in sets_used if used]
    return Score(
        tasks=len(kept),
        samples=sum(len(unit.counted) for unit in kept),
        unanswered=sum(not unit.samples for unit in kept),
        left_out=len(units) - len(kept),
        passed_tasks=sum(unit.first_passed for unit in kept),
        solved=sum(unit.passed > 0 for unit in kept),
        pass_at={k: _pass_at(kept, k, seed) for k in ks},
        avg_pass_ratio=_estimate(kept, [unit.ratio for unit in kept], seed),
        pass_ratio_sum=sum(unit.ratio for unit in kept),
        judged=Counter(sample.judged for unit in kept for sample in unit.counted),
        outcomes=Counter(sample.outcome for unit in units for sample in unit.samples),
        flags=Counter(flag for u in kept for sample in u.counted for flag in sample.flags),
        failures=_failures(kept),
        measures=_cell_measures(kept),
        sets_used=sum(sets_used, Counter()),
        sets_per_task=sum(solving) / len(solving) if solving else 0.0,
    )


def unit_pass_at_k(unit: UnitScore, k: int) -> float | None:
    """pass@k of one unit; None where too few of its samples count, through no fault of the tool."""
    if not unit.samples:
        return 0.0
    if len(unit.counted) < k:
        return None
    return pass_at_k(len(unit.counted), unit.passed, k)


def _pass_at(units: Sequence[UnitScore], k: int, seed: int) -> Estimate:
    values = [(unit, unit_pass_at_k(unit, k)) for unit in units]
    known = [(unit, value) for unit, value in values if value is not None]
    return _estimate([unit for unit, _ in known], [value for _, value in known], seed)


def _estimate(units: Sequence[UnitScore], values: Sequence[float], seed: int) -> Estimate:
    if not units:
        return Estimate(0.0, Interval(0.0, 1.0))
    rows = by_cluster(values, [unit.question for unit in units])
    return Estimate(sum(values) / len(values), mean_interval(rows, seed))


def _failures(units: Sequence[UnitScore]) -> dict[Failure, int]:
    """In the order of the taxonomy."""
    counts = Counter(s.failure for unit in units for s in unit.counted if s.failure)
    counts[Failure.NO_ANSWER] = sum(not unit.samples for unit in units)
    return {failure: counts[failure] for failure in Failure if counts[failure]}


def _cell_measures(units: Sequence[UnitScore]) -> dict[str, float]:
    cells = [unit for unit in units if unit.task.style is Style.CELL]
    if not cells:
        return {}
    return {name: sum(cell.measure(name) for cell in cells) / len(cells) for name in CELL_MEASURES}
