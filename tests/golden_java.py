"""The golden Java cases: a folder each, with an answer and what becomes of it."""

import base64
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from polyassay.harness import Job
from polyassay.model import (
    Candidate,
    CandidateKey,
    Language,
    Limits,
    Program,
    Report,
    Style,
    Task,
    Test,
)

CASES = Path(__file__).parent / "golden" / "java"
NAMES = sorted(folder.name for folder in CASES.iterdir() if folder.is_dir())


def read_case(name: str) -> tuple[Job, dict[str, Any]]:
    folder = CASES / name

    def own_or_shared(file: str) -> str:
        own = folder / file
        return (own if own.exists() else CASES / file).read_text(encoding="utf-8")

    data = json.loads(own_or_shared("task.json"))
    files = data.get("files", {})
    task = Task(
        id=name,
        suite="golden",
        language=Language.JAVA,
        style=Style.JUNIT,
        prompts={},
        tests=tuple(Test(test) for test in data["tests"]),
        class_name=data["class_name"],
        signature=data["signature"],
        test_source=own_or_shared("Tests.java"),
        support=data.get("support", {}),
        data_files={path: base64.b64encode(text.encode()).decode() for path, text in files.items()},
        limits=Limits(**data["limits"]),
    )
    answer = own_or_shared("Answer.java")
    candidate = Candidate(CandidateKey("golden", name, "tool", "en", 0), answer)
    return Job(task, candidate, Program(answer)), json.loads(own_or_shared("expected.json"))


def check_statuses(report: Report, expected: dict[str, str]) -> None:
    """Every test ended as its case says, and no other was reported."""
    assert report.ending is None, report.reason
    found = statuses(report)
    assert found.keys() == expected.keys()
    for test, status in expected.items():
        assert found[test].startswith(status), (test, found)


def statuses(report: Report) -> dict[str, str]:
    """Each test's status; an error with its type and message."""
    found = {}
    for case in ElementTree.fromstring(report.xml).iter("testcase"):
        words = "passed"
        for child in case:
            kind = child.get("type", "")
            words = {"failure": "failed", "skipped": "skipped"}.get(child.tag, "error")
            if kind.startswith("polyassay."):
                words = kind.removeprefix("polyassay.")
            elif words == "error":
                words = f"error: {kind}: {child.get('message')}"
        found[case.attrib["name"]] = words
    return found
