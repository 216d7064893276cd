"""The one place where the steps are joined: candidates → programs → reports → verdicts → store."""

import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import accumulate, groupby, islice, pairwise

from polyassay.candidates.maker import ProgramMaker
from polyassay.dispatch.local import dispatch
from polyassay.errors import PolyAssayError
from polyassay.harness import Harness, HarnessSession, Job, RunSettings
from polyassay.junit_report import verdict_of
from polyassay.model import (
    Candidate,
    Language,
    Outcome,
    Program,
    Report,
    Style,
    Suite,
    Task,
    Verdict,
)
from polyassay.store import Store

ATTEMPTS = 3  # before a failure of ours is a verdict
MOST_TASKS = 1000  # that the store is asked for at once

HarnessMaker = Callable[[RunSettings], Harness]
Pair = tuple[Task, Candidate]
TaskKey = tuple[str, str]  # suite, task
Group = tuple[str, dict[str, Task]]  # a suite's name, and tasks by their ids


def _java(settings: RunSettings) -> Harness:
    from polyassay.harness.java.harness import JavaHarness

    return JavaHarness(settings)


def _gradle(settings: RunSettings) -> Harness:
    from polyassay.harness.gradle.harness import GradleHarness

    return GradleHarness(settings)


def _python(settings: RunSettings) -> Harness:
    from polyassay.harness.python.harness import PythonHarness

    return PythonHarness(settings)


def _notebook(settings: RunSettings) -> Harness:
    from polyassay.harness.notebook.harness import NotebookHarness

    return NotebookHarness(settings)


def _nbclient(settings: RunSettings) -> Harness:
    from polyassay.harness.notebook.kernel import KernelHarness

    return KernelHarness(settings)


# (kind, engine) → harness; imported when needed, because a run rarely needs all of them.
HARNESSES: dict[tuple[str, str], HarnessMaker] = {
    (Language.JAVA, "worker"): _java,
    (Language.JAVA, "gradle"): _gradle,
    (Language.PYTHON, "worker"): _python,
    (Style.CELL, "worker"): _notebook,
    (Style.CELL, "nbclient"): _nbclient,
}


def harness_key(task: Task, engine: str) -> tuple[str, str]:
    """An engine that does not know the task's kind leaves it to the usual one."""
    kind = Style.CELL if task.style is Style.CELL else task.language
    return (kind, engine) if (kind, engine) in HARNESSES else (kind, "worker")


class Harnesses:
    """The harnesses of one run, made when the first task needs them."""

    def __init__(self, settings: RunSettings) -> None:
        self.settings = settings
        self._made: dict[tuple[str, str], Harness] = {}

    def of(self, task: Task) -> Harness:
        key = harness_key(task, self.settings.engine)
        if key not in self._made:
            self._made[key] = HARNESSES[key](self.settings)
        return self._made[key]

    def prepare(self, suites: Iterable[Suite]) -> dict[str, str]:
        """Makes all that the suites need, before any thread does; returns their versions."""
        versions: dict[str, str] = {}
        for suite in suites:
            for task in suite.tasks:
                if task.style is not Style.RUBRIC:
                    versions |= self.of(task).versions()
        return versions

    def close(self) -> None:
        for harness in self._made.values():
            harness.close()


@dataclass(frozen=True, slots=True)
class Slot:
    """One thread's warm processes: a program maker, and a session per harness."""

    harnesses: Harnesses
    maker: ProgramMaker
    sessions: dict[int, HarnessSession]

    def judge(self, work: Sequence[Sequence[Pair]]) -> Iterator[list[Verdict]]:
        """One verdict a pair."""
        verdicts = iter(self._verdicts([pair for pairs in work for pair in pairs]))
        for pairs in work:
            yield list(islice(verdicts, len(pairs)))

    def _verdicts(self, pairs: Sequence[Pair]) -> list[Verdict]:
        programs = self.maker.make_all(pairs)
        jobs = [Job(*pair, program) for pair, program in zip(pairs, programs, strict=True)]
        reports = [self._early_report(job.task, job.program) for job in jobs]
        remaining = [job for job, early in zip(jobs, reports, strict=True) if early is None]
        judged = iter(self._reports(remaining))
        return [
            verdict_of(job.task, job.candidate, early or next(judged))
            for job, early in zip(jobs, reports, strict=True)
        ]

    def _early_report(self, task: Task, program: Program) -> Report | None:
        """What is known without running anything; first what is no tool's fault."""
        lacking = self.harnesses.of(task).lacks(task)
        if task.needs_network:
            ending, reason = Outcome.NOT_RUNNABLE, "the task needs the network"
        elif lacking:
            ending, reason = Outcome.NOT_RUNNABLE, lacking
        elif program.problem:
            ending, reason = Outcome.UNBUILT, program.problem
        else:
            return None
        judged = self.harnesses.settings.judging(task)
        return Report("", judged, program, ending=ending, reason=reason)

    def _reports(self, jobs: Sequence[Job]) -> list[Report]:
        """One a job; neighbours that belong to one harness go there together, if it likes that."""
        reports: list[Report] = []
        for _, some in groupby(jobs, key=lambda job: id(self.harnesses.of(job.task))):
            neighbours = list(some)
            batch = self.harnesses.of(neighbours[0].task).batch
            most = batch if batch > 1 else len(neighbours)
            for start in range(0, len(neighbours), most):
                reports += self._reports_of(neighbours[start : start + most])
        return reports

    def _reports_of(self, jobs: Sequence[Job]) -> list[Report]:
        """Tries again, with a fresh session, what failed through our own fault."""
        reports: dict[int, Report] = {}
        remaining = list(range(len(jobs)))
        for _ in range(ATTEMPTS):
            found = self._attempt([jobs[i] for i in remaining])
            reports |= dict(zip(remaining, found, strict=True))
            remaining = [i for i in remaining if reports[i].ending is Outcome.HARNESS_ERROR]
            if not remaining:
                break
        return [reports[i] for i in range(len(jobs))]

    def _attempt(self, jobs: Sequence[Job]) -> Sequence[Report]:
        harness = self.harnesses.of(jobs[0].task)
        session = self.sessions.get(id(harness))
        if session is None:
            session = self.sessions[id(harness)] = harness.open()
        try:
            return session.judge(jobs)
        except PolyAssayError:
            raise
        except Exception:
            self.sessions.pop(id(harness)).close()
            if len(jobs) > 1:  # one of them may be to blame, and not the others
                return [report for job in jobs for report in self._attempt([job])]
            why = traceback.format_exc()
            return [
                Report(
                    "",
                    self.harnesses.settings.judging(job.task),
                    job.program,
                    ending=Outcome.HARNESS_ERROR,
                    reason=f"PolyAssay itself failed: {why}",
                )
                for job in jobs
            ]

    def close(self) -> None:
        for session in self.sessions.values():
            session.close()
        self.maker.close()


