"""What a run's file leaves out where its suites' tests and references are not everyone's.

A suite is named with its checksum only; whoever reads the file has to have it. Messages, reasons
and output quote tests, so they are empty; so are the sources of programs, which may hold given
code. The answers of `reference` are the references, so that tool is not in the file.
"""

import json
from collections.abc import Mapping
from typing import Any

from polyassay.model import Suite

WITHHELD = ("tests", "references")
NEVER_SENT = "reference"  # the built-in tool


def suite_without(suite: Suite) -> dict[str, Any]:
    return {
        "name": suite.name,
        "version": suite.version,
        "checksum": suite.checksum,
        "withheld": True,
    }


def provenance_without(facts: Mapping[str, Any]) -> dict[str, Any]:
    answers = facts["candidates"]
    tools = {name: count for name, count in answers["tools"].items() if name != NEVER_SENT}
    return {**facts, "candidates": {**answers, "tools": tools}}


def row_without(kind: str, row: Mapping[str, Any]) -> dict[str, Any]:
    if kind != "verdict":
        return dict(row)
    body = json.loads(row["body"])
    body |= {
        "tests": [{**test, "message": ""} for test in body["tests"]],
        "reason": "",
        "output": "",
        "program": {**body["program"], "source": "", "problem": ""},
    }
    return {**row, "body": json.dumps(body)}
