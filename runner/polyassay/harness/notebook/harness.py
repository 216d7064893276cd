"""Judges notebook cells: the context runs once and is forked for each candidate of the cell."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from polyassay.comparison.cell import Cell, cell_of
from polyassay.harness import Job, RunSettings, judging_asked_for
from polyassay.harness.notebook.report import CONTEXT_SECONDS, lacking, not_runnable, report_of
from polyassay.harness.python.harness import PythonHarness
from polyassay.harness.python.requests import judge_request
from polyassay.harness.python.zygote import GRACE_SECONDS, Zygote, parsed, patience
from polyassay.model import Judging, Report, Task
from polyassay.sandbox import Ended
from polyassay_harness.wire import messages
from polyassay_harness.wire.messages import Work

TaskKey = tuple[str, str]  # suite, task
SHELL = "polyassay_harness.notebook.shell"  # goes before the suite's own libraries


class NotebookHarness:
    batch_size = 25  # candidates of one cell share its context only within a session
    by_tool = False

    def __init__(self, settings: RunSettings) -> None:
        self.settings = settings
        self.python = PythonHarness(settings)
        self.killed_before: set[TaskKey] = set()  # tasks whose context's process was killed once

    def open(self) -> "NotebookSession":
        return NotebookSession(self)

    def groups(self, tasks: Sequence[Task]) -> Sequence[Sequence[Task]]:
        """One cell after the other, so that its candidates share the context."""
        return [[task] for task in tasks]

    def judging(self, task: Task) -> Judging:
        return judging_asked_for(self.settings, task)

    def vet(self, tasks: Sequence[Task]) -> None:
        """There is nothing to be found out ahead."""

    def lacks(self, task: Task) -> str:
        return lacking(task, self.python.interpreter(task.suite), "ipython")

    def versions(self) -> dict[str, str]:
        return self.python.versions()

    def close(self) -> None:
        self.python.close()


class NotebookSession:
    """One slot's zygote, and in it the context of the cell that was judged last."""

    def __init__(self, harness: NotebookHarness) -> None:
        self._harness = harness
        self._settings = harness.settings
        self._killed_before = harness.killed_before
        self._zygote: Zygote | None = None
        self._key: tuple[Any, ...] = ()
        self._held: tuple[Any, ...] = ()  # the files and cells of the context that can be forked
        self._anew: set[TaskKey] = set()  # tasks whose context cannot
        self._problems: dict[TaskKey, str] = {}  # tasks whose context does not run

    def judge(self, jobs: Sequence[Job], *, alone: bool = False) -> Sequence[Report]:
        """Candidates for one cell that follow each other share its context, whoever wrote them."""
        if alone:
            self.close()
        return [self._judge(job) for job in jobs]

    def close(self) -> None:
        if self._zygote:
            self._zygote.close()
        self._zygote, self._held = None, ()

    def _judge(self, job: Job) -> Report:
        cell, place = cell_of(job.task), (job.task.suite, job.task.id)
        judged = self._harness.judging(job.task)
        try:
            reply = self._ask_once(job, cell)
        except Ended as ended:
            self.close()
            found = report_of(job, judged, self._settings.comparison, ended)
            return replace(found, suspect=not (ended.timed_out or ended.out_of_memory))
        if place in self._problems:
            return not_runnable(job, judged, self._problems[place])
        return report_of(job, judged, self._settings.comparison, reply)

    def _ask_once(self, job: Job, cell: Cell) -> dict[str, Any]:
        """What the cell showed; nothing where its context does not run, which is kept as such."""
        task, place = job.task, (job.task.suite, job.task.id)
        if place not in self._problems:
            self._prepare(task, cell)
        if place in self._problems:
            return {}
        held = bool(self._held)
        reply = self._ask(job, cell)
        if "problem" in reply:
            if held:  # the context had run: it is not to blame
                raise Ended(reply["problem"])
            self._problems[place] = f"the context does not run: {reply['problem']}"
        return reply

    def _prepare(self, task: Task, cell: Cell) -> None:
        """Makes the zygote hold the task's context, where that can be held."""
        place = (task.suite, task.id)
        interpreter = self._harness.python.interpreter(task.suite)
        key = (interpreter, (SHELL,), task.limits.memory_mb)
        if self._zygote and self._key != key:
            self.close()
        if not self._zygote:
            settings = self._settings
            self._zygote, self._key = Zygote(settings.sandbox, *key, shake=settings.shake), key
        wanted = (tuple(task.data_files.items()), *cell.context)
        if self._held == wanted:
            return
        if place in self._anew or not self._zygote.reusable:
            self._leave()
            return
        if wanted[: len(self._held)] != self._held:
            self._leave()  # or the cells that are new would follow on those of another notebook
        self._hold(place, wanted, {"files": dict(task.data_files), "cells": list(cell.context)})

    def _leave(self) -> None:
        if self._held:
            assert self._zygote
            self._zygote.tell(messages.LEAVE)
            self._held = ()

    def _hold(self, place: TaskKey, wanted: tuple[Any, ...], context: dict[str, Any]) -> None:
        assert self._zygote
        self._held = ()
        try:
            self._zygote.limit_cpu(None)
            self._zygote.tell(messages.CONTEXT, payload=json.dumps(context).encode())
            reply = parsed(self._zygote.hear(CONTEXT_SECONDS + GRACE_SECONDS)[1])
        except Ended as ended:
            self.close()
            self._expect_killed_before(place, ended.killed)
            self._problems[place] = f"the context does not run: it {ended}"
            return
        if "problem" in reply:
            self._expect_killed_before(place, reply.get("killed", False))
            self._problems[place] = f"the context does not run: {reply['problem']}"
        elif "anew" in reply:
            self._anew.add(place)
        else:
            self._held = wanted
            self._zygote.allow_memory()

    def _expect_killed_before(self, place: TaskKey, killed: bool) -> None:
        """What the machine may have killed is tried again, by the pipeline, before it counts."""
        if killed and place not in self._killed_before:
            self._killed_before.add(place)
            raise RuntimeError("the process of the context was killed")

    def _ask(self, job: Job, cell: Cell) -> dict[str, Any]:
        if not self._zygote:
            self._prepare(job.task, cell)
        assert self._zygote
        limits, held = job.task.limits, bool(self._held)
        total = limits.total_seconds + (0.0 if held else CONTEXT_SECONDS)
        work: Work = {
            "style": "cell",
            "source": job.program.source,
            "setup": "",
            "tests": [],
            "build_on_each_other": False,
            "cells": [] if held else list(cell.context),
            "files": {} if held else dict(job.task.data_files),
            "cell_seconds": limits.total_seconds,
            "limits": {
                "seconds": limits.seconds,
                "total_seconds": total,
                "memory_mb": limits.memory_mb,
            },
        }
        nests = self._zygote.reusable
        judge = judge_request(work, apart=False, nests=nests)
        self._zygote.limit_cpu(total)
        self._zygote.tell(messages.JUDGE, judge, json.dumps(work).encode())
        name, body = self._zygote.hear(patience(total))
        if name == messages.FAILED:
            raise RuntimeError(parsed(body)["reason"])
        if not nests:
            self.close()
        return parsed(body)
