"""Makes programs in a helper process, because answers are hostile text.

One warm child serves many answers. It limits its own memory and, per answer, its CPU time; one
that ends, hangs or answers nonsense is replaced, and the answer at hand becomes a problem.
"""

import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import asdict, fields
from itertools import groupby

from polyassay.candidates.program import make_program
from polyassay.helper_process import DEADLINE, Ended, HelperProcess
from polyassay.model import AnswerForm, Candidate, Program, Task


class ProgramMaker:
    """Turns candidates into programs; may be shared by threads, which then wait for each other."""

    def __init__(self, deadline: float = DEADLINE) -> None:
        self._deadline = deadline
        self._child: HelperProcess | None = None
        self._known: Task | None = None  # the task that the child has already
        self._lock = threading.Lock()

    def make(self, task: Task, candidate: Candidate) -> Program:
        """The program of a candidate; never raises for what the answer holds."""
        (program,) = self.make_all([(task, candidate)])
        return program

    def make_all(self, pairs: Sequence[tuple[Task, Candidate]]) -> list[Program]:
        """One a pair; neighbours that belong to one task are read in one go."""
        programs: list[Program] = []
        for (_, form), some in groupby(pairs, key=lambda pair: (id(pair[0]), pair[1].form)):
            tasks, candidates = zip(*some, strict=True)
            task = tasks[0]
            if form is AnswerForm.EMPTY:  # none of it is the tool's text
                programs += [make_program(task, candidate) for candidate in candidates]
            else:
                with self._lock:
                    programs += self._read(task, candidates)
        return programs

    def close(self) -> None:
        with self._lock:
            self._stop()

    def __enter__(self) -> "ProgramMaker":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self, task: Task, candidates: Sequence[Candidate]) -> list[Program]:
        """The child is replaced where an answer ended it, and goes on with the next one."""
        programs: list[Program] = []
        while len(programs) < len(candidates):
            try:
                for program in self._ask(task, candidates[len(programs) :]):
                    programs.append(program)
            except Ended as end:
                self._stop()
                answer = candidates[len(programs)].answer
                programs.append(Program("", code=answer, problem=str(end)))
        return programs

    def _ask(self, task: Task, candidates: Sequence[Candidate]) -> Iterator[Program]:
        """One program an answer, in order."""
        if self._child is None:
            self._child = HelperProcess("polyassay.candidates.reader", self._deadline)
        answers = [candidate.answer for candidate in candidates]
        request: dict[str, object] = {"answers": answers, "form": str(candidates[0].form)}
        if task is not self._known:
            request["task"] = _needed(task)
            self._known = task
        self._child.send(request)
        for _ in answers:
            yield _program(self._child.receive())

    def _stop(self) -> None:
        child, self._child, self._known = self._child, None, None
        if child is not None:
            child.close()


def _needed(task: Task) -> dict[str, object]:
    """The task without tests and files; of its support, the names and the base class."""
    base = task.extra.get("extends", "").replace(".", "/") + ".java"
    support = {path: source if path == base else "" for path, source in task.support.items()}
    given = {field.name: getattr(task, field.name) for field in fields(task)}
    without: dict[str, object] = {"tests": (), "data_files": {}, "prompts": {}}
    return {**given, **without, "support": support, "limits": asdict(task.limits)}


def _program(reply: bytes) -> Program:
    try:
        given = json.loads(reply)
        given["notes"] = tuple(given["notes"])
        return Program(**given)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise Ended("the answer's reader broke off") from error
