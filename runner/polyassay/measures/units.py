"""What is scored: one task in one prompt language, as one tool answered it.

A task that a tool answered in two prompt languages is two units, because the prompt is part of
what was asked. Both belong to one question, though, as do the units of two suites that judge
answers to the same prompts, and a question's units are resampled together wherever an interval or
a test is computed.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from polyassay.measures.taxonomy import Failure, failure_of
from polyassay.model import CandidateKey, Judging, Outcome, Style, Task, Verdict

TaskKey: TypeAlias = tuple[str, str]  # suite, task


@dataclass(frozen=True, slots=True, order=True)
class Unit:
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
    measures: Mapping[str, float] = field(default_factory=dict)
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
    runnable: bool = True  # here, by any tool's answer

    @property
    def left_out(self) -> bool:
        """Whether there is nothing that the tool answers for; to give no answer is no way out."""
        return not self.counted and (bool(self.samples) or not self.runnable)

    @property
    def question(self) -> Hashable:
        """What was asked: in any prompt language, and whatever suite judges the same answers."""
        prompts = tuple(sorted(self.task.prompts.items()))
        return (self.task.id, prompts) if prompts else self.unit.task_key

    @property
    def passed(self) -> int:
        return sum(sample.passed for sample in self.counted)

    @property
    def first_passed(self) -> bool:
        return bool(self.counted) and self.counted[0].passed

    @property
    def ratio(self) -> float:
        """Mean over the samples; 0 without an answer."""
        if not self.counted:
            return 0.0
        return sum(sample.ratio for sample in self.counted) / len(self.counted)

    def measure(self, name: str) -> float:
        if not self.counted:
            return 0.0
        return sum(sample.measures.get(name, 0.0) for sample in self.counted) / len(self.counted)

    def sets_used(self) -> Counter[str]:
        return Counter(sample.solved_by for sample in self.counted if sample.solved_by)


def unit_score(
    unit: Unit, task: Task, samples: Iterable[Sample], *, runnable: bool = True
) -> UnitScore:
    ordered = tuple(sorted(samples, key=lambda sample: sample.number))
    return UnitScore(unit, task, ordered, tuple(s for s in ordered if s.outcome.counts), runnable)


def expected_units(
    tasks: Iterable[Task], candidates: Iterable[CandidateKey]
) -> dict[str, tuple[Unit, ...]]:
    """The units that each tool has to answer for: of every suite that it answered at all.

    A task is asked in each prompt language in which any tool of the run answered it, and where
    none did, in its first. So nobody is failed for a prompt that was never put to anybody, no
    task gets lost, and leaving out the hard prompts gains nothing over a tool that did not.
    """
    answered: dict[str, set[str]] = {}  # tool → suites
    asked: dict[TaskKey, set[str]] = {}  # task → prompt languages
    for key in candidates:
        answered.setdefault(key.tool, set()).add(key.suite)
        asked.setdefault((key.suite, key.task), set()).add(key.prompt_language)
    units: dict[str, list[Unit]] = {}  # by suite
    for task in tasks:
        if task.style is not Style.RUBRIC:
            first = next(iter(task.prompts), "")
            for language in sorted(asked.get((task.suite, task.id), {first})):
                units.setdefault(task.suite, []).append(Unit(task.suite, task.id, language))
    return {
        tool: tuple(unit for suite in sorted(suites) for unit in units.get(suite, ()))
        for tool, suites in answered.items()
    }


def collect(
    verdicts: Iterable[Verdict],
    tasks: Mapping[TaskKey, Task],
    expected: Mapping[str, Collection[Unit]],
) -> dict[str, tuple[UnitScore, ...]]:
    """Verdicts of each tool by unit, with an empty score for each expected unit without one.

    A task that cannot run here is left out for every tool, or who does not answer it would be
    failed for it, and two tools be scored over different tasks.
    """
    found: dict[str, dict[Unit, list[Sample]]] = {
        tool: {unit: [] for unit in units} for tool, units in expected.items()
    }
    not_runnable: set[TaskKey] = set()
    for verdict in verdicts:
        key = verdict.candidate
        if verdict.outcome is Outcome.NOT_RUNNABLE:
            not_runnable.add((key.suite, key.task))
        unit = Unit(key.suite, key.task, key.prompt_language)
        found.setdefault(key.tool, {}).setdefault(unit, []).append(
            _sample(verdict, tasks[unit.task_key])
        )
    return {
        tool: tuple(
            unit_score(
                unit, tasks[unit.task_key], samples, runnable=unit.task_key not in not_runnable
            )
            for unit, samples in units.items()
        )
        for tool, units in found.items()
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
