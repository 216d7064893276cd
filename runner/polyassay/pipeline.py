"""The one place where the steps are joined: candidates → programs → reports → verdicts → store."""

import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing

from polyassay.candidates.maker import ProgramMaker
from polyassay.dispatch import local
from polyassay.errors import PolyAssayError
from polyassay.harness import Harness, HarnessSession, Job, RunSettings
from polyassay.harness.table import Harnesses, obstacle
from polyassay.junit.report import verdict_of
from polyassay.model import Candidate, Outcome, Report, Style, Suite, Task, Verdict
from polyassay.scheduling import Batch, Group, Pair, Schedule, TaskKey, split
from polyassay.store import Store

ATTEMPTS = 3  # before a failure of ours is a verdict


def execute(
    store: Store,
    run: str,
    suites: Mapping[str, Suite],
    harnesses: Harnesses,
    on_verdicts: Callable[[Sequence[Verdict]], None],
) -> None:
    """Judges what has no verdict yet; a verdict is durable before it is counted."""
    done = store.judged_keys(run)
    pending = store.answered(run)
    pending.subtract((key.suite, key.task) for key in done)

    def candidates(group: Group) -> Iterator[Pair]:
        for candidate in store.candidates(run, group.suite, group.tasks):
            if candidate.key not in done:
                yield group.tasks[candidate.key.task], candidate

    with closing(harnesses):
        tasks = [task for suite in suites.values() for task in suite.tasks]
        for verdicts in judge(tasks, pending, candidates, harnesses):
            store.save_verdicts(run, verdicts)
            on_verdicts(verdicts)


def judge(
    tasks: Iterable[Task],
    pending: Counter[TaskKey],
    candidates: Callable[[Group], Iterable[Pair]],
    harnesses: Harnesses,
) -> Iterator[list[Verdict]]:
    """Judges candidates side by side; verdicts come in lists, in any order."""
    groups = list(_groups(tasks, pending, harnesses))
    schedule = Schedule(groups, candidates, harnesses.settings.jobs)
    return local.run(schedule, lambda settings: Slot(settings, harnesses), harnesses.settings)


def judge_all(pairs: Sequence[Pair], harnesses: Harnesses) -> Iterator[list[Verdict]]:
    """Judges candidates that are all at hand, without a store."""
    by_task: dict[TaskKey, list[Pair]] = {}
    for task, candidate in pairs:
        by_task.setdefault((task.suite, task.id), []).append((task, candidate))
    tasks = [some[0][0] for some in by_task.values()]
    pending = Counter({key: len(some) for key, some in by_task.items()})

    def candidates(group: Group) -> Iterator[Pair]:
        for task in group.tasks:
            yield from by_task[group.suite, task]

    return judge(tasks, pending, candidates, harnesses)


def _groups(
    tasks: Iterable[Task], pending: Counter[TaskKey], harnesses: Harnesses
) -> Iterator[Group]:
    """The tasks that wait for verdicts, as their harnesses group them."""
    alike: dict[tuple[str, int], list[Task]] = {}
    for task in tasks:
        if task.style is not Style.RUBRIC and pending[task.suite, task.id] > 0:
            alike.setdefault((task.suite, id(harnesses.of(task))), []).append(task)
    for (suite, _), some in alike.items():
        harness = harnesses.of(some[0])
        yield from split(suite, harness.groups(some), pending, harness.batch_size)


class Slot:
    """Judges batches: a program maker, and a session with each harness that was needed."""

    def __init__(self, settings: RunSettings, harnesses: Harnesses | None = None) -> None:
        # Slots that are threads share their process' harnesses; another process makes its own.
        self._harnesses = harnesses or Harnesses(settings)
        self._maker = ProgramMaker()
        self._sessions: dict[int, HarnessSession] = {}

    def judge(self, batch: Batch) -> list[Verdict]:
        """One verdict a candidate, in order."""
        harness = self._harnesses.of(batch.pairs[0][0])
        programs = self._maker.make_all(batch.pairs)
        jobs = [Job(*pair, program) for pair, program in zip(batch.pairs, programs, strict=True)]
        reports = {place: early_report(harness, job) for place, job in enumerate(jobs)}
        left = [place for place, report in reports.items() if report is None]
        reports |= zip(left, self._reports(harness, [jobs[i] for i in left]), strict=True)
        return [
            verdict_of(job.task, job.candidate, report)
            for job, report in zip(jobs, reports.values(), strict=True)
            if report is not None
        ]

    def _reports(self, harness: Harness, jobs: Sequence[Job]) -> list[Report]:
        """Judges the jobs at once, and then alone what may have failed through no fault of its own.

        What idled counts when it idles again alone; a failure of ours, or an ending that something
        else on the machine may have brought about, when it comes in all of ATTEMPTS.
        """
        if not jobs:
            return []
        reports = list(self._attempt(harness, jobs))
        for place, job in enumerate(jobs):
            for attempt in range(1, ATTEMPTS):
                report = reports[place]
                ours = report.ending is Outcome.HARNESS_ERROR
                if not (ours or report.suspect or (report.idled and attempt == 1)):
                    break
                (reports[place],) = self._attempt(harness, [job], alone=True)
        return reports

    def _attempt(
        self, harness: Harness, jobs: Sequence[Job], *, alone: bool = False
    ) -> Sequence[Report]:
        session = self._sessions.get(id(harness))
        if session is None:
            session = self._sessions[id(harness)] = harness.open()
        try:
            return session.judge(jobs, alone=alone)
        except PolyAssayError:
            raise
        except Exception:  # a session that failed is of no more use
            self._sessions.pop(id(harness)).close()
            why = f"PolyAssay itself failed: {traceback.format_exc()}"
            return [ended_report(harness, job, Outcome.HARNESS_ERROR, why) for job in jobs]

    def close(self) -> None:
        for session in self._sessions.values():
            session.close()
        self._maker.close()


def early_report(harness: Harness, job: Job) -> Report | None:
    """What is known without running anything; first what is no tool's fault."""
    if why := obstacle(harness, job.task):
        return ended_report(harness, job, Outcome.NOT_RUNNABLE, why)
    if job.program.problem:
        return ended_report(harness, job, Outcome.UNBUILT, job.program.problem)
    return None


def ended_report(harness: Harness, job: Job, ending: Outcome, reason: str) -> Report:
    """A report without any tests' results."""
    return Report("", harness.judging(job.task), job.program, ending=ending, reason=reason)


def judge_alone(task: Task, candidate: Candidate, settings: RunSettings) -> Verdict:
    """One candidate, by itself, without a store."""
    with closing(Harnesses(settings)) as harnesses, closing(Slot(settings, harnesses)) as slot:
        (verdict,) = slot.judge(Batch(((task, candidate),)))
        return verdict
