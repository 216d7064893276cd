"""Golden Java cases, each a folder, through the real harness in the real sandbox."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from polyassay.errors import PolyAssayError
from polyassay.harness import Job, Session, Settings
from polyassay.harness.java import JavaHarness
from polyassay.harness.java_jdk import find_jars
from polyassay.model import (
    Candidate,
    CandidateKey,
    Judging,
    Language,
    Limits,
    Outcome,
    Program,
    Report,
    Style,
    Task,
    Test,
)
from polyassay.sandbox.choose import find

CASES = Path(__file__).parent.parent / "golden" / "java"
NAMES = sorted(folder.name for folder in CASES.iterdir() if folder.is_dir())


def needs_jars() -> None:
    try:
        find_jars()
    except PolyAssayError as error:
        pytest.skip(f"{error.problem} {error.hint}")


MODES = {"together": (Judging.TOGETHER, 1), "apart-where-possible": (None, 50)}


@pytest.fixture(scope="module", params=MODES)
def session(request: pytest.FixtureRequest, java_home: Path) -> Iterator[Session]:
    needs_jars()
    judge, reuse = MODES[request.param]
    harness = JavaHarness(Settings(find(), java_home, judge=judge, reuse=reuse))
    session = harness.open()
    yield session
    session.close()
    harness.close()


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
        files={path: base64.b64encode(text.encode()).decode() for path, text in files.items()},
        limits=Limits(**data["limits"]),
    )
    answer = own_or_shared("Answer.java")
    candidate = Candidate(CandidateKey("golden", name, "tool", "en", 0), answer)
    return Job(task, candidate, Program(answer)), json.loads(own_or_shared("expected.json"))


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


@pytest.mark.parametrize("name", NAMES)
def test_case(session: Session, name: str) -> None:
    job, expected = read_case(name)
    (report,) = session.judge([job])
    assert expected.get("reason", "") in report.reason
    assert expected.get("output", "") in report.output
    assert len(report.output) < 100_000
    if "outcome" in expected:
        assert report.ending == Outcome(expected["outcome"])
        return
    assert report.ending is None, report.reason
    found = statuses(report)
    assert found.keys() == expected["tests"].keys()
    for test, status in expected["tests"].items():
        assert found[test].startswith(status), (test, found)


@pytest.mark.parametrize("judge", Judging)
def test_reuse_reruns_what_a_neighbour_spoilt(java_home: Path, judge: Judging) -> None:
    needs_jars()
    harness = JavaHarness(Settings(find(), java_home, judge=judge, reuse=50))
    session = harness.open()
    try:
        (right, _), (exits, expected) = read_case("right"), read_case("exits")
        first, second, third = session.judge([right, exits, right])
    finally:
        session.close()
        harness.close()
    assert first.flags == () and set(statuses(first).values()) == {"passed"}
    assert second.flags == () and statuses(second) == expected["tests"]
    assert set(statuses(third).values()) == {"passed"}
