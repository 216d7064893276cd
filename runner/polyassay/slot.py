"""From a batch to verdicts, top to bottom: what one slot does, in whatever process it is."""

import traceback
from collections.abc import Sequence
from contextlib import closing

from polyassay.candidates.maker import ProgramMaker
from polyassay.dispatch.scheduling import Batch
from polyassay.errors import PolyAssayError
from polyassay.harness import Harness, HarnessSession, Job, RunSettings
from polyassay.harness.table import Harnesses
from polyassay.junit.report import verdict_of
from polyassay.model import Candidate, Outcome, Program, Report, Task, Verdict

ATTEMPTS = 6  # before a failure of ours is a verdict; several kills may hit one candidate
LOSSES = 3  # slots that a candidate may cost, the last two of them alone, before it is blamed


class Slot:
    """Judges batches: a program maker, the harnesses, and a session with each that was needed."""

    def __init__(self, settings: RunSettings) -> None:
        self._harnesses = Harnesses(settings)
        self._maker = ProgramMaker()
        self._sessions: dict[int, HarnessSession] = {}

    def judge(self, batch: Batch) -> list[Verdict]:
        """One verdict a candidate, in order."""
        harness = self._harnesses.of(batch.pairs[0][0])
        if len(batch.losses) >= LOSSES:
            return [_blamed(harness, *pair, batch.losses) for pair in batch.pairs]
        programs = self._maker.make_all(batch.pairs)
        jobs = [Job(*pair, program) for pair, program in zip(batch.pairs, programs, strict=True)]
        reports = {place: self._early_report(job) for place, job in enumerate(jobs)}
        left = [place for place, report in reports.items() if report is None]
        alone = bool(batch.losses)
        reports |= zip(left, self._reports(harness, [jobs[i] for i in left], alone), strict=True)
        return [
            verdict_of(job.task, job.candidate, report)
            for job, report in zip(jobs, reports.values(), strict=True)
            if report is not None
        ]

    def _early_report(self, job: Job) -> Report | None:
        """The report of a job that is not run: because of an obstacle, or else of its program."""
        harness = self._harnesses.of(job.task)
        if why := self._harnesses.obstacle(job.task):
            return ended_report(harness, job, Outcome.NOT_RUNNABLE, why)
        if job.program.problem:
            return ended_report(harness, job, Outcome.UNBUILT, job.program.problem)
        return None

    def _reports(self, harness: Harness, jobs: Sequence[Job], alone: bool) -> list[Report]:
        """Judges the jobs at once, and then alone what may have failed through no fault of its own.

        What idled counts when it idles again alone; a failure of ours, or an ending that something
        else on the machine may have brought about, when it comes in all of ATTEMPTS.
        """
        if not jobs:
            return []
        reports = list(self._attempt(harness, jobs, alone=alone))
        for place, job in enumerate(jobs):
            for attempt in range(1, ATTEMPTS):
                report = reports[place]
                ours = report.ending is Outcome.HARNESS_ERROR
                if not (ours or report.suspect or (report.idled and attempt == 1)):
                    break
                (reports[place],) = self._attempt(harness, [job], alone=True)
        return reports

    def _attempt(self, harness: Harness, jobs: Sequence[Job], *, alone: bool) -> Sequence[Report]:
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
        self._harnesses.close()


def ended_report(harness: Harness, job: Job, ending: Outcome, reason: str) -> Report:
    """A report without any tests' results."""
    return Report("", harness.judging(job.task), job.program, ending=ending, reason=reason)


def _blamed(harness: Harness, task: Task, candidate: Candidate, losses: Sequence[str]) -> Verdict:
    """The verdict of a candidate that is not executed again: slots ended whenever it was."""
    why = (
        f"{len(losses)} slots ended while they judged it, the last ones nothing else: {losses[-1]}"
    )
    job = Job(task, candidate, Program("", code=candidate.answer))
    return verdict_of(task, candidate, ended_report(harness, job, Outcome.CRASHED, why))


def judge_alone(task: Task, candidate: Candidate, settings: RunSettings) -> Verdict:
    """One candidate, by itself, in this process and without a store."""
    with closing(Slot(settings)) as slot:
        (verdict,) = slot.judge(Batch(((task, candidate),)))
        return verdict
