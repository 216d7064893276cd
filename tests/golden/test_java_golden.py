"""Golden Java cases, each a folder, through the real harness in the real sandbox."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from golden_java import NAMES, check_statuses, read_case, statuses
from polyassay.harness import HarnessSession, Job, RunSettings
from polyassay.harness.java.harness import JavaHarness
from polyassay.harness.java.jdk import LEFT_OUT, find_jars
from polyassay.model import Judging, Outcome, Program, Report
from polyassay.sandbox import Box, Guest, NotStarted, Sandbox
from polyassay.sandbox.choose import find
from real_parts import given


def needs_jars() -> None:
    with given("java"):
        find_jars()


MODES = {"together": (Judging.TOGETHER, 1), "apart-where-possible": (None, 50)}


@pytest.fixture(scope="module", params=MODES)
def session(request: pytest.FixtureRequest, java_home: Path) -> Iterator[HarnessSession]:
    needs_jars()
    judge, reuse = MODES[request.param]
    harness = JavaHarness(RunSettings(find(), java_home, judge=judge, reuse=reuse))
    session = harness.open()
    yield session
    session.close()
    harness.close()


def judge_alone(harness: JavaHarness, name: str) -> Report:
    """The report of one case, after which the harness is closed."""
    session = harness.open()
    try:
        (report,) = session.judge([read_case(name)[0]])
        return report
    finally:
        session.close()
        harness.close()


@pytest.mark.parametrize("name", NAMES)
def test_case(session: HarnessSession, name: str) -> None:
    job, expected = read_case(name)
    (report,) = session.judge([job])
    if report.suspect:
        (report,) = session.judge([job], alone=True)
    assert expected.get("reason", "") in report.reason
    assert expected.get("output", "") in report.output
    assert len(report.output) < 100_000
    if "outcome" in expected:
        assert report.ending == Outcome(expected["outcome"])
        return
    check_statuses(report, expected["tests"])


def test_identities_within_a_call_are_judged_apart(java_home: Path) -> None:
    needs_jars()
    harness = JavaHarness(RunSettings(find(), java_home, judge=Judging.APART))
    report = judge_alone(harness, "keeps-identities")
    assert report.judged is Judging.APART
    assert set(statuses(report).values()) == {"passed"}


@pytest.mark.parametrize("judge", Judging)
def test_what_a_neighbour_may_have_spoilt_is_suspect(java_home: Path, judge: Judging) -> None:
    needs_jars()
    harness = JavaHarness(RunSettings(find(), java_home, judge=judge, reuse=50))
    session = harness.open()
    try:
        (right, _), (exits, expected) = read_case("right"), read_case("exits")
        first, suspect, third = session.judge([right, exits, of_another_task(right, "third")])
        (second,) = session.judge([exits], alone=True)
    finally:
        session.close()
        harness.close()
    assert first.flags == () and set(statuses(first).values()) == {"passed"}
    assert suspect.flags == ("reused",) and suspect.suspect
    assert second.flags == () and not second.suspect and statuses(second) == expected["tests"]
    assert not first.suspect and not third.suspect
    assert set(statuses(third).values()) == {"passed"}


def of_another_task(job: Job, name: str) -> Job:
    """No JVM serves two candidates of one task."""
    return replace(job, task=replace(job.task, id=name))


SLEEPS = "() -> { try { Thread.sleep(60_000); } catch (InterruptedException e) { } }"
LASTING = {
    "security manager": "System.setSecurityManager(new SecurityManager());",
    "interrupt": "Thread.currentThread().interrupt();",
    "thread of the system's": f"""ThreadGroup top = Thread.currentThread().getThreadGroup();
        while (top.getParent() != null) top = top.getParent();
        Thread left = new Thread(top, {SLEEPS}); left.setDaemon(true); left.start();""",
    "pool": f"java.util.concurrent.ForkJoinPool.commonPool().execute({SLEEPS});",
    "format's locale": (
        "java.util.Locale.setDefault(java.util.Locale.Category.FORMAT, java.util.Locale.GERMANY);"
    ),
    "emptied provider": 'java.security.Security.getProvider("SUN").clear();',
    "file": 'try { new java.io.File("/tmp/left").createNewFile(); } catch (Exception e) { }',
    "thread's name": 'Thread.currentThread().setName("odd");',
    "log": "java.util.logging.LogManager.getLogManager().reset();",
    "default of connections": "java.net.HttpURLConnection.setFollowRedirects(false);",
    "cleaner": "java.lang.ref.Cleaner.create().register(Clamp.class, () -> { });",
    "thread's own": "new ThreadLocal<Object>().set(Clamp.class);",
    "time zone": (
        "java.time.zone.ZoneRulesProvider.registerProvider(new java.time.zone.ZoneRulesProvider() {"
        ' public java.util.Set<String> provideZoneIds() { return java.util.Set.of("Odd/Zone"); }'
        " public java.time.zone.ZoneRules provideRules(String id, boolean cached) { return null; }"
        " public java.util.NavigableMap<String, java.time.zone.ZoneRules> provideVersions("
        "String id) { return new java.util.TreeMap<>(); } });"
    ),
    "file by its name": (
        'try { new java.io.PrintWriter("/tmp/left").close(); } catch (Exception e) { }'
    ),
    "pool's threads": """java.util.stream.IntStream.range(0, 99).parallel().forEach(i -> {
        if (Thread.currentThread() instanceof java.util.concurrent.ForkJoinWorkerThread worker)
          worker.setPriority(1); });""",
    "inherited setting": """class Odd extends Thread { static void set() {
        getAllStackTraces().keySet().forEach(each -> { }); } } Odd.set();""",
}
ENDS_WITH_ITS_TEST = {"interrupt", "thread's own"}  # as every test thread's do, judged together


@pytest.mark.parametrize("judge", Judging)
def test_what_a_candidate_leaves_behind_is_not_the_next_ones(
    java_home: Path, judge: Judging
) -> None:
    needs_jars()
    harness = JavaHarness(RunSettings(find(), java_home, judge=judge, reuse=50))
    session = harness.open()
    right, _ = read_case("right")
    head, brace, rest = right.program.source.partition("{")
    try:
        clean = session.judge([right, of_another_task(right, "other")])[1]
        after = {}
        for name, code in LASTING.items():
            spoils = Program(f"{head}{brace} static {{ {code} }} {rest}")
            spoiling = of_another_task(right, f"spoils by {name}")
            session.judge([replace(spoiling, program=spoils)])
            (after[name],) = session.judge([of_another_task(right, f"after {name}")])
    finally:
        session.close()
        harness.close()
    assert clean.flags == ("reused",)
    reused = {name for name, report in after.items() if report.flags}
    assert reused == (ENDS_WITH_ITS_TEST if judge is Judging.TOGETHER else set())
    assert all(set(statuses(report).values()) == {"passed"} for report in after.values())


@pytest.mark.parametrize(("judge", "flags"), [("apart", ("reused",)), ("together", ())])
def test_by_default_a_worker_serves_many_but_no_task_twice(
    java_home: Path, judge: str, flags: tuple[str, ...]
) -> None:
    needs_jars()
    harness = JavaHarness(RunSettings(find(), java_home, judge=Judging(judge)))
    session = harness.open()
    right, _ = read_case("right")
    jobs = [right, right, *(of_another_task(right, name) for name in "abc")]
    try:
        found = [report.flags for report in session.judge(jobs)]
    finally:
        session.close()
        harness.close()
    assert found == [(), (), flags, flags, flags]


class Watched:
    """A guest that says whether it was closed."""

    def __init__(self, guest: Guest) -> None:
        self._guest = guest
        self.closed = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._guest, name)

    def close(self) -> None:
        self.closed = True
        self._guest.close()


class Failing:
    """The real sandbox, which cannot start one of its guests."""

    def __init__(self, sandbox: Sandbox, fails: int) -> None:
        self.name, self.nests = sandbox.name, sandbox.nests
        self.fixes_layout, self.strengths = sandbox.fixes_layout, sandbox.strengths
        self.guests: list[Watched] = []
        self._sandbox = sandbox
        self._fails = fails

    def start(self, box: Box) -> Guest:
        if len(self.guests) == self._fails:
            raise NotStarted("for a test")
        self.guests.append(Watched(self._sandbox.start(box)))
        return self.guests[-1]

    def weaknesses(self) -> list[str]:
        return []


@pytest.mark.parametrize("fails", [0, 1], ids=["worker", "judge"])
def test_nothing_is_left_where_a_jvm_does_not_start(java_home: Path, fails: int) -> None:
    needs_jars()
    sandbox = Failing(find(), fails)
    harness = JavaHarness(RunSettings(sandbox, java_home, judge=Judging.APART, reuse=1))
    report = judge_alone(harness, "right")
    assert report.ending is Outcome.HARNESS_ERROR
    assert [guest.closed for guest in sandbox.guests] == [True] * fails


def test_an_image_that_was_taken_away_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs_jars()
    monkeypatch.setenv("POLYASSAY_CACHE", str(tmp_path / "cache"))
    harness = JavaHarness(RunSettings(find(), tmp_path, judge=Judging.APART, reuse=50))
    shutil.rmtree(harness.image.folder)
    report = judge_alone(harness, "right")
    assert set(statuses(report).values()) == {"passed"}
    # With the archives of both kinds of JVM: the worker's, and the judge's.
    assert all(harness.image.archive(name).is_file() for name in ("worker", "executor"))


def test_tests_that_compile_with_no_candidate_are_the_suites_fault(java_home: Path) -> None:
    needs_jars()
    harness = JavaHarness(RunSettings(find(), java_home))
    task = read_case("right")[0].task
    broken = replace(task, id="broken", test_source=task.test_source.replace(";", "", 1))
    try:
        assert harness.lacks(task) == ""
        assert harness.lacks(broken).startswith("the tests do not compile: Tests.java:1: ")
    finally:
        harness.close()


def test_candidates_find_all_modules_but_those_left_out(java_home: Path) -> None:
    needs_jars()
    harness = JavaHarness(RunSettings(find(), java_home))
    harness.close()
    # What the JDK's own `java` gives to a program, by itself and for what that needs.
    shown = _told([harness.jdk.tool("java"), "--show-module-resolution", "-version"])
    usual = set(re.findall(r"(?m)^(?:root|\S+ requires|\S+ binds) (\S+)", shown))
    image = {
        line.partition("@")[0] for line in _told([harness.image.java, "--list-modules"]).split()
    }
    missing = {name for name in usual - image if not name.startswith("jdk.internal.")}
    assert missing == LEFT_OUT.keys() & usual
    assert not LEFT_OUT.keys() & image
    assert {"jdk.random", "jdk.httpserver", "jdk.compiler"} <= image
    assert all(LEFT_OUT.values())


def _told(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
