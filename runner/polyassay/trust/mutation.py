"""How many mutants of its references a suite's tests catch."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace

from polyassay.harness import RunSettings
from polyassay.harness.table import Harnesses
from polyassay.model import Language, Outcome, Suite, TestStatus, Verdict
from polyassay.pipeline import judge_all
from polyassay.statistics.clusters import Interval, by_cluster
from polyassay.statistics.intervals import mean_interval
from polyassay.trust.mutants.draw import Drawn, draw

WEAK_BELOW = 0.5  # a task whose tests catch fewer of its mutants than this is weak,
FEWEST = 4  # where it has that many


@dataclass(frozen=True, slots=True)
class TaskMutants:
    """What the tests of one task caught."""

    caught: int
    of: int
    survivors: tuple[str, ...] = ()  # the changes that no test noticed
    by_test: Mapping[str, int] = field(default_factory=dict)  # test → mutants that it fails

    @property
    def weak(self) -> bool:
        return self.of >= FEWEST and self.caught < WEAK_BELOW * self.of


@dataclass(frozen=True, slots=True)
class MutationCheck:
    """Of one suite, with one seed."""

    seed: int
    asked: int | None  # mutants a task; None: all of them
    tasks: Mapping[str, TaskMutants]  # those that have a mutant
    equivalent: int = 0  # left out, because they compile to the same code
    unbuilt: int = 0  # left out, because they do not compile

    @property
    def caught(self) -> int:
        return sum(task.caught for task in self.tasks.values())

    @property
    def of(self) -> int:
        return sum(task.of for task in self.tasks.values())

    @property
    def share(self) -> float | None:
        return self.caught / self.of if self.of else None

    @property
    def interval(self) -> Interval | None:
        """95 %, drawn by tasks: the mutants of one reference go along with each other."""
        if not self.of:
            return None
        pairs = [(name, each) for name, found in self.tasks.items() for each in _each(found)]
        names, values = zip(*pairs, strict=True)
        return mean_interval(by_cluster(values, names))

    def test_interval(self, test: str) -> tuple[float, Interval]:
        """What one test catches alone, over tasks that all have a test of that name."""
        tasks = {name: replace(of, caught=of.by_test[test]) for name, of in self.tasks.items()}
        alone = replace(self, tasks=tasks)
        assert alone.share is not None and alone.interval is not None
        return alone.share, alone.interval

    @property
    def shared_tests(self) -> tuple[str, ...]:
        """The tests' names where every task has the same few, as evalplus' base and plus."""
        names = [frozenset(of.by_test) for of in self.tasks.values()]
        if len(names) < 2 or len(set(names)) > 1 or not 2 <= len(names[0]) <= FEWEST:
            return ()
        return tuple(sorted(names[0]))

    @property
    def weak(self) -> tuple[str, ...]:
        return tuple(name for name, found in self.tasks.items() if found.weak)


def _each(found: TaskMutants) -> list[float]:
    return [1.0] * found.caught + [0.0] * (found.of - found.caught)


def check_mutants(
    suite: Suite,
    references: Mapping[str, Verdict],
    settings: RunSettings,
    count: int | None,
    seed: int,
    begin: Callable[[int], Callable[[Sequence[Verdict]], None]],
) -> MutationCheck:
    """Draws and judges mutants of every reference that passes.

    `begin` is told how many there are, and returns what is told of verdicts as they come.
    """
    with closing(Harnesses(settings)) as harnesses:
        drawn = {
            task.id: draw(task, references[task.id], count, seed, harnesses.of(task))
            for task in suite.tasks
            if task.id in references and references[task.id].outcome is Outcome.PASSED
        }
        pairs = [(of.task, candidate) for of in drawn.values() for candidate in of.candidates]
        on_verdicts = begin(len(pairs))
        verdicts: dict[str, list[Verdict]] = {}
        for some in judge_all(pairs, harnesses):
            on_verdicts(some)
            for verdict in some:
                verdicts.setdefault(verdict.candidate.task, []).append(verdict)
    judged = {name: _judged(drawn[name], verdicts[name]) for name in drawn if name in verdicts}
    return MutationCheck(
        seed,
        count,
        {name: found for name, found in judged.items() if found.of},
        sum(of.equivalent for of in drawn.values()),
        sum(of.unbuilt for of in drawn.values()),
    )


def _judged(drawn: Drawn, verdicts: Iterable[Verdict]) -> TaskMutants:
    """A Java mutant that only its adapter does not compile with says nothing about the tests."""
    java = drawn.task.language is Language.JAVA
    counting = [
        verdict
        for verdict in sorted(verdicts, key=lambda verdict: verdict.candidate.sample)
        if verdict.outcome.counts and not (java and verdict.outcome is Outcome.UNBUILT)
    ]
    survivors = tuple(
        drawn.described[verdict.candidate.sample]
        for verdict in counting
        if verdict.outcome is Outcome.PASSED
    )
    by_test = Counter({test.name: 0 for test in drawn.task.tests})
    for verdict in counting:
        by_test.update(t.name for t in verdict.tests if t.status is not TestStatus.PASSED)
    return TaskMutants(len(counting) - len(survivors), len(counting), survivors, dict(by_test))
