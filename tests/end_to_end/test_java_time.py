"""CPU time decides for Java candidates; wall time ends only what idles, the second time."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from golden_java import read_case
from polyassay.dispatch.scheduling import Batch
from polyassay.harness import Harness, HarnessSession, Job, RunSettings
from polyassay.harness.java.harness import JavaHarness
from polyassay.model import (
    Candidate,
    Judging,
    Limits,
    Outcome,
    Program,
    Report,
    Style,
    Test,
    Verdict,
)
from polyassay.sandbox.choose import find
from polyassay.slot import Slot

LIMITS = Limits(seconds=2, total_seconds=6, memory_mb=128)
SLEEP = "try { Thread.sleep(60_000); } catch (InterruptedException e) { }"
SPIN = "while (low < 100) { Thread.onSpinWait(); }"
MANY_SLEEPERS = """
    while (low < 100) {
      try {
        Thread sleeper = new Thread(() -> { SLEEP });
        sleeper.setDaemon(true);
        sleeper.start();
      } catch (Throwable full) {
        SLEEP
      }
    }
""".replace("SLEEP", SLEEP)
WAITING = {
    "sleeps": SLEEP,
    "waits for a lock": "Object o = new Object(); synchronized (o) { try { o.wait(); } "
    "catch (InterruptedException e) { } }",
    "waits for itself": "try { Thread.currentThread().join(); } catch (InterruptedException e) { }",
    "polls now and then": SPIN.replace("onSpinWait()", "sleep(100)")
    .replace("{", "{ try {")
    .replace("}", "} catch (Exception e) { } }"),
    "has many threads that sleep": MANY_SLEEPERS,
}


class Counting:
    """A session that notes what it was asked."""

    def __init__(self, session: HarnessSession) -> None:
        self._session = session
        self.asked: list[bool] = []
        self.reports: list[Report] = []

    def judge(self, jobs: list[Job], *, alone: bool = False) -> list[Report]:
        self.asked += [alone] * len(jobs)
        found = list(self._session.judge(jobs, alone=alone))
        self.reports += found
        return found

    def close(self) -> None:
        self._session.close()


class Bench:
    """The real pipeline and the real harness; what was asked of the session is noted."""

    def __init__(self, home: Path, judge: Judging) -> None:
        settings = RunSettings(find(), home, judge=judge)
        self._slot = Slot(settings)

    def judge(self, body: str, job: Job) -> tuple[Verdict, Counting]:
        source = f"class Clamp {{ public static int clamp(int x, int low, int high) {{ {body} }} }}"
        candidate = replace(job.candidate, answer=source)
        harness: Harness = self._slot._harnesses.of(job.task)
        counting = Counting(harness.open())
        self._slot._sessions[id(harness)] = counting  # type: ignore[assignment]
        (verdict,) = self._slot.judge(Batch(((job.task, candidate),)))
        counting.close()
        return verdict, counting

    def close(self) -> None:
        self._slot.close()


@pytest.fixture(scope="module", params=Judging)
def bench(request: pytest.FixtureRequest, java_home: Path) -> Iterator[Bench]:
    with closing(Bench(java_home, request.param)) as made:
        yield made


def clamp(**limits: Any) -> Job:
    job, _ = read_case("right")
    return replace(job, task=replace(job.task, limits=replace(LIMITS, **limits)))


@pytest.mark.parametrize("how", WAITING)
def test_what_idles_is_tried_once_more_and_ends(bench: Bench, how: str) -> None:
    verdict, counting = bench.judge(f"{WAITING[how]} return x;", clamp())
    assert verdict.outcome is Outcome.TIMED_OUT
    assert counting.asked == [False, True]
    assert [report.idled for report in counting.reports] == [True, True]
    assert sorted(test.status for test in verdict.tests) == ["not_run", "not_run", "timed_out"]
    assert any("did nothing for 2 s" in test.message for test in verdict.tests)
    assert verdict.cpu_seconds < LIMITS.total_seconds


def test_what_computes_is_ended_by_its_cpu_time_at_once(bench: Bench) -> None:
    verdict, counting = bench.judge(f"{SPIN} return x;", clamp())
    assert verdict.outcome is Outcome.TIMED_OUT and counting.asked == [False]
    assert any("more than 2 s of CPU time" in test.message for test in verdict.tests)


def test_short_computations_use_up_together_what_all_tests_have(bench: Bench) -> None:
    spin = """
        java.lang.management.ThreadMXBean clock =
            java.lang.management.ManagementFactory.getThreadMXBean();
        long end = clock.getCurrentThreadCpuTime() + 1_200_000_000L;
        while (clock.getCurrentThreadCpuTime() < end) { Thread.onSpinWait(); }
        return Math.max(low, Math.min(high, x));"""
    verdict, counting = bench.judge(spin, clamp(total_seconds=2.5, seconds=2.4))
    assert verdict.outcome is Outcome.TIMED_OUT and counting.asked == [False]
    assert verdict.passed >= 1
    assert any("all tests have together" in test.message for test in verdict.tests)


def test_a_short_sleep_is_no_idling(bench: Bench) -> None:
    body = "try { Thread.sleep(800); } catch (InterruptedException e) { }"
    verdict, counting = bench.judge(f"{body} return Math.max(low, Math.min(high, x));", clamp())
    assert verdict.outcome is Outcome.PASSED and counting.asked == [False]


def test_programs_have_one_allowance_for_all_runs(java_home: Path) -> None:
    job = clamp()
    tests = tuple(Test(f"test_{i}", stdin=f"{i}\n", stdout=f"{i}\n") for i in range(3))
    task = replace(
        job.task,
        style=Style.PROGRAM,
        tests=tests,
        class_name="Echo",
        signature="",
        test_source="",
    )
    source = f"class Echo {{ public static void main(String[] args) {{ {SLEEP} }} }}"
    harness = JavaHarness(RunSettings(find(), java_home))
    with closing(harness), closing(harness.open()) as session:
        candidate = Candidate(job.candidate.key, source)
        (report,) = session.judge([Job(task, candidate, Program(source))])
    assert report.idled and not report.suspect
    assert report.xml.count("did nothing for 2 s") == 1
