"""The reference engine of notebooks: a real kernel per candidate, driven by nbclient."""

import json
from collections.abc import Sequence
from typing import Any

from polyassay.comparison.cell import cell_of
from polyassay.harness import Job, RunSettings, judging_asked_for
from polyassay.harness.notebook.report import CONTEXT_SECONDS, lacking, not_runnable, report_of
from polyassay.harness.python.harness import PythonHarness
from polyassay.harness.python.zygote import ENVIRONMENT, HARNESS, START, patience
from polyassay.model import Judging, Report, Task
from polyassay.sandbox import Box, BoxLimits, Ended, Guest

_START = START.format(part="notebook.kernel")
_PLACES = {
    name: f"/scratch/.{name.lower()}"
    for name in ("HOME", "IPYTHONDIR", "JUPYTER_PATH", "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR")
}
_SEND_SECONDS = 60.0
_SPARE_SECONDS = 60.0  # in which a kernel starts, and in which it ends
_OVERHEAD_MB = 1024  # client, kernel and what the context holds


class KernelHarness:
    batch_size = 1
    by_tool = False

    def __init__(self, settings: RunSettings) -> None:
        self.settings = settings
        self.python = PythonHarness(settings)

    def open(self) -> "KernelSession":
        return KernelSession(self)

    def groups(self, tasks: Sequence[Task]) -> Sequence[Sequence[Task]]:
        return [tasks]

    def judging(self, task: Task) -> Judging:
        return judging_asked_for(self.settings, task)

    def vet(self, tasks: Sequence[Task]) -> None:
        """There is nothing to be found out ahead."""

    def lacks(self, task: Task) -> str:
        return lacking(task, self.python.interpreter(task.suite), "ipykernel", "nbclient")

    def versions(self) -> dict[str, str]:
        return self.python.versions()

    def close(self) -> None:
        self.python.close()


class KernelSession:
    """Nothing is kept: each candidate has a sandbox and a kernel of its own."""

    def __init__(self, harness: KernelHarness) -> None:
        self._harness = harness
        self._settings = harness.settings

    def judge(self, jobs: Sequence[Job], *, alone: bool = False) -> Sequence[Report]:
        return [self._judge(job) for job in jobs]

    def close(self) -> None:
        """There is nothing to close."""

    def _judge(self, job: Job) -> Report:
        task = job.task
        guest = self._settings.sandbox.start(self._box(task))
        try:
            return self._run(guest, job)
        finally:
            guest.close()

    def _box(self, task: Task) -> Box:
        interpreter = self._harness.python.interpreter(task.suite)
        return Box(
            argv=(str(interpreter.executable), "-s", "-c", _START, str(HARNESS)),
            readable=(*interpreter.readable, HARNESS / "polyassay_harness"),
            environment={**ENVIRONMENT, **_PLACES},
            limits=BoxLimits(memory_mb=task.limits.memory_mb + _OVERHEAD_MB),
        )

    def _run(self, guest: Guest, job: Job) -> Report:
        task, cell = job.task, cell_of(job.task)
        judged = self._harness.judging(task)
        limits = task.limits
        request = {
            "files": dict(task.data_files),
            "cells": cell.context,
            "source": job.program.source,
            "limits": {
                "seconds": limits.seconds,
                "total_seconds": limits.total_seconds,
                "memory_mb": limits.memory_mb,
            },
        }
        try:
            guest.send(json.dumps(request).encode(), _SEND_SECONDS)
            problem = _object(guest.receive(CONTEXT_SECONDS + _SPARE_SECONDS))["problem"]
        except Ended as ended:
            if not (ended.timed_out or ended.out_of_memory):
                raise RuntimeError(f"the kernel's client ended: {guest.stderr()}") from ended
            problem = f"it {ended}"
        if problem:
            return not_runnable(job, judged, f"the context does not run: {problem}")
        used = guest.cpu_seconds()
        try:
            found = _object(guest.receive(patience(limits.total_seconds, _SPARE_SECONDS)))
        except Ended as ended:
            return report_of(job, judged, self._settings.comparison, ended)
        reply = {"cell": found, "cpu_seconds": guest.cpu_seconds() - used}
        return report_of(job, judged, self._settings.comparison, reply)


def _object(frame: bytes) -> dict[str, Any]:
    found = json.loads(frame)
    assert isinstance(found, dict)
    return found
