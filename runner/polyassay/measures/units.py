"""Units, which are scored: one task in one prompt language, as one tool answered it.

A task that a tool answered in two prompt languages is two units, because the prompt is part of
what was asked. Both belong to one cluster, though, as do the cells of a notebook and the units of
suites that ask the same question, and chance is drawn by clusters wherever an interval or a test
is computed.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from polyassay.measures.taxonomy import Failure, failure_of
from polyassay.model import CandidateKey, Judging, Outcome, Style, Task, Verdict

TaskKey: TypeAlias = tuple[str, str]  # suite, task
ORIGINAL_SET = "original"


class Unit(NamedTuple):
    """A tuple, because tables of a million verdicts look units up so often that its hash counts."""

    suite: str
    task: str
    prompt_language: str

    @property
    def task_key(self) -> TaskKey:
        return self.suite, self.task

    def __str__(self) -> str:
        return f"{self.suite} {self.task}"


@dataclass(frozen=True, slots=True)
class Sample:
    """The part of a verdict that scores need."""

    number: int
    outcome: Outcome
    ratio: float
    judged: Judging
    tests: tuple[int, int] = (0, 0)  # passed, of how many
    solved_by: str = ""  # the assertion set
    sets: Mapping[str, float] = field(default_factory=dict)  # assertion set → its ratio
    measures: Mapping[str, float] = field(default_factory=dict)  # what was recorded about it
    flags: tuple[str, ...] = ()
    failure: Failure | None = None

    @property
    def passed(self) -> bool:
        return self.outcome is Outcome.PASSED


@dataclass(frozen=True, slots=True)
class UnitScore:
    """One tool's samples of one unit; none at all where the tool gave no answer."""

    unit: Unit
    task: Task
    samples: tuple[Sample, ...]  # all of them, by number
    counted: tuple[Sample, ...]  # without those that the tool does not answer for
    excluded: Outcome | None = None  # why it is left out for all tools of a table
    # Asked for so often that they are computed once.
    passed: int = field(init=False)
    ratio: float = field(init=False)  # mean over the samples; 0 without an answer
    measured: bool = field(init=False)  # whether anything was recorded about its samples
    left_out: Outcome | None = field(init=False)  # why it enters no figure

    def __post_init__(self) -> None:
        passed = sum([sample.outcome is Outcome.PASSED for sample in self.counted])
        ratio = sum([s.ratio for s in self.counted]) / len(self.counted) if self.counted else 0.0
        object.__setattr__(self, "passed", passed)
        object.__setattr__(self, "ratio", ratio)
        object.__setattr__(self, "measured", any(s.measures for s in self.counted))
        object.__setattr__(self, "left_out", self._left_out())

    def _left_out(self) -> Outcome | None:
        """To give no answer is no way out."""
        if self.excluded or self.counted or not self.samples:
            return self.excluded
        outcomes = [sample.outcome for sample in self.samples]
        ours = Outcome.HARNESS_ERROR
        return ours if ours in outcomes else Outcome.NOT_RUNNABLE

    @property
    def cluster(self) -> Hashable:
        return cluster_of(self.task)

    @property
    def first_passed(self) -> bool:
        return bool(self.counted) and self.counted[0].passed

    @property
    def reliability(self) -> float:
        """The chance that two samples agree in passing or failing; needs two that count."""
        n, c = len(self.counted), self.passed
        return (c * (c - 1) + (n - c) * (n - c - 1)) / (n * (n - 1))

    def sets_used(self) -> Counter[str]:
        return Counter(sample.solved_by for sample in self.counted if sample.solved_by)


_CLUSTERS: dict[int, tuple[Task, Hashable]] = {}  # of tasks by identity, for they have no hash
_MOST = 100_000


def cluster_of(task: Task) -> Hashable:
    """Chance is drawn by clusters: what the suite names, or else the notebook or the question."""
    known = _CLUSTERS.get(id(task))
    if known is None or known[0] is not task:
        if len(_CLUSTERS) >= _MOST:
            _CLUSTERS.clear()
        known = _CLUSTERS[id(task)] = task, _cluster(task)
    return known[1]


def _cluster(task: Task) -> Hashable:
    if task.cluster:
        return task.cluster
    if task.style is Style.CELL and "/" in task.id:
        return task.suite, task.id.rpartition("/")[0]
    prompts = tuple(sorted(task.prompts.items()))
    return (task.id, prompts) if prompts else (task.suite, task.id)


def unit_score(
    unit: Unit, task: Task, samples: Iterable[Sample], excluded: Outcome | None = None
) -> UnitScore:
    ordered = tuple(sorted(samples, key=attrgetter("number")))
    counted = tuple([sample for sample in ordered if sample.outcome.counts])
    return UnitScore(
        unit, task, ordered, ordered if len(counted) == len(ordered) else counted, excluded
    )


Scores: TypeAlias = Mapping[str, Sequence[UnitScore]]  # tool → its units


def distinct_tasks(units: Iterable[UnitScore]) -> int:
    """A task in two prompt languages is two units, and one task."""
    return len({unit.unit.task_key for unit in units})


