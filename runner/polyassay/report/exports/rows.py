"""A run's verdicts as rows of CSV and lines of JSON."""

import csv
import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, TextIO

from polyassay.model import Verdict
from polyassay.shown_text import csv_cell

COLUMNS = (
    "suite", "task", "tool", "prompt_language", "sample", "outcome", "passed", "total", "judged",
    "seconds", "cpu_seconds", "reason",
)  # fmt: skip


def write_csv(verdicts: Iterable[Verdict], out: TextIO) -> None:
    """One row a candidate, without its tests."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for verdict in verdicts:
        fields = [getattr(verdict.candidate, name) for name in COLUMNS[:5]]
        fields += [getattr(verdict, name) for name in COLUMNS[5:]]
        writer.writerow(map(csv_cell, fields))


def as_dict(verdict: Verdict) -> dict[str, Any]:
    """A verdict as other programs read it."""
    fields: dict[str, Any] = {
        **asdict(verdict.candidate),
        "outcome": verdict.outcome,
        "passed": verdict.passed,
        "total": verdict.total,
        "tests": [
            {"name": t.name, "status": t.status, "message": t.message, "seconds": t.seconds}
            for t in verdict.tests
        ],
        "judged": verdict.judged,
        "seconds": verdict.seconds,
        "cpu_seconds": verdict.cpu_seconds,
        "reason": verdict.reason,
        "flags": list(verdict.flags),
    }
    if verdict.sets:
        fields["sets"] = {
            name: {"passed": score.passed, "total": score.total}
            for name, score in verdict.sets.items()
        }
        solved_by = verdict.solved_by
        fields["solved_by"] = solved_by and {"function": solved_by.function, "set": solved_by.set}
    return fields | dict(verdict.measures)


def write_jsonl(verdicts: Iterable[Verdict], out: TextIO) -> None:
    """The lines of `verdicts --json`."""
    for verdict in verdicts:
        out.write(json.dumps(as_dict(verdict)) + "\n")
