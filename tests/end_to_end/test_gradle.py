"""The Gradle engine gives the verdicts that the worker engine gives, on every kind of candidate."""

import dataclasses
import re
from pathlib import Path

import pytest

from golden_java import NAMES, check_statuses, read_case, statuses
from polyassay.errors import PolyAssayError
from polyassay.harness import Job, RunSettings
from polyassay.harness.gradle.harness import GradleHarness
from polyassay.junit.report import verdict_of
from polyassay.model import (
    Candidate,
    CandidateKey,
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
from real_parts import given, need

TASK = Task(
    id="half",
    suite="s",
    language=Language.JAVA,
    style=Style.JUNIT,
    prompts={"en": "Half of a number, after reading a file."},
    tests=tuple(map(Test, ("ofFour", "ofZero", "readsFile"))),
    class_name="p.Half",
    signature="public int half(int n)",
    test_source="""package p;
import static org.junit.jupiter.api.Assertions.*;
import java.nio.file.*;
import org.junit.jupiter.api.*;
@TestMethodOrder(MethodOrderer.MethodName.class)
public class HalfTest {
  @Test void ofFour() { int half = new Half().half(4); assertEquals(2, half); }
  @Test void ofZero() { assertEquals(0, new Half().half(0)); }
  @Test void readsFile() throws Exception {
    assertEquals("hello", Files.readString(Path.of("data/in.txt")));
    Files.delete(Path.of("data/in.txt"));
    assertEquals(1, new Half().half(2));
  }
}
""",
    support={
        "p/Base.java": "package p;\npublic class Base { protected int two() { return 2; } }\n"
    },
    data_files={"data/in.txt": "aGVsbG8="},
    limits=Limits(seconds=4, total_seconds=300, memory_mb=64),
)
CLASS = "package p;\npublic class Half extends Base {\n  public int half(int n) {\n    %s\n  }\n}\n"
OWN = {
    "good": CLASS % "return n / two();",
    "divides": CLASS % "return 8 / n;",
    "leaves a thread": CLASS % "new Thread(() -> { while (true) {} }).start(); return n / 2;",
    "other signature": CLASS.replace("int half", "String half") % 'return "";',
}
SLEEPS = CLASS % "try { Thread.sleep(600_000); } catch (Exception e) { } return n / 2;"
# The reference is plainer: JUnit is on the class path, nobody listens to what a candidate writes
# to its standard output, tests are compiled with all of its classes, and Gradle's own process ends
# over an exception whose methods throw.
ELSEWHERE = {
    "exceptions-that-throw",
    "forges-a-frame",
    "hides-a-class-of-the-jdk",
    "hides-assertions-by-force",
    "reaches-into-junit",
}
GOLDEN = [name for name in NAMES if name not in ELSEWHERE]


def own_job(source: str) -> Job:
    candidate = Candidate(CandidateKey("s", "half", "tool", "en", 0), source)
    return Job(TASK, candidate, Program(source, code=source))


def with_total(job: Job, seconds: float) -> Job:
    limits = dataclasses.replace(job.task.limits, total_seconds=seconds)
    return dataclasses.replace(job, task=dataclasses.replace(job.task, limits=limits))


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Report]:
    """All of them in one project, as they would be in a run."""
    need("gradle")
    with given("java"):
        harness = GradleHarness(RunSettings(find(), tmp_path_factory.mktemp("home")))
    jobs = {name: own_job(source) for name, source in OWN.items()}
    jobs["sleeps"] = with_total(own_job(SLEEPS), 12)
    jobs |= {name: with_total(read_case(name)[0], 300) for name in GOLDEN}
    return dict(zip(jobs, harness.open().judge(list(jobs.values())), strict=True))


@pytest.mark.parametrize("name", GOLDEN)
def test_same_as_the_worker_engine(reports: dict[str, Report], name: str) -> None:
    _, expected = read_case(name)
    report = reports[name]
    assert expected.get("output", "") in report.output
    if "outcome" in expected:
        assert report.ending == Outcome(expected["outcome"])
        assert re.sub(r", column \d+|, found .*|^found .*", "", expected["reason"]) in report.reason
        return
    check_statuses(report, expected["tests"])


def test_what_sleeps_idles_by_the_rule_of_all_engines(reports: dict[str, Report]) -> None:
    assert reports["sleeps"].idled and "did nothing for 4 s" in reports["sleeps"].xml


def test_support_and_files(reports: dict[str, Report]) -> None:
    for name in ("good", "leaves a thread"):
        assert set(statuses(reports[name]).values()) == {"passed"}, reports[name]


def test_failures_say_where(reports: dict[str, Report]) -> None:
    verdict = verdict_of(TASK, own_job("").candidate, reports["divides"])
    messages = {test.name: test.message for test in verdict.tests}
    assert messages["ofFour"] == ""
    assert messages["ofZero"] == "/ by zero (at line 4 of the answer)"
    assert messages["readsFile"] == "expected: <1> but was: <4> (HalfTest:12)"


def test_another_signature_is_said(reports: dict[str, Report]) -> None:
    assert "expected signature public int half(int n); HalfTest.java:7: " in (
        reports["other signature"].reason
    )


def test_gradle_must_be_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PolyAssayError, match="Gradle was not found") as caught:
        GradleHarness(RunSettings(sandbox=find("none", trusted=True), home=tmp_path))
    assert "Debian's package gradle" in caught.value.hint
