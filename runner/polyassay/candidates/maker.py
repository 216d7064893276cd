"""Makes programs in a helper process, because answers are hostile text.

One warm child serves many answers. It limits its own memory and, per answer, its CPU time; one
that ends, hangs or answers nonsense is replaced, and the answer at hand becomes a problem.
"""

import json
import os
import select
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, fields
from itertools import groupby
from pathlib import Path

import polyassay
from polyassay.candidates.program import make_program
from polyassay.model import AnswerForm, Candidate, Program, Task

DEADLINE = 30.0  # wall seconds an answer; the child's own limit of CPU time is far below
MAX_REPLY = 256 << 20
START = (
    "import sys; sys.path.insert(0, sys.argv[1]);"
    " from polyassay.candidates import reader; reader.serve()"
)


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
            except _Ended as end:
                self._stop()
                answer = candidates[len(programs)].answer
                programs.append(Program("", code=answer, problem=str(end)))
        return programs

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

    def _stop(self) -> None:
        child, self._child, self._known = self._child, None, None
        if child is None:
            return
        child.kill()
        child.wait()
        for pipe in (child.stdin, child.stdout):
            if pipe:
                pipe.close()

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
        raise _Ended("the answer's reader broke off") from error
