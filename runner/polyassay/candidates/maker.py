"""Makes programs in a helper process, because answers are hostile text.

One warm child serves many answers. It limits its own memory and, per answer, its CPU time; one
that ends, hangs or answers nonsense is replaced, and the answer at hand becomes a problem.
"""

import json
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, fields
from itertools import groupby

from polyassay.candidates.program import is_too_long, make_program
from polyassay.helper_process import DEADLINE, HelperEnded, HelperProcess
from polyassay.model import AnswerForm, Candidate, Program, Task

_WAITS = (0.0, 0.1, 0.5, 2.0)  # seconds before an answer is read again whose reader was killed
UNREAD = (AnswerForm.EMPTY, AnswerForm.SOURCE)
_IMPORT = re.compile(r"^\s*(?:import|package)\s[^;]+;\s*?\n", re.MULTILINE)


class ProgramMaker:
    """Turns candidates into programs. Used by one thread."""

    def __init__(self, deadline: float = DEADLINE) -> None:
        self._deadline = deadline
        self._child: HelperProcess | None = None
        self._known: Task | None = None  # the task that the child has already

    def make(self, task: Task, candidate: Candidate) -> Program:
        """The program of a candidate; never raises for what the answer holds."""
        (program,) = self.make_all([(task, candidate)])
        return program

    def make_all(self, pairs: Sequence[tuple[Task, Candidate]]) -> list[Program]:
        """One a pair; candidates for one task that follow each other are read in one go."""
        programs: list[Program] = []
        for (_, form, long), some in groupby(pairs, key=_alike):
            tasks, candidates = zip(*some, strict=True)
            task = tasks[0]
            if form in UNREAD or long:  # nothing of the tool's text is read
                programs += [make_program(task, candidate) for candidate in candidates]
            else:
                programs += self._read(task, candidates)
        return programs

    def close(self) -> None:
        self._stop()

    def __enter__(self) -> "ProgramMaker":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self, task: Task, candidates: Sequence[Candidate]) -> list[Program]:
        """The child is replaced where it ended, and goes on with the next answer.

        The machine may have ended it (as an OOM killer does), so the answer at hand is read again,
        alone and by a fresh child, before it is blamed.
        """
        programs: list[Program] = []
        while len(programs) < len(candidates):
            try:
                for program in self._ask(task, candidates[len(programs) :]):
                    programs.append(program)
            except HelperEnded:
                self._stop()
                programs.append(self._read_alone(task, candidates[len(programs)]))
        return programs

    def _read_alone(self, task: Task, candidate: Candidate) -> Program:
        problem = ""
        for wait in _WAITS:
            time.sleep(wait)
            try:
                (program,) = self._ask(task, [candidate])
                return program
            except HelperEnded as end:
                problem = str(end)
                if not self._stop():  # by its own limits
                    break
        return Program("", code=candidate.answer, problem=problem)

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

    def _stop(self) -> bool:
        """Ends the child; True where something else had killed it before."""
        child, self._child, self._known = self._child, None, None
        return child.close() if child is not None else False


def _alike(pair: tuple[Task, Candidate]) -> tuple[int, AnswerForm, bool]:
    task, candidate = pair
    return id(task), candidate.form, is_too_long(candidate)


def _needed(task: Task) -> dict[str, object]:
    """The fields of a task that its reader needs; answers could make the reader give away others.

    It gets no tests, references, prompts or files. Of the tests' source it gets the imports, and of
    the support the names and the base class.
    """
    base = task.extra.get("extends", "").replace(".", "/") + ".java"
    support = {path: source if path == base else "" for path, source in task.support.items()}
    given = {field.name: getattr(task, field.name) for field in fields(task)}
    without: dict[str, object] = dict.fromkeys(("reference", "setup"), "")
    without |= {"tests": (), "data_files": {}, "prompts": {}, "reference_files": {}}
    without["extra"] = {k: v for k, v in task.extra.items() if k != "canonical_solution"}
    without["test_source"] = "".join(_IMPORT.findall(task.test_source))
    return {**given, **without, "support": support, "limits": asdict(task.limits)}


def _program(reply: bytes) -> Program:
    try:
        given = json.loads(reply)
        given["notes"] = tuple(given["notes"])
        return Program(**given)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise HelperEnded("the answer's reader broke off") from error
