"""Whatever answers do to a judge, it costs neither the next one nor the time of all tests."""

import json
import time
from dataclasses import replace

import pytest

from end_to_end.judged import judge, python_task
from polyassay.harness import RunSettings
from polyassay.harness.python.harness import PythonHarness, PythonSession
from polyassay.model import Judging, Limits, Outcome, Style, Task, Test, Verdict
from polyassay.sandbox.bubblewrap import Bubblewrap


def test_like_answers_get_like_verdicts_however_much_they_return(apart: PythonSession) -> None:
    """What the judge kept of one answer would be missing for the next."""
    right = "def answer(n): return ['x' * 4_000_000]"
    keeps = "found = answer(1)\nfound *= 1\nkept = [found, found[0] * 12]\nkept.append(kept)\n"
    task = python_task(keeps + "assert len(found[0]) == 4_000_000")
    outcomes = [judge(apart, task, right).outcome for _ in range(8)]
    assert outcomes == [Outcome.PASSED] * 8


def test_a_value_that_is_too_long_is_no_wait(apart: PythonSession) -> None:
    task = python_task("assert answer(1) == 2")
    verdict = judge(apart, task, "def answer(n): return 'x' * 13_000_000")
    assert verdict.outcome is Outcome.CRASHED and verdict.seconds < task.limits.total_seconds


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
    "ended": RAISED.format("polyassay_harness.wire.frames", "StreamEnded"),
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
    apart: PythonSession, forged: str, tests: int, style: Style
) -> None:
    task = python_task(*["assert answer(1) == 2\nhelp_me = Other"] * tests, style=style)
    began = time.process_time()
    verdict = judge(apart, task, FORGE.format(reply=FORGED[forged]))
    assert verdict.outcome in (Outcome.FAILED, Outcome.CRASHED), verdict
    assert "judge broke off" not in json.dumps([test.message for test in verdict.tests])
    assert time.process_time() - began < task.limits.total_seconds
    right = python_task("assert answer(1) == 2")
    assert judge(apart, right, "def answer(n): return n + 1").outcome is Outcome.PASSED


SETS = (Test("first/t0", "f(1) == 2"), Test("first/t1", "f(2) == 3"))


def task_of_sets(**fields: object) -> Task:
    return replace(python_task(style=Style.SETS, entry="", **fields), tests=SETS)


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
    try:
        verdict = judge(harness.open(), task_of_sets(), code)
    finally:
        harness.close()
    assert verdict.outcome is outcome, verdict
    if outcome is Outcome.FAILED:
        assert f"defines {many} functions" in verdict.reason


# However they came to be there, all of them are counted.
MANY = {
    "lambdas": "for n in range(300): globals()[f'g{n}'] = (lambda n: lambda x: x + n)(n)",
    "compiled": "exec('\\n'.join(f'def f{n}(x): return x + {n}' for n in range(300)))",
    "a factory's": (
        "def make(n):\n    def f(x): return x + n\n    return f\n"
        "globals().update({f'h{n}': make(n) for n in range(300)})"
    ),
    "names of one": "def f(x): return x + 1\nfor n in range(300): globals()[f'a{n}'] = f",
    "the module's": (
        "import sys\nfor n in range(300):\n"
        "    setattr(sys.modules[__name__], f's{n}', eval(f'lambda x: x + {n}'))"
    ),
}
# One function that ends its process, or never ends, costs itself only.
AFTER = {
    "exits": "def a(x):\n    import os\n    os._exit(0)\n",
    "exhausts memory": "def a(x): return 'x' * 10**10\n",
    "kills itself": "def a(x):\n    import os\n    os.kill(os.getpid(), 9)\n",
    "raises what nobody catches": "def a(x): raise SystemExit(0)\n",
    "has an odd name": "globals()['\\ud800\\n<x>'] = lambda x: x\n",
    "loops": "def a(x):\n    while True: pass\n",
}


def in_sets(apart: PythonSession, code: str) -> Verdict:
    limits = Limits(seconds=1, total_seconds=10, memory_mb=256)
    return judge(apart, task_of_sets(limits=limits), code)


@pytest.mark.parametrize("many", MANY)
def test_too_many_functions_are_a_clear_failure(apart: PythonSession, many: str) -> None:
    verdict = in_sets(apart, MANY[many])
    assert verdict.outcome is Outcome.FAILED and "at most 100 are tried" in verdict.reason


@pytest.mark.parametrize("first", AFTER)
def test_a_function_that_breaks_costs_no_other(apart: PythonSession, first: str) -> None:
    verdict = in_sets(apart, AFTER[first] + "def b(x): return x + 1\n")
    assert verdict.outcome is Outcome.PASSED, verdict
