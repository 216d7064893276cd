"""The pure parts of the Gradle engine: what was printed and reported, read without a JVM."""

import dataclasses
import json
from pathlib import Path

import pytest

from polyassay.harness import Job
from polyassay.harness.gradle.adapter import adapter_of, call_problems
from polyassay.harness.gradle.guest.console import Events
from polyassay.harness.gradle.project import Toolchain, build_problem, layout
from polyassay.harness.gradle.report import cases_of
from polyassay.harness.java.jdk import Jdk
from polyassay.model import (
    Candidate,
    CandidateKey,
    Language,
    Program,
    Style,
    Task,
    Test,
    TestStatus,
)

TASK = Task(
    id="half",
    suite="s",
    language=Language.JAVA,
    style=Style.JUNIT,
    prompts={},
    tests=tuple(map(Test, ("a", "b", "c"))),
    class_name="p.Half",
    signature="public int half(int n)",
    test_source="package p;\nimport x.*;\npublic final class HalfTest {}\n",
    support={"p/Base.java": "package p;"},
    data_files={"in.txt": "aGk="},
)
KEY = CandidateKey("s", "half", "tool", "en", 0)
JOB = Job(TASK, Candidate(KEY, "x"), Program("import java.util.*;\nx", first_line=2))
BUILT = {"candidate": ["p.Half"], "support": ["p.Base"], "tests": ["p.HalfTest"]}
HEAD = (
    '<?xml version="1.0" ?>\n<e:events xmlns="https://schemas.opentest4j.org/reporting/core/0.2.0"'
    ' xmlns:e="https://schemas.opentest4j.org/reporting/events/0.2.0"'
    ' xmlns:java="https://schemas.opentest4j.org/reporting/java/0.2.0">\n'
    '<e:started id="1" name="HalfTest" time="2026-01-01T00:00:00.000000001Z"></e:started>\n'
)
TAIL = '<e:finished id="1"><result status="SUCCESSFUL"></result></e:finished>\n</e:events>'


def started(number: int, name: str) -> str:
    return (
        f'<e:started id="{number}" parentId="1" time="2026-01-01T00:00:01.5Z"><sources>'
        f'<java:methodSource className="p.HalfTest" methodName="{name}"></java:methodSource>'
        "</sources></e:started>\n"
    )


def finished(number: int, status: str, thrown: str = "", asserted: bool = False) -> str:
    kind = thrown.partition(":")[0]
    inner = (
        f'<java:throwable assertionError="{str(asserted).lower()}" type="{kind}">'
        f"<![CDATA[{thrown}]]></java:throwable>"
        if thrown
        else ""
    )
    return (
        f'<e:finished id="{number}" time="2026-01-01T00:00:02Z"><result status="{status}">{inner}'
        "</result></e:finished>\n"
    )


def attempt(report: str, ending: str = "", why: str = "") -> dict[str, object]:
    return {"report": report, "ending": ending, "why": why}


def statuses(*attempts: dict[str, object]) -> list[str]:
    return [str(case.status) for case in cases_of(JOB, attempts)]


PASSES = "".join(started(n, t) + finished(n, "SUCCESSFUL") for n, t in ((2, "a"), (3, "b")))


def test_results_and_places() -> None:
    trace = "\n\tat org.junit.X.y(X.java:1)\n\tat p.HalfTest.b(HalfTest.java:9)\n"
    deep = "\n\tat java.base/java.util.X.y(X.java:1)\n\tat p.Half$1.half(Half.java:5)\n"
    report = (
        HEAD
        + started(2, "a")
        + finished(2, "SUCCESSFUL")
        + started(3, "b")
        + finished(3, "FAILED", "x.AssertionFailedError: not\nso" + trace, asserted=True)
        + started(4, "c")
        + finished(4, "FAILED", "x.Bad: why" + deep)
        + TAIL
    )
    a, b, c = cases_of(JOB, [attempt(report)])
    assert (a.status, a.seconds) == (TestStatus.PASSED, 0.5)
    assert (b.status, b.message) == (TestStatus.FAILED, "not\nso (HalfTest:9)")
    assert (c.status, c.type, c.message) == (
        TestStatus.ERROR,
        "x.Bad",
        "why (at line 4 of the answer)",
    )


