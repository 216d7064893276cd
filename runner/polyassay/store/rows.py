"""Values ↔ rows."""

import dataclasses
import json
import zlib
from collections.abc import Mapping
from typing import Any

from sqlalchemy import RowMapping

from polyassay.model import (
    AnswerForm,
    Candidate,
    CandidateKey,
    Judging,
    Language,
    Limits,
    Outcome,
    Program,
    SetScore,
    SolvedBy,
    Style,
    Suite,
    Task,
    Test,
    TestResult,
    TestStatus,
    Verdict,
)

BULKY = ("raw", "shape")  # of an origin; what a run needs of it is beside them
KEY = ("suite", "task", "tool", "prompt_language", "sample")


def key_row(run: str, key: CandidateKey) -> dict[str, Any]:
    return {"run": run} | {name: getattr(key, name) for name in KEY}


def key_of(row: RowMapping) -> CandidateKey:
    return CandidateKey(**{name: row[name] for name in KEY})


def candidate_row(run: str, position: int, candidate: Candidate) -> dict[str, Any]:
    return key_row(run, candidate.key) | {
        "position": position,
        "form": candidate.form.value,
        "answer": candidate.answer,
        "origin": _origin_text(candidate),
    }


def _origin_text(candidate: Candidate) -> str | None:
    if candidate.origin is None:
        return None
    kept = {name: value for name, value in candidate.origin.items() if name not in BULKY}
    return json.dumps(kept)


def candidate_of(row: RowMapping) -> Candidate:
    origin = json.loads(row["origin"]) if row["origin"] else None
    return Candidate(key_of(row), row["answer"], AnswerForm(row["form"]), origin)


COLUMNS = ("outcome", "passed", "total", "judged", "seconds", "cpu_seconds")
RECORDED = ("flags", "sets", "solved_by", "measures")  # what scores need of few verdicts


def verdict_rows(run: str, verdict: Verdict) -> tuple[dict[str, Any], dict[str, Any]]:
    """What scores need, and the rest."""
    body = _fields(verdict)
    key = key_row(run, body.pop("candidate"))
    columns = {name: body.pop(name) for name in COLUMNS}
    columns["recorded"] = recorded_text(body)
    return key | columns, key | {"body": json.dumps(body, default=_fields)}


def recorded_text(body: Mapping[str, Any]) -> str | None:
    found = {name: body[name] for name in RECORDED if body[name]}
    return json.dumps(found, default=_fields) if found else None


def _fields(value: Any) -> dict[str, Any]:
    """One level of a dataclass: `asdict` would copy all that is in it, for every verdict."""
    return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}


def verdict_of(row: RowMapping) -> Verdict:
    body = json.loads(row["body"])
    return Verdict(
        candidate=key_of(row),
        outcome=Outcome(row["outcome"]),
        passed=row["passed"],
        total=row["total"],
        tests=tuple(
            TestResult(t["name"], TestStatus(t["status"]), t["message"], t["seconds"])
            for t in body["tests"]
        ),
        judged=Judging(row["judged"]),
        reason=body["reason"],
        seconds=row["seconds"],
        cpu_seconds=row["cpu_seconds"],
        flags=tuple(body["flags"]),
        sets={name: SetScore(**score) for name, score in body["sets"].items()},
        solved_by=SolvedBy(**body["solved_by"]) if body["solved_by"] else None,
        program=Program(**body["program"] | {"notes": tuple(body["program"]["notes"])}),
        output=body["output"],
        measures=body["measures"],
    )


def suite_body(suite: Suite) -> bytes:
    return zlib.compress(json.dumps(dataclasses.asdict(suite)).encode())


def suite_of(body: bytes) -> Suite:
    return suite_from(json.loads(zlib.decompress(body)))


def suite_from(fields: dict[str, Any]) -> Suite:
    """From what `dataclasses.asdict` gives."""
    fields["tasks"] = tuple(_task_of(task) for task in fields["tasks"])
    fields["libraries"] = {name: tuple(pins) for name, pins in fields["libraries"].items()}
    return Suite(**fields)


def _task_of(fields: dict[str, Any]) -> Task:
    return Task(
        **fields
        | {
            "language": Language(fields["language"]),
            "style": Style(fields["style"]),
            "tests": tuple(Test(**test) for test in fields["tests"]),
            "libraries": tuple(fields["libraries"]),
            "tags": tuple(fields["tags"]),
            "limits": Limits(**fields["limits"]),
        }
    )
