"""The helper process of `maker`: reads one answer after the other, within limits for each."""

from contextlib import suppress
from dataclasses import asdict
from typing import Any

from polyassay.candidates.program import make_program
from polyassay.helper_process import MAX_REQUEST, limit_cpu, limit_process
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
from polyassay_harness.wire import frames

CPU_SECONDS = 20.0  # an answer; three times what the longest takes
NOBODY = CandidateKey("", "", "", "", 0)


def serve() -> None:
    """Until the owner closes the pipe; a request has its task only where that is another one."""
    limit_process()
    with suppress(frames.StreamEnded):
        while True:
            request = frames.receive(0, limit=MAX_REQUEST)
            if "task" in request:
                task = _task(request["task"])
            for answer in request["answers"]:
                limit_cpu(CPU_SECONDS)
                candidate = Candidate(NOBODY, answer, AnswerForm(request["form"]))
                frames.send(1, asdict(_made(task, candidate)))
            limit_cpu(0)


def _made(task: Task, candidate: Candidate) -> Program:
    try:
        return make_program(task, candidate)
    except MemoryError:
        return Program("", problem="reading the answer takes too much memory")
    except RecursionError:
        return Program("", code=candidate.answer, problem="the answer is nested too deeply")


def _task(fields: dict[str, Any]) -> Task:
    fields["language"] = Language(fields["language"])
    fields["style"] = Style(fields["style"])
    fields["limits"] = Limits(**fields["limits"])
    for name in ("tests", "libraries", "tags"):
        fields[name] = tuple(fields[name])
    return Task(**fields)
