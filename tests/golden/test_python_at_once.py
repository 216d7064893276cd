"""Several candidates of a task in one request: each gets the verdict that it would get alone."""

import dataclasses
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from polyassay.dispatch.scheduling import Batch
from polyassay.harness import Job, RunSettings
from polyassay.harness.python.harness import PythonHarness, PythonSession
from polyassay.harness.python.zygote import Zygote
from polyassay.junit.report import verdict_of
from polyassay.model import (
    Candidate,
    CandidateKey,
    Judging,
    Language,
    Limits,
    Program,
    Style,
    Task,
    Test,
)
from polyassay.sandbox.bubblewrap import Bubblewrap
from polyassay.slot import Slot
from polyassay_harness.wire.messages import JUDGE

TESTS = tuple(Test(f"t{number}", f"assert twice({number}) == {2 * number}") for number in range(5))
ANSWERS = {
    "def twice(n): return 2 * n": "passed",
    "def twice(n): return n": "failed",
    "import os; os.kill(os.getpid(), 9)": "crashed",
    "def twice(n): return n + n": "passed",
    "def twice(n) return": "unbuilt",
    "while True: pass": "timed_out",
    "def twice(n): return n * 2": "passed",
}


def task(name: str, count: int) -> Task:
    return Task(
        *(name, "s", Language.PYTHON, Style.FUNCTION, {}),
        entry="twice",
        tests=TESTS[:count],
        limits=Limits(seconds=1, total_seconds=5),
    )


FEW, MANY = task("few", 2), task("many", 5)  # which are run in different ways


@pytest.fixture
def session(tmp_path: Path) -> Iterator[PythonSession]:
    harness = PythonHarness(RunSettings(Bubblewrap(), tmp_path, judge=Judging.TOGETHER))
    yield harness.open()
    harness.close()


def outcomes(session: PythonSession, pairs: list[tuple[Task, str]]) -> list[str]:
    jobs = [
        Job(task, Candidate(CandidateKey("s", task.id, "tool", "en", sample), code), Program(code))
        for sample, (task, code) in enumerate(pairs)
    ]
    reports = session.judge(jobs)
    return [
        str(verdict_of(job.task, job.candidate, report).outcome)
        for job, report in zip(jobs, reports, strict=True)
    ]


def test_each_gets_its_own_verdict(session):
    pairs = [(task, code) for task in (FEW, MANY) for code in ANSWERS]
    assert outcomes(session, pairs) == [*ANSWERS.values()] * 2


def test_a_failure_of_ours_is_not_the_neighbours_doing(tmp_path):
    """Files that cannot be laid out, because one of them would be the folder of another."""
    broken = dataclasses.replace(FEW, id="broken", data_files={"a": "", "a/b": ""})
    right = "def twice(n): return 2 * n"
    pairs = [
        (task, Candidate(CandidateKey("s", task.id, "tool", "en", sample), right))
        for sample, task in enumerate([FEW, FEW, broken, MANY])
    ]
    settings = RunSettings(Bubblewrap(), tmp_path, judge=Judging.TOGETHER)
    with closing(Slot(settings)) as slot:
        verdicts = slot.judge(Batch(tuple(pairs)))
    assert [str(verdict.outcome) for verdict in verdicts] == [
        *("passed", "passed"),
        "harness_error",
        "passed",
    ]


class Breaking:
    """Takes zygotes away while they owe a report: that on the candidates of these numbers."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, numbers: set[int]) -> None:
        tell = Zygote.tell
        self.count = 0

        def broken(zygote: Zygote, name: str, *message: Any, **payload: bytes) -> None:
            tell(zygote, name, *message, **payload)
            self.count += name == JUDGE
            if name == JUDGE and self.count in numbers:
                zygote.close()

        monkeypatch.setattr(Zygote, "tell", broken)


@pytest.mark.parametrize(
    # The second candidate is judged again, alone, when the third and fourth have been judged.
    ("numbers", "second"),
    [({2}, "passed"), ({2, *range(5, 9)}, "passed"), ({2, *range(5, 10)}, "crashed")],
)
def test_who_ends_a_zygote_six_times_is_to_blame_and_nobody_else(
    tmp_path, monkeypatch, numbers, second
):
    Breaking(monkeypatch, numbers)
    settings = RunSettings(Bubblewrap(), tmp_path, judge=Judging.TOGETHER)
    right = "def twice(n): return 2 * n"
    pairs = [
        (FEW, Candidate(CandidateKey("s", FEW.id, "tool", "en", sample), right))
        for sample in range(4)
    ]
    with closing(Slot(settings)) as slot:
        verdicts = slot.judge(Batch(tuple(pairs)))
    assert [v.outcome for v in verdicts] == ["passed", second, "passed", "passed"]


LEAVES = """
import fcntl, os
fcntl.fcntl(0, fcntl.F_SETFL, os.O_NONBLOCK)
fcntl.flock(0, fcntl.LOCK_EX)
def twice(n): return 2 * n
"""
FINDS = """
import fcntl, os
flags = fcntl.fcntl(0, fcntl.F_GETFL) & os.O_NONBLOCK
fcntl.flock(os.open(os.devnull, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
def twice(n): return 2 * n if not flags else "somebody was here"
"""


@pytest.mark.parametrize("task", [FEW, MANY], ids=["few", "many"])
def test_nobody_leaves_flags_or_locks_on_standard_input(session, task):
    assert outcomes(session, [(task, LEAVES), (task, FINDS)]) == ["passed", "passed"]


def test_apart_a_message_tells_what_was_compared_and_not_what_comes_next(tmp_path):
    """The answer would give another value, were it asked again."""
    counts = (
        "seen = []\ndef twice(n):\n    seen.append(n)\n    print('called')\n    return len(seen)"
    )
    harness = PythonHarness(RunSettings(Bubblewrap(), tmp_path))
    candidate = Candidate(CandidateKey("s", FEW.id, "tool", "en", 0), counts)
    (report,) = harness.open().judge([Job(FEW, candidate, Program(counts))])
    harness.close()
    found = verdict_of(FEW, candidate, report)
    assert [test.message for test in found.tests] == [
        "expected 0 but was 1",
        "expected 2 but was 1",
    ]
    assert (found.judged, found.output) == (Judging.APART, "called\n" * len(FEW.tests))