@pytest.mark.parametrize(
    ("event", "status"),
    [
        (finished(4, "SUCCESSFUL"), "passed"),
        (finished(4, "SKIPPED"), "skipped"),
        (finished(4, "ABORTED", "org.opentest4j.TestAbortedException: no"), "skipped"),
        (finished(4, "FAILED", "java.lang.OutOfMemoryError: heap"), "out_of_memory"),
        (finished(4, "FAILED", "x.Y: z\nCaused by: java.lang.OutOfMemoryError"), "out_of_memory"),
        (finished(4, "NEW"), "error"),
        ('<e:finished id="4"></e:finished>', "error"),
    ],
)
def test_statuses(event: str, status: str) -> None:
    report = HEAD + PASSES + started(4, "c") + event + TAIL
    assert statuses(attempt(report)) == ["passed", "passed", status]


def test_an_ending_belongs_to_the_running_test() -> None:
    crashed = attempt(HEAD + PASSES + started(4, "c")[:-3], "crashed", "exit status 0")
    assert statuses(crashed) == ["passed", "passed", "crashed"]
    between = attempt(HEAD + started(2, "a") + finished(2, "SUCCESSFUL"), "timed_out")
    assert statuses(between) == ["passed", "timed_out", "not_run"]
    after_all = attempt(HEAD + PASSES + started(4, "c") + finished(4, "SUCCESSFUL"), "crashed")
    assert statuses(after_all) == ["passed", "passed", "crashed"]


def test_later_processes_run_what_is_left() -> None:
    first = attempt(HEAD + started(2, "a"), "crashed", "exit status 3")
    second = attempt(HEAD + started(2, "b") + finished(2, "SUCCESSFUL") + TAIL)
    assert statuses(first, second) == ["crashed", "passed", "error"]


def test_a_class_that_fails_fails_its_tests() -> None:
    report = HEAD + finished(1, "FAILED", "java.lang.ExceptionInInitializerError: x")
    assert statuses(attempt(report)) == ["error"] * 3


def test_a_method_passes_with_all_that_it_makes() -> None:
    made = '<e:started id="8" parentId="4" name="of 9"></e:started>\n'
    report = HEAD + PASSES + started(4, "c") + made
    assert statuses(attempt(report + finished(8, "FAILED") + finished(4, "SUCCESSFUL"))) == [
        "passed",
        "passed",
        "error",
    ]


def test_silence_is_no_pass() -> None:
    assert statuses() == ["error"] * 3
    assert statuses(attempt("")) == ["error"] * 3
    assert statuses(attempt("<not xml", "crashed")) == ["crashed", "not_run", "not_run"]
    assert "passed" not in statuses(attempt(HEAD + TAIL))


def test_builds() -> None:
    assert build_problem(JOB, "c1", BUILT, "") == ""
    assert build_problem(JOB, "c1", BUILT | {"candidate": []}, "what?") is None
    other = "Execution failed for task ':compileC10CandidateJava'."
    assert build_problem(JOB, "c1", BUILT | {"tests": []}, other) is None


def test_diagnostics_in_the_answers_own_lines() -> None:
    printed = (
        ":compileC1CandidateJava/scratch/project/candidates/c1/candidate/p/Half.java:5: error: "
        "cannot find symbol\n  return x;\n         ^\n  symbol:   variable x\n"
        "  location: class Half\n"
        "/scratch/project/candidates/c1/candidate/p/Half.java:1: error: package q does not exist\n"
        "import q.*;\n^\n2 errors\n symbol: nobody's\n"
        "/scratch/project/candidates/c10/candidate/p/Half.java:7: error: another's\n"
        "> Execution failed for task ':compileC1CandidateJava'.\n"
    )
    assert build_problem(JOB, "c1", BUILT | {"candidate": []}, printed) == (
        "line 4: cannot find symbol\n  symbol: variable x\n  location: class Half\n"
        "before the answer's first line: package q does not exist"
    )


def test_tests_that_do_not_fit_the_answer() -> None:
    printed = (
        "/scratch/project/candidates/c1/tests/HalfTest.java:9: error: incompatible types\n"
        "Execution failed for task ':compileC1TestsJava'.\n"
    )
    assert build_problem(JOB, "c1", BUILT | {"tests": []}, printed) == (
        "expected signature public int half(int n); HalfTest.java:9: incompatible types"
    )


