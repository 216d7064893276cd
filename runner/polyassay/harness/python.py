"""Judges Python candidates in forks of warm, sandboxed interpreters."""

import platform
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from polyassay.environments import Interpreter, interpreter_of
from polyassay.harness import Job, Settings
from polyassay.harness.python_report import compare_output, to_xml
from polyassay.harness.python_zygote import Zygote
from polyassay.model import Judging, Outcome, Report, Style, Task
from polyassay.sandbox import Ended

ATTEMPTS = 2  # a zygote that ends under a candidate is the candidate's doing if it does so again


class PythonHarness:
    batch = 1

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._interpreters: dict[str, Interpreter] = {}
        self._lock = threading.Lock()

    def open(self) -> "PythonSession":
        return PythonSession(self._settings, self.interpreter)

    def interpreter(self, suite: str) -> Interpreter:
        """Found once a run, because finding it starts it."""
        with self._lock:
            if suite not in self._interpreters:
                self._interpreters[suite] = interpreter_of(self._settings.home, suite)
            return self._interpreters[suite]

    def versions(self) -> dict[str, str]:
        return {"python": platform.python_version()}

    def close(self) -> None:
        """Nothing is shared between sessions."""


class PythonSession:
    """One slot's zygotes: one per interpreter, set of libraries and memory limit."""

    def __init__(self, settings: Settings, interpreter: Callable[[str], Interpreter]) -> None:
        self._settings = settings
        self._interpreter = interpreter
        self._zygotes: dict[tuple[Any, ...], Zygote] = {}

    def judge(self, jobs: Sequence[Job]) -> Sequence[Report]:
        return [self._judge(job) for job in jobs]

    def close(self) -> None:
        while self._zygotes:
            self._zygotes.popitem()[1].close()

    def _judge(self, job: Job) -> Report:
        task = job.task
        if task.needs_network:
            return _not_runnable(job, "needs the network")
        missing = self._interpreter(task.suite).lacks(task.libraries)
        if missing:
            return _not_runnable(job, f"the library {missing} is not installed")
        reply = self._ask(task, _request(job))
        results = reply["results"]
        judged = Judging.TOGETHER
        if task.style is Style.PROGRAM:
            results, judged = compare_output(task.tests, results), Judging.APART
        ending = reply.get("ending")
        return Report(
            xml=to_xml(results) if results else "",
            judged=judged,
            program=job.program,
            ending=Outcome(ending) if ending else None,
            reason=reply.get("reason", ""),
            output=reply.get("output", ""),
            seconds=reply.get("seconds", 0.0),
            cpu_seconds=reply.get("cpu_seconds", 0.0),
        )

    def _ask(self, task: Task, request: Mapping[str, Any]) -> Mapping[str, Any]:
        interpreter = self._interpreter(task.suite)
        # A task of the standard library alone does not pay for forking what others import.
        preload = interpreter.preload if set(interpreter.preload) & set(task.libraries) else ()
        key = (interpreter, preload, task.limits.memory_mb)
        for attempt in range(ATTEMPTS):
            zygote = self._zygotes.pop(key, None) or Zygote(self._settings.sandbox, *key)
            try:
                reply = zygote.ask(request, task.limits.total_seconds)
            except Ended as ended:
                if attempt + 1 < ATTEMPTS and not (ended.timed_out or ended.out_of_memory):
                    continue
                return _ending(ended)
            if zygote.reusable:
                self._zygotes[key] = zygote
            else:
                zygote.close()
            return reply
        raise AssertionError("unreachable")


def _request(job: Job) -> dict[str, Any]:
    task, limits = job.task, job.task.limits
    return {
        "style": str(task.style),
        "source": job.program.source,
        "first_line": job.program.first_line,
        "entry": task.entry,
        "setup": task.setup,
        # A program's expected output stays here, out of its reach.
        "tests": [
            {"name": test.name, "code": test.code, "stdin": test.stdin} for test in task.tests
        ],
        "files": dict(task.files),
        "build_on_each_other": task.tests_build_on_each_other,
        "limits": {
            "seconds": limits.seconds,
            "total_seconds": limits.total_seconds,
            "memory_mb": limits.memory_mb,
        },
    }


def _ending(ended: Ended) -> dict[str, Any]:
    ending = Outcome.CRASHED
    if ended.timed_out:
        ending = Outcome.TIMED_OUT
    elif ended.out_of_memory:
        ending = Outcome.OUT_OF_MEMORY
    return {"ending": ending, "reason": f"the sandbox ended: it {ended}", "results": []}


def _not_runnable(job: Job, why: str) -> Report:
    return Report("", Judging.TOGETHER, job.program, ending=Outcome.NOT_RUNNABLE, reason=why)