def expected_units(
    tasks: Iterable[Task],
    candidates: Iterable[CandidateKey],
    declared: Mapping[str, Collection[str]] | None = None,
) -> dict[str, tuple[Unit, ...]]:
    """The units that each tool has to answer for: of every suite that it answered at all.

    A tool was asked in the prompt languages in which it answered any task of the suite. In these, a
    task counts where any tool of the run answered it, and where none did, in the first of them. So
    no tool is failed for a language that was never put to it, nor for a prompt that was put to
    none, and no task gets lost. Languages that are declared for a tool count for every task.
    """
    own: dict[tuple[str, str], set[str]] = {}  # tool, suite → prompt languages
    answered: dict[TaskKey, set[str]] = {}  # task → prompt languages, of any tool
    for key in candidates:
        own.setdefault((key.tool, key.suite), set()).add(key.prompt_language)
        answered.setdefault((key.suite, key.task), set()).add(key.prompt_language)
    by_suite: dict[str, list[Task]] = {}
    for task in tasks:
        if task.style is not Style.RUBRIC:
            by_suite.setdefault(task.suite, []).append(task)
    units: dict[str, list[Unit]] = {}
    for (tool, suite), languages in sorted(own.items()):
        told = set((declared or {}).get(tool, ()))
        units.setdefault(tool, []).extend(
            Unit(suite, task.id, language)
            for task in by_suite.get(suite, ())
            for language in _asked(task, languages, answered.get((suite, task.id), set()), told)
        )
    return {tool: tuple(found) for tool, found in units.items()}


def _asked(task: Task, own: set[str], answered: set[str], declared: set[str]) -> list[str]:
    """A task without prompts is asked once."""
    if not task.prompts:
        return sorted(own | declared)[:1]
    asked = own & answered or set([name for name in task.prompts if name in own][:1])
    return sorted((asked | declared) & set(task.prompts))


def collect(
    verdicts: Iterable[Verdict],
    tasks: Mapping[TaskKey, Task],
    expected: Mapping[str, Collection[Unit]],
) -> dict[str, tuple[UnitScore, ...]]:
    """Verdicts of each tool by unit, with an empty score for each expected unit without one.

    A task that cannot run here is left out for the tools that did not answer it, too.
    """
    return gather(
        (
            (key.tool, Unit(key.suite, key.task, key.prompt_language), _sample(verdict, task))
            for verdict in verdicts
            for key in [verdict.candidate]
            for task in [tasks[key.suite, key.task]]
        ),
        tasks,
        expected,
    )


def gather(
    samples: Iterable[tuple[str, Unit, Sample]],
    tasks: Mapping[TaskKey, Task],
    expected: Mapping[str, Collection[Unit]],
) -> dict[str, tuple[UnitScore, ...]]:
    """As `collect`, of samples with their tools and units."""
    found: dict[str, dict[Unit, list[Sample]]] = {
        tool: {unit: [] for unit in units} for tool, units in expected.items()
    }
    not_runnable: set[TaskKey] = set()
    last: tuple[str, Unit] | None = None
    for tool, unit, sample in samples:
        if sample.outcome is Outcome.NOT_RUNNABLE:
            not_runnable.add(unit.task_key)
        if last is None or unit is not last[1] or tool != last[0]:  # they often follow each other
            last = tool, unit
            own = found.setdefault(tool, {}).setdefault(unit, [])
        own.append(sample)
    return {
        tool: tuple(
            unit_score(
                unit,
                tasks[unit.task_key],
                samples,
                Outcome.NOT_RUNNABLE if unit.task_key in not_runnable else None,
            )
            for unit, samples in units.items()
        )
        for tool, units in found.items()
    }


def same_for_all(scores: Scores) -> dict[str, tuple[UnitScore, ...]]:
    """What is left out for one tool is left out for all: else the tools of a table would be
    scored over different tasks, and a lost failure would look like an improvement."""
    out = {unit.unit: unit.left_out for units in scores.values() for unit in units if unit.left_out}
    if not out:
        return {tool: tuple(units) for tool, units in scores.items()}
    return {
        tool: tuple(
            replace(unit, excluded=out[unit.unit]) if unit.unit in out else unit for unit in units
        )
        for tool, units in scores.items()
    }


def original_sets_only(scores: Scores) -> dict[str, tuple[UnitScore, ...]]:
    """One-to-many tasks by the assertions that they had before others were added (MBOPP)."""

    def sample(of: Sample) -> Sample:
        if not of.sets or not of.outcome.counts:
            return of
        ratio = of.sets.get(ORIGINAL_SET, 0.0)
        passed = Outcome.PASSED if ratio == 1.0 else Outcome.FAILED
        outcome = passed if of.passed or ratio == 1.0 else of.outcome
        solved_by = ORIGINAL_SET if outcome is Outcome.PASSED else ""
        return replace(of, outcome=outcome, ratio=ratio, solved_by=solved_by)

    return {
        tool: tuple(unit_score(u.unit, u.task, map(sample, u.samples), u.excluded) for u in units)
        for tool, units in scores.items()
    }


def with_values(
    scores: Scores, values: Mapping[CandidateKey, Mapping[str, float]]
) -> dict[str, tuple[UnitScore, ...]]:
    """The same units, with more recorded about their samples; what is unknown is left out."""
    if not values:
        return {tool: tuple(units) for tool, units in scores.items()}

    def sample(of: Sample, tool: str, unit: Unit) -> Sample:
        key = CandidateKey(unit.suite, unit.task, tool, unit.prompt_language, of.number)
        more = values.get(key)
        return replace(of, measures={**of.measures, **more}) if more else of

    return {
        tool: tuple(
            unit_score(u.unit, u.task, [sample(s, tool, u.unit) for s in u.samples], u.excluded)
            for u in units
        )
        for tool, units in scores.items()
    }


def _sample(verdict: Verdict, task: Task) -> Sample:
    return Sample(
        number=verdict.candidate.sample,
        outcome=verdict.outcome,
        ratio=verdict.ratio if verdict.outcome.counts else 0.0,
        judged=verdict.judged,
        tests=(verdict.passed, verdict.total),
        solved_by=verdict.solved_by.set if verdict.solved_by else "",
        sets={name: s.passed / s.total if s.total else 0.0 for name, s in verdict.sets.items()},
        measures=verdict.measures,
        flags=verdict.flags,
        failure=failure_of(verdict, task),
    )
