"""The Gradle engine on every kind of candidate, in one project, as it would be in a run."""

import shutil
from pathlib import Path

import pytest

from polyassay.errors import PolyAssayError
from polyassay.harness import Job, Settings
from polyassay.harness.gradle import GradleHarness
from polyassay.harness.java_jdk import find_jars
from polyassay.junit_report import verdict_of
from polyassay.model import (
    Candidate,
    CandidateKey,
    Language,
    Limits,
    Outcome,
    Program,
    Style,
    Task,
    Test,
    TestStatus,
    Verdict,
)
from polyassay.sandbox.choose import find

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
    files={"data/in.txt": "aGVsbG8="},
    limits=Limits(seconds=4, total_seconds=120, memory_mb=64),
)
CLASS = "package p;\npublic class Half extends Base {\n  public int half(int n) {\n    %s\n  }\n}\n"
P, F, E = TestStatus.PASSED, TestStatus.FAILED, TestStatus.ERROR
CANDIDATES: dict[str, tuple[str, Outcome, list[TestStatus] | str]] = {
    "good": (CLASS % "return n / two();", Outcome.PASSED, [P, P, P]),
    "wrong": (CLASS % "return 2;", Outcome.FAILED, [P, F, F]),
    "throws": (CLASS % "return 8 / n;", Outcome.FAILED, [P, E, F]),
    "loops": (
        CLASS % "while (n == 0) {} return n / 2;",
        Outcome.TIMED_OUT,
        [P, TestStatus.TIMED_OUT, P],
    ),
    "exits": (
        CLASS % "if (n == 4) System.exit(0); return n / 2;",
        Outcome.CRASHED,
        [TestStatus.CRASHED, P, P],
    ),
    "fills the heap": (
        CLASS % "return n == 0 ? new long[1 << 28].length : n / 2;",
        Outcome.OUT_OF_MEMORY,
        [P, TestStatus.OUT_OF_MEMORY, P],
    ),
    "prints": (
        CLASS % 'for (int i = 0; i < 1 << 20; i++) System.out.println("spam"); return n / 2;',
        Outcome.PASSED,
        [P, P, P],
    ),
    "leaves a thread": (
        CLASS % "new Thread(() -> { while (true) {} }).start(); return n / 2;",
        Outcome.PASSED,
        [P, P, P],
    ),
    "unknown name": (CLASS % "return x;", Outcome.UNBUILT, "line 4: cannot find symbol"),
    "other signature": (
        (CLASS % "return n;").replace("int half", "String half").replace("return n", 'return ""'),
        Outcome.UNBUILT,
        "expected signature public int half(int n); HalfTest.java:7: ",
    ),
    "other class": (
        "package p;\nclass Half2 {}\n",
        Outcome.UNBUILT,
        "HalfTest.java",
    ),
    "takes a class of the tests": (
        (CLASS % "return n / 2;") + "class HalfTest {}\n",
        Outcome.UNBUILT,
        "the answer defines p.HalfTest, which belongs to the tests",
    ),
    "no java": ("I cannot help with that.", Outcome.UNBUILT, "line 1: "),
}


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    if shutil.which("gradle") is None:
        pytest.skip("needs Debian's package gradle")
    settings = Settings(sandbox=find(), home=tmp_path_factory.mktemp("home"))
    harness = GradleHarness(settings)
    jobs = [
        Job(
            TASK,
            Candidate(CandidateKey("s", "half", "tool", "en", sample), source),
            Program(source, code=source),
        )
        for sample, (source, _, _) in enumerate(CANDIDATES.values())
    ]
    reports = harness.open().judge(jobs)
    return {
        name: verdict_of(job.task, job.candidate, report)
        for name, job, report in zip(CANDIDATES, jobs, reports, strict=True)
    }


@pytest.mark.parametrize("name", CANDIDATES)
def test_verdicts(verdicts: dict[str, Verdict], name: str) -> None:
    _, outcome, expected = CANDIDATES[name]
    verdict = verdicts[name]
    assert verdict.outcome is outcome, verdict.reason
    if isinstance(expected, str):
        assert expected in verdict.reason
    else:
        assert [test.status for test in verdict.tests] == expected, verdict.tests


def test_failures_say_where(verdicts: dict[str, Verdict]) -> None:
    messages = {test.name: test.message for test in verdicts["throws"].tests}
    assert messages["ofZero"] == "/ by zero (at line 4 of the answer)"
    assert messages["readsFile"] == "expected: <1> but was: <4> (HalfTest:12)"


def test_what_is_printed_is_kept_up_to_a_limit(verdicts: dict[str, Verdict]) -> None:
    assert verdicts["prints"].output.startswith("spam\nspam\n")
    assert verdicts["wrong"].output == ""


def test_gradle_must_be_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    find_jars()
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PolyAssayError, match="Gradle was not found") as caught:
        GradleHarness(Settings(sandbox=find("none", trusted=True), home=tmp_path))
    assert "Debian's package gradle" in caught.value.hint
