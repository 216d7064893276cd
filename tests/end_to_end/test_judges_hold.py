"""Whatever answers do to a judge, it costs neither the next one nor the time of all tests."""

import json
import time
from collections.abc import Iterator
from itertools import count

import pytest

from polyassay.harness import Job, RunSettings
from polyassay.harness.python.harness import PythonHarness, PythonSession
from polyassay.junit.report import verdict_of
from polyassay.model import (
    Candidate,
    CandidateKey,
    Judging,
    Language,
    Limits,
    Outcome,
    Program,
    Style,
    Task,
    Test,
    Verdict,
)
from polyassay.sandbox.bubblewrap import Bubblewrap

numbers = count()
LIMITS = Limits(seconds=5, total_seconds=30, memory_mb=256)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PythonSession]:
    harness = PythonHarness(RunSettings(Bubblewrap(), tmp_path_factory.mktemp("home")))
    yield harness.open()
    harness.close()


def make_task(*tests: str, style: Style = Style.FUNCTION, **fields: object) -> Task:
    return Task(
        str(next(numbers)),
        "s",
        Language.PYTHON,
        style,
        {"en": ""},
        tuple(Test(f"t{number}", test) for number, test in enumerate(tests)),
        entry="answer" if style is not Style.SETS else "",
        limits=LIMITS,
        **fields,  # type: ignore[arg-type]
    )


def judge(session: PythonSession, task: Task, code: str) -> Verdict:
    candidate = Candidate(CandidateKey("s", task.id, "tool", "en", 0), code)
    (report,) = session.judge([Job(task, candidate, Program(code))])
    return verdict_of(task, candidate, report)


def test_like_answers_get_like_verdicts_however_much_they_return(session: PythonSession) -> None:
    """What the judge kept of one answer would be missing for the next."""
    right = "def answer(n): return ['x' * 4_000_000]"
    keeps = "found = answer(1)\nfound *= 1\nkept = [found, found[0] * 12]\nkept.append(kept)\n"
    task = make_task(keeps + "assert len(found[0]) == 4_000_000")
    outcomes = [judge(session, task, right).outcome for _ in range(8)]
    assert outcomes == [Outcome.PASSED] * 8


def test_a_value_that_is_too_long_is_no_wait(session: PythonSession) -> None:
    task = make_task("assert answer(1) == 2")
    verdict = judge(session, task, "def answer(n): return 'x' * 13_000_000")
    assert verdict.outcome is Outcome.CRASHED and verdict.seconds < LIMITS.total_seconds


# Sent in place of a reply by an answer that writes to the channel of its own process.
FORGE = """
import os, struct
def send(text):
    data = text.encode()
    os.write(3, struct.pack(">I", len(data)) + data)
def answer(n):
    send({reply!r})
    return n
"""
RAISED = '{{"changed": [], "raised": {{"classes": [["{0}", "{1}"]], "args": [], "fields": [], '
RAISED += '"cause": null, "text": null, "told": ""}}}}'
FORGED = {
    "ended": RAISED.format("polyassay_harness.wire.frames", "Ended"),
    "gone": RAISED.format("polyassay_harness.judge.link", "WorkerGone"),
    "exit": RAISED.format("builtins", "SystemExit"),
    "interrupt": RAISED.format("builtins", "KeyboardInterrupt"),
    "generator": RAISED.format("builtins", "GeneratorExit"),
    "assertion": RAISED.format("builtins", "AssertionError"),
    "nothing": "",
    "no object": "[]",
    "deep": "[" * 100000,
    "fork ended": 'fork_ended\n{"wait_status": 0, "cpu_seconds": 0.0}',
    "borrows": '{"changed": [], "borrowed": 7, "args": ["t", []], "kwargs": ["t", []]}',
    "number": '{"changed": [[99, ["l", []]]], "value": 1}',
}


@pytest.mark.parametrize("forged", FORGED)
@pytest.mark.parametrize("tests", [1, 6])
@pytest.mark.parametrize("style", [Style.FUNCTION, Style.CLASS])
def test_a_forged_reply_is_a_wrong_answer(
    session: PythonSession, forged: str, tests: int, style: Style
) -> None:
    task = make_task(*["assert answer(1) == 2\nhelp_me = Other"] * tests, style=style)
    began = time.process_time()
    verdict = judge(session, task, FORGE.format(reply=FORGED[forged]))
    assert verdict.outcome in (Outcome.FAILED, Outcome.CRASHED), verdict
    assert "judge broke off" not in json.dumps([test.message for test in verdict.tests])
    assert time.process_time() - began < LIMITS.total_seconds
    right = make_task("assert answer(1) == 2")
    assert judge(session, right, "def answer(n): return n + 1").outcome is Outcome.PASSED


SETS = {"first": (Test("first/t0", "f(1) == 2"), Test("first/t1", "f(2) == 3"))}


@pytest.mark.parametrize("judging", [None, Judging.TOGETHER], ids=["apart", "together"])
@pytest.mark.parametrize(
    ("many", "outcome"), [(100, Outcome.PASSED), (101, Outcome.FAILED), (5000, Outcome.FAILED)]
)
def test_so_many_functions_are_tried(
    tmp_path_factory: pytest.TempPathFactory, judging: Judging | None, many: int, outcome: Outcome
) -> None:
    home = tmp_path_factory.mktemp("home")
    harness = PythonHarness(RunSettings(Bubblewrap(), home, judge=judging))
    code = "".join(f"def f{n}(x): return x + {n == many - 1:d}\n" for n in range(many))
    tests = tuple(test for one in SETS.values() for test in one)
    task = Task("sets", "s", Language.PYTHON, Style.SETS, {"en": ""}, tests, limits=LIMITS)
    try:
        verdict = judge(harness.open(), task, code)
    finally:
        harness.close()
    assert verdict.outcome is outcome, verdict
    if outcome is Outcome.FAILED:
        assert f"defines {many} functions" in verdict.reason
