"""The helper process of `maker`: reads one answer after the other, within limits for each."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from polyassay.candidates.program import make_program
from polyassay.helper_process import serve_frames
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

CPU_SECONDS = 20.0  # an answer; three times what the longest takes
NOBODY = CandidateKey("", "", "", "", 0)


def serve() -> None:
    known: list[Task] = []  # the task that answers belong to until another one is sent

    def replies(request: dict[str, Any]) -> Iterator[dict[str, Any]]:
        if "task" in request:
            known[:] = [_task(request["task"])]
        for answer in request["answers"]:
            candidate = Candidate(NOBODY, answer, AnswerForm(request["form"]))
            yield asdict(_made(known[0], candidate))

    serve_frames(replies, CPU_SECONDS)


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
