"""Makes programs in a helper process, because answers are hostile text.

One warm child serves many answers. It limits its own memory and, per answer, its CPU time; one
that ends, hangs or answers nonsense is replaced, and the answer at hand becomes a problem.
"""

import json
import os
import re
import select
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, fields
from itertools import groupby
from pathlib import Path

import polyassay
from polyassay.candidates.program import is_too_long, make_program
from polyassay.model import AnswerForm, Candidate, Program, Task

DEADLINE = 600.0  # wall seconds an answer; the child's own limit of CPU time is what decides
MAX_REPLY = 256 << 20
ATTEMPTS = 3  # alone, for an answer whose reader was killed
START = (
    "import sys; sys.path.insert(0, sys.argv[1]);"
    " from polyassay.candidates import reader; reader.serve()"
)


_IMPORT = re.compile(r"^\s*(?:import|package)\s[^;]+;\s*?\n", re.MULTILINE)


class _Ended(Exception):
    """The child is of no more use."""


class ProgramMaker:
    """Turns candidates into programs; may be shared by threads, which then wait for each other."""

    def __init__(self, deadline: float = DEADLINE) -> None:
        self._deadline = deadline
        self._child: subprocess.Popen[bytes] | None = None
        self._known: Task | None = None  # the task that the child has already
        self._lock = threading.Lock()

    def make(self, task: Task, candidate: Candidate) -> Program:
        """The program of a candidate; never raises for what the answer holds."""
        (program,) = self.make_all([(task, candidate)])
        return program

    def make_all(self, pairs: Sequence[tuple[Task, Candidate]]) -> list[Program]:
        """One a pair; neighbours that belong to one task are read in one go."""
        programs: list[Program] = []
        for (_, form, long), some in groupby(pairs, key=_alike):
            tasks, candidates = zip(*some, strict=True)
            task = tasks[0]
            if form is AnswerForm.EMPTY or long:  # nothing of the tool's text is read
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
        """The child is replaced where it ended, and goes on with the next answer.

        The machine may have ended it (as an OOM killer does), so the answer at hand is read again,
        alone and by a fresh child, before it is blamed.
        """
        programs: list[Program] = []
        while len(programs) < len(candidates):
            try:
                for program in self._ask(task, candidates[len(programs) :]):
                    programs.append(program)
            except _Ended:
                self._stop()
                programs.append(self._read_alone(task, candidates[len(programs)]))
        return programs

    def _read_alone(self, task: Task, candidate: Candidate) -> Program:
        problem = ""
        for _ in range(ATTEMPTS):
            try:
                (program,) = self._ask(task, [candidate])
                return program
            except _Ended as end:
                problem = str(end)
                if not self._stop():  # by its own limits
                    break
        return Program("", code=candidate.answer, problem=problem)

    def _ask(self, task: Task, candidates: Sequence[Candidate]) -> Iterator[Program]:
        """One program an answer, in order."""
        if self._child is None:
            self._child = self._start()
        answers = [candidate.answer for candidate in candidates]
        request: dict[str, object] = {"answers": answers, "form": str(candidates[0].form)}
        if task is not self._known:
            request["task"] = _needed(task)
            self._known = task
        self._send(json.dumps(request).encode("ascii"), time.monotonic() + self._deadline)
        for _ in answers:
            yield _program(self._receive(time.monotonic() + self._deadline))

    def _start(self) -> subprocess.Popen[bytes]:
        root = str(Path(polyassay.__file__).resolve().parent.parent)
        child = subprocess.Popen(
            [sys.executable, "-I", "-c", START, root],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"PATH": os.defpath, "LC_ALL": "C.UTF-8"},
            start_new_session=True,  # an interrupt at the keyboard is ours to handle
            bufsize=0,
        )
        assert child.stdin and child.stdout
        os.set_blocking(child.stdin.fileno(), False)
        self._known = None
        return child

    def _stop(self) -> bool:
        """Ends the child; True where something else had killed it before."""
        child, self._child, self._known = self._child, None, None
        if child is None:
            return False
        with suppress(subprocess.TimeoutExpired):  # one that has ended says how in a moment
            child.wait(timeout=0.2)
        killed = child.returncode == -signal.SIGKILL
        child.kill()
        child.wait()
        for pipe in (child.stdin, child.stdout):
            if pipe:
                pipe.close()
        return killed

    def _send(self, frame: bytes, until: float) -> None:
        assert self._child and self._child.stdin
        pipe = self._child.stdin.fileno()
        left = memoryview(struct.pack(">I", len(frame)) + frame)
        while left:
            _, ready, _ = select.select([], [pipe], [], max(0.0, until - time.monotonic()))
            if not ready:
                raise _Ended("reading the answer takes too long")
            try:
                left = left[os.write(pipe, left) :]
            except OSError as error:
                raise _Ended("the answer's reader ended") from error

    def _receive(self, until: float) -> bytes:
        (length,) = struct.unpack(">I", self._exactly(4, until))
        if length > MAX_REPLY:
            raise _Ended("the answer's program is too large")
        return self._exactly(length, until)

    def _exactly(self, count: int, until: float) -> bytes:
        assert self._child and self._child.stdout
        pipe, parts = self._child.stdout.fileno(), []
        while count:
            ready, _, _ = select.select([pipe], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                raise _Ended("reading the answer takes too long")
            part = os.read(pipe, min(count, 1 << 20))
            if not part:
                raise _Ended("reading the answer takes too much time or memory")
            parts.append(part)
            count -= len(part)
        return b"".join(parts)


def _alike(pair: tuple[Task, Candidate]) -> tuple[int, AnswerForm, bool]:
    task, candidate = pair
    return id(task), candidate.form, is_too_long(candidate)


def _needed(task: Task) -> dict[str, object]:
    """What a reader must know, and nothing that it could give away.

    No tests, references, prompts or files; of the tests' source its imports, and of the support its
    names and the base class.
    """
    base = task.extra.get("extends", "").replace(".", "/") + ".java"
    support = {path: source if path == base else "" for path, source in task.support.items()}
    given = {field.name: getattr(task, field.name) for field in fields(task)}
    without: dict[str, object] = dict.fromkeys(("reference", "setup"), "")
    without |= {"tests": (), "data_files": {}, "prompts": {}}
    without["test_source"] = "".join(_IMPORT.findall(task.test_source))
    return {**given, **without, "support": support, "limits": asdict(task.limits)}


def _program(reply: bytes) -> Program:
    try:
        given = json.loads(reply)
        given["notes"] = tuple(given["notes"])
        return Program(**given)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise _Ended("the answer's reader broke off") from error
