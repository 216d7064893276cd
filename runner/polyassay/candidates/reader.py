"""The helper process of `maker`: reads one answer after the other, within limits for each."""

import json
import resource
import signal
import struct
import sys
import warnings
from dataclasses import asdict
from typing import Any, BinaryIO

from polyassay.candidates.program import make_program
from polyassay.model import (
    AnswerForm,
    Candidate,
    CandidateKey,
    Language,
    Limits,
    Program,
    Style,
    Task,
)

MEMORY = 2 << 30
# An answer; three times what the longest takes. SIGPROF ends the process, by its default action.
CPU_SECONDS = 20.0
NOBODY = CandidateKey("", "", "", "", 0)


def serve() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    warnings.simplefilter("ignore")  # answers' odd escapes are not ours to report
    task: Task | None = None
    while (request := _receive(sys.stdin.buffer)) is not None:
        if "task" in request:
            task = _task(request["task"])
        assert task is not None
        for answer in request["answers"]:
            candidate = Candidate(NOBODY, answer, AnswerForm(request["form"]))
            signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
            reply = json.dumps(asdict(_made(task, candidate))).encode("ascii")
            signal.setitimer(signal.ITIMER_PROF, 0)
            sys.stdout.buffer.write(struct.pack(">I", len(reply)) + reply)
            sys.stdout.buffer.flush()


def _made(task: Task, candidate: Candidate) -> Program:
    try:
        return make_program(task, candidate)
    except MemoryError:
        return Program("", problem="reading the answer takes too much memory")
    except RecursionError:
        return Program("", code=candidate.answer, problem="the answer is nested too deeply")


def _receive(pipe: BinaryIO) -> dict[str, Any] | None:
    head = pipe.read(4)
    if len(head) < 4:
        return None
    (length,) = struct.unpack(">I", head)
    request = json.loads(pipe.read(length))
    assert isinstance(request, dict)
    return request


def _task(fields: dict[str, Any]) -> Task:
    fields["language"] = Language(fields["language"])
    fields["style"] = Style(fields["style"])
    fields["limits"] = Limits(**fields["limits"])
    for name in ("tests", "libraries", "tags"):
        fields[name] = tuple(fields[name])
    return Task(**fields)
