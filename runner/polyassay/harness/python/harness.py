"""Judges Python candidates in forks of warm, sandboxed interpreters."""

import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from polyassay.environments.interpreters import Interpreter, interpreter_of
from polyassay.harness import Job, RunSettings, judging_asked_for
from polyassay.harness.python.apart import judge_apart
from polyassay.harness.python.preload import ZygoteSpec, in_growing_order, preload
from polyassay.harness.python.report import Reply, compare_output, to_xml
from polyassay.harness.python.requests import of_program, work_of
from polyassay.harness.python.together import judge_together
from polyassay.harness.python.vetting import (
    VETTING_MEMORY_MB,
    CollectedTests,
    collect,
    failing_setups,
    setup_problem,
)
from polyassay.harness.python.zygote import ZygotePool
from polyassay.model import Judging, Outcome, Program, Report, Style, Task
from polyassay_harness.wire.messages import Work

_MOST_IDLE = 8  # zygotes: sets of libraries alternate


@dataclass(frozen=True, slots=True)
class Staged:
    """All that the candidates of one task have in common."""

    spec: ZygoteSpec
    work: Work


class PythonHarness:
    batch_size = 16
    by_tool = False

    def __init__(self, settings: RunSettings) -> None:
        self._settings = settings
        self.pool = ZygotePool(settings.sandbox, _MOST_IDLE, settings.shake)
        self._interpreters: dict[str, Interpreter] = {}
        self._staged: dict[tuple[str, str], Staged] = {}
        self._collected: dict[tuple[str, str], CollectedTests] = {}
        self._defects: dict[tuple[str, str], str] = {}

    def open(self) -> "PythonSession":
        return PythonSession(self)

    def groups(self, tasks: Sequence[Task]) -> Iterator[Sequence[Task]]:
        """One task after the other, and those next to each other that use like zygotes."""
        by_spec: dict[ZygoteSpec, list[Task]] = {}
        for task in tasks:
            by_spec.setdefault(self.staged(task).spec, []).append(task)
        for spec in in_growing_order(by_spec):
            yield from ([task] for task in by_spec[spec])

    def judging(self, task: Task) -> Judging:
        return judging_asked_for(self._settings, task)

    def staged(self, task: Task) -> "Staged":
        key = (task.suite, task.id)
        if key not in self._staged:
            interpreter = self.interpreter(task.suite)
            # What a task does not import it does not pay for when it is forked.
            spec = ZygoteSpec(interpreter, preload(task, interpreter), task.limits.memory_mb)
            self._staged[key] = Staged(spec, work_of(task, self._settings.shake))
        return self._staged[key]

    def interpreter(self, suite: str) -> Interpreter:
        """Found once a run, because finding it starts it."""
        if suite not in self._interpreters:
            self._interpreters[suite] = interpreter_of(self._settings.home, suite)
        return self._interpreters[suite]

    def lacks(self, task: Task) -> str:
        return self._missing_library(task) or self._defect(task)

    def _missing_library(self, task: Task) -> str:
        tools = ("pytest",) if task.style is Style.PYTEST else ()
        missing = self.interpreter(task.suite).lacks((*tools, *task.libraries))
        return f"the library {missing} is not installed" if missing else ""

    def vet(self, tasks: Sequence[Task]) -> None:
        """Tries all setups of a suite at once, so that libraries are imported once."""
        for interpreter in {self.interpreter(task.suite) for task in tasks}:
            some = [task for task in tasks if self.interpreter(task.suite) == interpreter]
            some = [task for task in some if not interpreter.lacks(task.libraries)]
            spec = ZygoteSpec(interpreter, (), VETTING_MEMORY_MB)
            failing = failing_setups(self.pool, spec, some)
            for task in some:
                self._defects[task.suite, task.id] = setup_problem(task, failing)

    def _defect(self, task: Task) -> str:
        if task.style is Style.PYTEST:
            found = self.collected(task)
            none = "" if task.tests else "its tests were not known when the suite was added"
            return found.problem or found.lacks(task.tests) or none
        key = (task.suite, task.id)
        if key not in self._defects:  # in the zygote of its candidates, which has its libraries
            failing = failing_setups(self.pool, self.staged(task).spec, [task])
            self._defects[key] = setup_problem(task, failing)
        return self._defects[key]

    def collected(self, task: Task) -> CollectedTests:
        """The tests that pytest finds in the task's file; asked once."""
        key = (task.suite, task.id)
        if missing := self._missing_library(task):
            return CollectedTests((), (), missing)
        if key not in self._collected:
            staged = self.staged(task)
            self._collected[key] = collect(self.pool, staged.spec, staged.work, task)
        return self._collected[key]

    def versions(self) -> dict[str, str]:
        return {"python": platform.python_version()}

    def close(self) -> None:
        self.pool.close()


class PythonSession:
    """Judges with the zygotes of its slot's harness, and holds nothing of its own."""

    def __init__(self, harness: PythonHarness) -> None:
        self._harness = harness

    def judge(self, jobs: Sequence[Job], *, alone: bool = False) -> Sequence[Report]:
        by_task = groupby(jobs, key=lambda job: id(job.task))
        return [report for _, some in by_task for report in self._judge(list(some), alone)]

    def close(self) -> None:
        """The zygotes end with the harness."""

    def _judge(self, jobs: Sequence[Job], alone: bool) -> list[Report]:
        """Candidates of one task."""
        task, programs = jobs[0].task, [job.program for job in jobs]
        judged = self._harness.judging(task)
        pool, staged = self._harness.pool, self._harness.staged(task)
        if _by_calls(task, judged):
            works = (of_program(staged.work, program) for program in programs)
            replies = [judge_apart(pool, staged.spec, work, fresh=alone) for work in works]
        else:
            replies = judge_together(pool, staged.spec, staged.work, programs, fresh=alone)
        return [
            _report(task, program, judged, reply)
            for program, reply in zip(programs, replies, strict=True)
        ]


def _report(task: Task, program: Program, judged: Judging, reply: Reply) -> Report:
    if "failed" in reply:
        raise RuntimeError(reply["failed"])
    if reply.get("ending") == Outcome.FAILED:  # it has loaded, and is not tried
        reply = {**reply, "ending": None, "results": _all_failed(task, reply["reason"])}
    results = reply["results"]
    if task.style is Style.PROGRAM:
        results = compare_output(task, results)
    ending = reply.get("ending")
    killed = any(result.get("killed") for result in results)
    return Report(
        xml=to_xml(results) if results else "",
        judged=judged,
        program=program,
        ending=Outcome(ending) if ending else None,
        reason=reply.get("reason", ""),
        output=reply.get("output", ""),
        seconds=reply.get("seconds", 0.0),
        cpu_seconds=reply.get("cpu_seconds", 0.0),
        suspect=bool(killed or reply.get("suspect") or reply.get("killed")),
        idled=bool(reply.get("idled")),
    )


def _all_failed(task: Task, reason: str) -> list[Reply]:
    return [{"name": test.name, "status": "failed", "message": reason} for test in task.tests]


def _by_calls(task: Task, judged: Judging) -> bool:
    return judged is Judging.APART and task.style is not Style.PROGRAM
