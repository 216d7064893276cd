"""Jars that a suite brings: part of it, laid out by what is in them, and used by candidates."""

import dataclasses
from pathlib import Path

import pytest

from golden_java import statuses
from java_library import LIBRARY, write_suite
from polyassay.environments.harness_jars import find_jars
from polyassay.environments.interpreters import ensure
from polyassay.environments.suite_jars import jars_of, lacking
from polyassay.errors import PolyAssayError
from polyassay.harness import Job, RunSettings
from polyassay.harness.java.harness import JavaHarness
from polyassay.model import Candidate, CandidateKey, Judging, Program, Suite
from polyassay.sandbox.choose import find
from polyassay.store.rows import suite_body, suite_of
from polyassay.suites.make import line_of
from polyassay.suites.native import jsonl as native
from polyassay.suites.registry import Registry
from real_parts import given


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    with given("java"):
        find_jars()
    (suite,) = native.read(write_suite(tmp_path_factory.mktemp("bounded")), None)
    return suite


def test_tests_that_use_a_library_can_be_judged_apart(suite: Suite) -> None:
    assert suite.tasks[0].together_because == ""
    assert list(suite.jars) == list(suite.tasks[0].jars) == ["bounds.jar"]


def test_another_jar_is_another_suite(suite: Suite, tmp_path: Path) -> None:
    changed = write_suite(tmp_path / "changed", LIBRARY.replace("call ", "called "))
    (other,) = native.read(changed, None)
    assert other.checksum != suite.checksum
    assert [task.tests for task in other.tasks] == [task.tests for task in suite.tasks]


def test_suites_are_kept_with_their_jars(suite: Suite, tmp_path: Path) -> None:
    registry = Registry(tmp_path, tmp_path / "none")
    assert registry.add(suite)
    assert registry.load(suite.name) == suite
    assert suite_of(suite_body(suite)) == suite
    with (tmp_path / "suites" / suite.name / "lib" / "bounds.jar").open("ab") as jar:
        jar.write(b"\0")
    with pytest.raises(PolyAssayError, match="does not fit the jars"):
        registry.load(suite.name)


def test_jars_are_laid_out_by_what_is_in_them(suite: Suite, tmp_path: Path) -> None:
    (task,) = suite.tasks
    assert lacking(tmp_path, task) == "the library bounds.jar is not here"
    ensure(tmp_path, suite)
    (jar,) = jars_of(tmp_path, task)
    assert lacking(tmp_path, task) == "" and jar.stem == task.jars["bounds.jar"]
    whole = jar.read_bytes()
    jar.write_bytes(whole[:-1])
    ensure(tmp_path, suite)
    assert jar.read_bytes() == whole
    assert list(jar.parent.iterdir()) == [jar]


@pytest.mark.parametrize(
    ("checksum", "words"),
    [("0" * 64, "names jars that do not come with it"), ("../x", "must have the SHA-256")],
)
def test_a_file_brings_no_jars(suite: Suite, tmp_path: Path, checksum: str, words: str) -> None:
    task = dataclasses.replace(suite.tasks[0], jars={"bounds.jar": checksum})
    (tmp_path / "s.jsonl").write_text(line_of(task) + "\n")
    with pytest.raises(PolyAssayError, match=words):
        native.read(tmp_path / "s.jsonl", None)


@pytest.mark.parametrize("judge", Judging)
def test_each_candidate_has_libraries_of_its_own(
    suite: Suite, java_home: Path, judge: Judging
) -> None:
    ensure(java_home, suite)
    (task,) = suite.tasks
    key = CandidateKey(suite.name, task.id, "tool", "en", 0)
    right = Job(task, Candidate(key, task.reference), Program(task.reference))
    harness = JavaHarness(RunSettings(find(), java_home, judge=judge, reuse=50))
    session = harness.open()
    try:
        other = dataclasses.replace(right, task=dataclasses.replace(task, id="other"))
        first, second = session.judge([right, other])
    finally:
        session.close()
        harness.close()
    # No JVM goes on after a library: what it leaves behind is not known (Footprint).
    assert second.flags == ()
    for report in (first, second):
        assert set(statuses(report).values()) == {"passed"}, report.reason
        assert report.judged is judge
        assert report.output.startswith("call 1\n")  # its static fields are new
