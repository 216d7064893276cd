"""Judges Python candidates in forks of warm, sandboxed interpreters."""

import ast
import platform
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from polyassay.environments.interpreters import Interpreter, interpreter_of
from polyassay.harness import Job, RunSettings, judging_asked_for
from polyassay.harness.python.apart import JudgeEnded, Trial
from polyassay.harness.python.pool import Kind, ZygotePool, in_order
from polyassay.harness.python.preload import preload
from polyassay.harness.python.report import compare_output, to_xml
from polyassay.model import Judging, Outcome, Program, Report, Style, Task
from polyassay.sandbox import Ended

_HEAD = re.compile(r"(?m)^(?:@.*\n)*(?:async )?(?:def|class) +(\w+)")
_MOST_SOLO = 4  # tests; beyond that, one load and a fork for each of them cost less
_MOST_IDLE = 8  # zygotes a slot: sets of libraries alternate

Reply = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Staged:
    """What all candidates of a task have in common."""

    kind: Kind
    request: Reply


class PythonHarness:
    batch_size = 16

    def __init__(self, settings: RunSettings) -> None:
        self._settings = settings
        self.pool = ZygotePool(settings.sandbox, _MOST_IDLE * settings.jobs)
        self._interpreters: dict[str, Interpreter] = {}
        self._staged: dict[tuple[str, str], Staged] = {}
        self._lock = threading.Lock()

    def open(self) -> "PythonSession":
        return PythonSession(self)

    def groups(self, tasks: Sequence[Task]) -> Iterator[Sequence[Task]]:
        """One task after the other, and those next to each other that share a kind of zygote."""
        kinds: dict[Kind, list[Task]] = {}
        for task in tasks:
            kinds.setdefault(self.staged(task).kind, []).append(task)
        for kind in in_order(kinds):
            yield from ([task] for task in kinds[kind])

    def judging(self, task: Task) -> Judging:
        if task.style is Style.PROGRAM:
            return Judging.APART  # its output is compared in this process, whatever is asked for
        if task.style is Style.PYTEST:
            return Judging.TOGETHER
        return judging_asked_for(self._settings, task)

    def staged(self, task: Task) -> "Staged":
        key = (task.suite, task.id)
        if key not in self._staged:
            interpreter = self.interpreter(task.suite)
            # What a task does not import it does not pay for when it is forked.
            kind = Kind(interpreter, preload(task, interpreter), task.limits.memory_mb)
            self._staged[key] = Staged(kind, _request(task))
        return self._staged[key]

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
        self.pool.close()


class PythonSession:
    """One slot's way to the zygotes that all of them share."""

    def __init__(self, harness: PythonHarness) -> None:
        self._harness = harness

    def judge(self, jobs: Sequence[Job], *, alone: bool = False) -> Sequence[Report]:
        neighbours = groupby(jobs, key=lambda job: id(job.task))
        return [report for _, some in neighbours for report in self._judge(list(some), alone)]

    def close(self) -> None:
        """It holds nothing of its own."""

    def _judge(self, jobs: Sequence[Job], alone: bool) -> list[Report]:
        """Candidates of one task."""
        task, programs = jobs[0].task, [job.program for job in jobs]
        judged = self._harness.judging(task)
        way = self._apart if _by_calls(task, judged) else self._together
        replies = way(self._harness.staged(task), programs, alone)
        return [
            _report(task, program, judged, reply)
            for program, reply in zip(programs, replies, strict=True)
        ]

    def _together(self, staged: Staged, programs: Sequence[Program], alone: bool) -> list[Reply]:
        """Several in one request, because that costs less."""
        replies: list[Reply] = []
        while len(replies) < len(programs):
            try:
                for reply in self._ask(staged, programs[len(replies) :], fresh=alone):
                    replies.append(reply)
            except Ended as ended:
                replies.append(_ending(ended))
        return replies

    def _ask(self, staged: Staged, programs: Sequence[Program], *, fresh: bool) -> Iterator[Reply]:
        with self._harness.pool.lent(staged.kind, fresh=fresh) as zygote:
            seconds = staged.request["limits"]["total_seconds"]
            yield from zygote.ask_all(staged.request, programs, seconds)

    def _apart(self, staged: Staged, programs: Sequence[Program], alone: bool) -> list[Reply]:
        return [self._apart_one(staged, program, alone) for program in programs]

    def _apart_one(self, staged: Staged, program: Program, alone: bool) -> Reply:
        request = {**staged.request, "source": program.source, "first_line": program.first_line}
        try:
            return self._try(staged.kind, request, fresh=alone)
        except Ended as ended:
            return _ending(ended)
        except JudgeEnded as error:
            return _ending(error.ended)

    def _try(self, kind: Kind, request: Reply, *, fresh: bool) -> Reply:
        lent, of_judge = self._harness.pool.lent, kind._replace(judge=True)
        with lent(of_judge, fresh=fresh) as judge, lent(kind, fresh=fresh) as worker:
            return Trial(worker, judge, request).run()


