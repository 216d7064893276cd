"""Judges Python candidates in forks of warm, sandboxed interpreters."""

import ast
import platform
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from polyassay.environments import Interpreter, interpreter_of
from polyassay.harness import Job, Settings
from polyassay.harness.python_apart import JudgeEnded, Trial
from polyassay.harness.python_preload import preload
from polyassay.harness.python_report import compare_output, to_xml
from polyassay.harness.python_zygote import Zygote
from polyassay.model import Judging, Outcome, Report, Style, Task
from polyassay.sandbox import Ended

ATTEMPTS = 2  # a zygote that ends under a candidate is the candidate's doing if it does so again

_MOST_KEPT = 8  # zygotes of either kind in a session: sets of libraries alternate

Key = tuple[Interpreter, tuple[str, ...], int]
Reply = Mapping[str, Any]


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

    def lacks(self, task: Task) -> str:
        missing = self.interpreter(task.suite).lacks(task.libraries)
        return f"the library {missing} is not installed" if missing else ""

    def versions(self) -> dict[str, str]:
        return {"python": platform.python_version()}

    def close(self) -> None:
        """Nothing is shared between sessions."""


class PythonSession:
    """One slot's zygotes: a pair per interpreter, set of libraries and memory limit."""

    def __init__(self, settings: Settings, interpreter: Callable[[str], Interpreter]) -> None:
        self._settings = settings
        self._interpreter = interpreter
        self._zygotes: dict[Key, Zygote] = {}
        self._judges: dict[Key, Zygote] = {}
        self._closed_cpu = 0.0

    def judge(self, jobs: Sequence[Job]) -> Sequence[Report]:
        return [self._judge(job) for job in jobs]

    def cpu_seconds(self) -> float:
        """What its sandboxes have used so far, but for those that were given up."""
        open_ones = (*self._zygotes.values(), *self._judges.values())
        return self._closed_cpu + sum(zygote.cpu_seconds() for zygote in open_ones)

    def close(self) -> None:
        for kept in (self._zygotes, self._judges):
            while kept:
                kept.popitem()[1].close()

    def _judge(self, job: Job) -> Report:
        task = job.task
        judged = self._settings.judging(task)
        reply = self._try(
            task, self._apart if _by_calls(task, judged) else self._ask, _request(job)
        )
        results = reply["results"]
        if task.style is Style.PROGRAM:
            results = compare_output(task.tests, results)
        ending = reply.get("ending")
        return Report(
            xml=_xml(task, reply, results),
            judged=judged,
            program=job.program,
            ending=Outcome(ending) if ending else None,
            reason=reply.get("reason", ""),
            output=reply.get("output", ""),
            seconds=reply.get("seconds", 0.0),
            cpu_seconds=reply.get("cpu_seconds", 0.0),
        )

    def _try(self, task: Task, way: Callable[[Key, Reply], Reply], request: Reply) -> Reply:
        """Tries once more, on fresh zygotes, what ended without a reason of the candidate's."""
        interpreter = self._interpreter(task.suite)
        # What a task does not import it does not pay for when it is forked.
        key = (interpreter, preload(task, interpreter), task.limits.memory_mb)
        for attempt in range(ATTEMPTS):
            try:
                return way(key, request)
            except (Ended, JudgeEnded) as caught:
                ended = caught.ended if isinstance(caught, JudgeEnded) else caught
                if ended.timed_out or ended.out_of_memory or attempt + 1 == ATTEMPTS:
                    return _ending(ended)
        raise AssertionError("unreachable")

    def _ask(self, key: Key, request: Reply) -> Reply:
        zygote = self._zygotes.pop(key, None) or Zygote(self._settings.sandbox, *key)
        reply = zygote.ask(request, request["limits"]["total_seconds"])
        self._keep(self._zygotes, key, zygote)
        return reply

    def _apart(self, key: Key, request: Reply) -> Reply:
        sandbox = self._settings.sandbox
        judge = self._judges.pop(key, None) or Zygote(sandbox, *key, judge=True)
        worker = self._zygotes.pop(key, None)
        try:
            worker = worker or Zygote(sandbox, *key)
            reply = Trial(worker, judge, request).run()
        except JudgeEnded:
            if worker:
                worker.close()  # it is in the middle of a talk that nobody will end
            raise
        except BaseException:
            judge.close()
            raise
        self._keep(self._zygotes, key, worker)
        self._keep(self._judges, key, judge)
        return reply

    def _keep(self, kept: dict[Key, Zygote], key: Key, zygote: Zygote) -> None:
        """For the next candidate; of many, those that were used last."""
        if not zygote.reusable:
            zygote.close()
            return
        kept[key] = zygote
        if len(kept) > _MOST_KEPT:
            oldest = kept.pop(next(iter(kept)))
            oldest.close()
            self._closed_cpu += oldest.cpu_seconds()


def _xml(task: Task, reply: Reply, results: Sequence[Reply]) -> str:
    """Only pytest writes a report of its own; it is judged together."""
    own = str(reply.get("xml", "")) if task.style is Style.PYTEST else ""
    return own or (to_xml(results) if results else "")


def _by_calls(task: Task, judged: Judging) -> bool:
    return judged is Judging.APART and task.style is not Style.PROGRAM


def _request(job: Job) -> dict[str, Any]:
    task, limits = job.task, job.task.limits
    return {
        "apart": False,
        "single": len(task.tests) == 1,
        "style": str(task.style),
        "source": job.program.source,
        "first_line": job.program.first_line,
        "entry": task.entry,
        "preamble": preamble(task),
        "setup": task.setup,
        # A program's expected output stays here, out of its reach.
        "tests": [{"name": t.name, "code": t.code, "stdin": t.stdin} for t in task.tests],
        "files": dict(task.files),
        **(_pytest(task) if task.style is Style.PYTEST else {}),
        "build_on_each_other": task.tests_build_on_each_other,
        "limits": {
            "seconds": limits.seconds,
            "total_seconds": limits.total_seconds,
            "memory_mb": limits.memory_mb,
        },
    }


def _pytest(task: Task) -> dict[str, Any]:
    module = task.extra.get("module", "answer")
    return {"test_source": task.test_source, "support": dict(task.support), "module": module}


def preamble(task: Task) -> str:
    """What the task's own context defines before the entry: imports and helpers of the tests."""
    head = re.search(rf"(?m)^(?:@.*\n)*(?:async )?(?:def|class) +{task.entry}\b", task.context)
    code = task.context[: head.start()] if head and task.entry else ""
    try:
        ast.parse(code)
    except (SyntaxError, ValueError):
        return ""
    return code


def _ending(ended: Ended) -> Reply:
    ending = Outcome.CRASHED
    if ended.timed_out:
        ending = Outcome.TIMED_OUT
    elif ended.out_of_memory:
        ending = Outcome.OUT_OF_MEMORY
    return {"ending": ending, "reason": f"the sandbox ended: it {ended}", "results": []}
