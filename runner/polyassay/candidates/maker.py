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
from dataclasses import asdict, replace
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
        if candidate.form is AnswerForm.EMPTY:
            return make_program(task, candidate)  # none of it is the tool's text
        with self._lock:
            try:
                return self._ask(task, candidate)
            except _Ended as end:
                self._stop()
                return Program("", code=candidate.answer, problem=str(end))

    def close(self) -> None:
        with self._lock:
            self._stop()

    def __enter__(self) -> "ProgramMaker":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ask(self, task: Task, candidate: Candidate) -> Program:
        if self._child is None:
            self._child = self._start()
        request: dict[str, object] = {"answer": candidate.answer, "form": str(candidate.form)}
        if task is not self._known:
            request["task"] = _needed(task)
            self._known = task
        until = time.monotonic() + self._deadline
        self._send(json.dumps(request).encode("ascii"), until)
        return _program(self._receive(until))

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
    return asdict(replace(task, tests=(), files={}, support=support, prompts={}))


def _program(reply: bytes) -> Program:
    try:
        fields = json.loads(reply)
        fields["notes"] = tuple(fields["notes"])
        return Program(**fields)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise _Ended("the answer's reader broke off") from error