def _report(task: Task, program: Program, judged: Judging, reply: Reply) -> Report:
    if "failed" in reply:
        raise RuntimeError(reply["failed"])
    results = reply["results"]
    if task.style is Style.PROGRAM:
        results = compare_output(task, results)
    ending = reply.get("ending")
    return Report(
        xml=_xml(task, reply, results),
        judged=judged,
        program=program,
        ending=Outcome(ending) if ending else None,
        reason=reply.get("reason", ""),
        output=reply.get("output", ""),
        seconds=reply.get("seconds", 0.0),
        cpu_seconds=reply.get("cpu_seconds", 0.0),
        suspect=reply.get("suspect", False),
    )


def _xml(task: Task, reply: Reply, results: Sequence[Reply]) -> str:
    """Only pytest writes a report of its own; it is judged together."""
    own = str(reply.get("xml", "")) if task.style is Style.PYTEST else ""
    return own or (to_xml(results) if results else "")


def _by_calls(task: Task, judged: Judging) -> bool:
    return judged is Judging.APART and task.style is not Style.PROGRAM


def _request(task: Task) -> Reply:
    limits = task.limits
    return {
        "task": f"{task.suite}/{task.id}",
        "apart": False,
        "solo": _solo(task),
        "style": str(task.style),
        "entry": task.entry,
        "preamble": preamble(task),
        "setup": task.setup,
        # A program's expected output stays here, out of its reach.
        "tests": [{"name": t.name, "code": t.code, "stdin": t.stdin} for t in task.tests],
        "files": dict(task.data_files),
        **(_pytest(task) if task.style is Style.PYTEST else {}),
        "build_on_each_other": task.tests_build_on_each_other,
        "limits": {
            "seconds": limits.seconds,
            "total_seconds": limits.total_seconds,
            "memory_mb": limits.memory_mb,
        },
    }


def _solo(task: Task) -> bool:
    """Whether each test may as well load the program for itself, which saves forks."""
    few = len(task.tests) <= _MOST_SOLO and not task.tests_build_on_each_other
    return few and task.style in (Style.FUNCTION, Style.CLASS)


def _pytest(task: Task) -> dict[str, Any]:
    module = task.extra.get("module", "answer")
    return {"test_source": task.test_source, "support": dict(task.support), "module": module}


def preamble(task: Task) -> str:
    """What the task's own context defines before the entry: imports and helpers of the tests."""
    heads = (head for head in _HEAD.finditer(task.context) if head[1] == task.entry)
    head = next(heads, None)
    code = task.context[: head.start()] if head else ""
    try:
        ast.parse(code)
    except (SyntaxError, ValueError):
        return ""
    return code


def _ending(ended: Ended) -> Reply:
    """A zygote or a judge ended; without a limit as the reason, it need not be the candidate's."""
    ending = Outcome.CRASHED
    if ended.timed_out:
        ending = Outcome.TIMED_OUT
    elif ended.out_of_memory:
        ending = Outcome.OUT_OF_MEMORY
    return {
        "ending": ending,
        "reason": f"the sandbox ended: it {ended}",
        "results": [],
        "suspect": ending is Outcome.CRASHED,
    }