@pytest.mark.parametrize(
    ("own", "words"),
    [
        (["p.Other"], "expected the class p.Half, found p.Other"),
        (["p.Half", "p.Base"], "the answer defines p.Base, which belongs to the tests"),
        (["p.Half", "org.junit.jupiter.api.Test"], "package is not the answer's"),
    ],
)
def test_classes_that_are_not_the_answers(own: list[str], words: str) -> None:
    assert words in str(build_problem(JOB, "c1", BUILT | {"candidate": own}, ""))


@pytest.mark.parametrize(
    ("signature", "declared", "call"),
    [
        ("public static int f(int a)", "static int call(int a)", "return Half.f(a);"),
        (
            "public <K, V> Map.Entry<K, V> f(Map<K, List<V>> m, K... k) throws E",
            "static <K, V> Map.Entry<K, V> call(Half polyassayTarget, Map<K, List<V>> m, K... k)",
            "return polyassayTarget.f(m, k);",
        ),
        ("void f()", "static void call(Half polyassayTarget)", "polyassayTarget.f();"),
        ("static void f(int[] a, int b[])", "static void call(int[] a, int b[])", "Half.f(a, b);"),
        (
            "public static <T> void f(List<T> a) ",
            "static <T> void call(List<T> a)",
            "Half.f(a);",
        ),
        ("class Half<T>", "", ""),
    ],
)
def test_adapters(signature: str, declared: str, call: str) -> None:
    task = dataclasses.replace(TASK, signature=signature, test_source="import a.B;\nclass T {}")
    lines = adapter_of(task).splitlines()
    if not declared:
        assert lines == ["package p; final class PolyassayAdapter {}"]
        return
    assert lines[0].startswith("package p; import a.B; import java.io.*;")
    assert lines[1] == f"{declared} throws Throwable {{"
    assert lines[2] == f"{call} }} }}"


def test_only_the_call_is_held_against_a_candidate() -> None:
    file = "PolyassayAdapter.java"
    wrong = (file, 3, "incompatible types")
    assert call_problems([wrong, ("Half.java", 1, "x")]) == ["incompatible types"]
    assert call_problems([wrong, (file, 2, "cannot find symbol")]) == []
    assert call_problems([]) == []


def test_layout(tmp_path: Path) -> None:
    for name in ("junit-jupiter-api-6.jar", "polyassay-harness.jar", "py4j-1.jar"):
        (tmp_path / name).touch()
    java = Path("/jdk")
    tools = Toolchain(
        Path("/g/bin/gradle"),
        java,
        Jdk(Path("/other"), "25.0.1"),
        tmp_path,
        java,
        ("java.base",),
        java,
        Path("/harness"),
    )
    with_library = dataclasses.replace(
        JOB, task=dataclasses.replace(TASK, jars={"words.jar": "0" * 64})
    )
    request = layout([JOB, with_library], tools, tmp_path)
    texts = request["texts"]
    assert texts["candidates/c1/candidate/p/Half.java"] == JOB.program.source
    assert texts["candidates/c1/tests/HalfTest.java"] == TASK.test_source
    assert texts["candidates/c1/support/p/Base.java"] == "package p;"
    assert request["files"]["candidates/c0/files/in.txt"] == "aGk="
    options = json.loads(texts["options.json"])
    assert options["junit"] == [str(tmp_path / "junit-jupiter-api-6.jar")]
    library = tmp_path / "jars" / ("0" * 64 + ".jar")
    assert options["libraries"] == {"c0": [], "c1": [str(library)]}
    assert (options["javac"], options["release"]) == ("/other/bin/javac", "25")
    assert json.loads(texts["candidates/c0/console.json"])["names"] == ["a", "b", "c"]


def test_events_are_seen_as_they_are_written(tmp_path: Path) -> None:
    path = tmp_path / "report.xml"
    events = Events(str(path))
    assert not events.look()
    path.write_text(HEAD + started(2, "a").rstrip("\n"))
    assert events.look() and events.running == "a"
    with path.open("a") as file:
        file.write("\n" + finished(2, "FAILED", "java.lang.Error: <e:finished")[:-20])
    events.look()
    assert (events.finished, events.running) == ([], "a")
    path.write_text(HEAD + started(2, "a") + finished(2, "SUCCESSFUL") + started(3, "b"))
    assert events.look() and (events.finished, events.running) == (["a"], "b")
    assert not events.look() and not events.complete
    path.write_text(HEAD + started(2, "a") + finished(2, "SUCCESSFUL") + started(3, "b") + TAIL)
    assert events.look() and events.complete
