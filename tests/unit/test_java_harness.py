"""Golden Java cases, each a folder, through the real harness in the real sandbox."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from golden_java import NAMES, read_case, statuses
from polyassay.errors import PolyAssayError
from polyassay.harness import Session, Settings
from polyassay.harness.java import JavaHarness
from polyassay.harness.java_jdk import find_jars
from polyassay.model import Judging, Outcome
from polyassay.sandbox.choose import find


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