def judge(
    lanes: Sequence[Sequence[Iterable[Pair]]], harnesses: Harnesses
) -> Iterator[list[Verdict]]:
    """Judges candidates side by side; verdicts come in lists, in any order."""

    def open_slot() -> Slot:
        return Slot(harnesses, ProgramMaker(), {})

    batches = [[_batches(pairs, harnesses) for pairs in groups] for groups in lanes]
    for lists in dispatch(batches, open_slot, harnesses.settings.jobs):
        yield [verdict for verdicts in lists for verdict in verdicts]


def _batches(pairs: Iterable[Pair], harnesses: Harnesses) -> Iterator[list[Pair]]:
    """Runs of neighbours that belong to one harness, as long as it likes them."""
    batch: list[Pair] = []
    for pair in pairs:
        harness = harnesses.of(pair[0])
        if batch and (len(batch) >= harness.batch or harnesses.of(batch[0][0]) is not harness):
            yield batch
            batch = []
        batch.append(pair)
    if batch:
        yield batch


def execute(
    store: Store,
    run: str,
    suites: Mapping[str, Suite],
    harnesses: Harnesses,
    on_verdicts: Callable[[Sequence[Verdict]], None],
) -> None:
    """Judges what has no verdict yet; a verdict is durable before it is counted."""
    done = store.judged_keys(run)
    due = store.answered(run)
    due.subtract((key.suite, key.task) for key in done)

    def pairs(group: Group) -> Iterator[Pair]:
        suite, tasks = group
        for candidate in store.candidates(run, suite, tasks):
            if candidate.key not in done:
                yield tasks[candidate.key.task], candidate

    with closing(harnesses):
        for verdicts in judge(lanes_of(suites.values(), due, pairs, harnesses), harnesses):
            store.save_verdicts(run, verdicts)
            on_verdicts(verdicts)


def lanes_of(
    suites: Iterable[Suite],
    due: Counter[TaskKey],
    pairs: Callable[[Group], Iterable[Pair]],
    harnesses: Harnesses,
) -> list[list[Iterable[Pair]]]:
    """What is due, in an order that suits warm processes; `pairs` finds a group's candidates."""
    groups = [group for suite in suites for group in _groups(suite, harnesses, due)]
    stretches = _stretches(groups, due, harnesses.settings.jobs)
    return [[pairs(group) for group in stretch] for stretch in stretches]


def _groups(suite: Suite, harnesses: Harnesses, due: Counter[TaskKey]) -> Iterator[Group]:
    """The tasks that wait for verdicts, in the groups and the order that their harnesses like."""
    by_harness: dict[int, list[Task]] = {}
    for task in suite.tasks:
        if task.style is not Style.RUBRIC and due[suite.name, task.id]:
            by_harness.setdefault(id(harnesses.of(task)), []).append(task)
    for tasks in by_harness.values():
        for group in harnesses.of(tasks[0]).groups(tasks):
            for start in range(0, len(group), MOST_TASKS):
                yield suite.name, {task.id: task for task in group[start : start + MOST_TASKS]}


def _stretches(
    groups: Sequence[Group], due: Counter[TaskKey], count: int
) -> Iterator[Sequence[Group]]:
    """Neighbours stay neighbours; each stretch has about as many candidates as the others."""
    counts = [sum(due[suite, task] for task in tasks) for suite, tasks in groups]
    before = list(accumulate(counts, initial=0))
    cuts = [_nearest(before, before[-1] * number / count) for number in range(count)]
    for start, end in pairwise([*cuts, len(groups)]):
        if start < end:
            yield groups[start:end]


def _nearest(sums: Sequence[int], target: float) -> int:
    return min(range(len(sums)), key=lambda place: abs(sums[place] - target))


def judge_alone(task: Task, candidate: Candidate, settings: RunSettings) -> Verdict:
    """One candidate, by itself, without a store."""
    with closing(Harnesses(settings)) as harnesses:
        ((verdict,),) = judge([[[(task, candidate)]]], harnesses)
        return verdict
