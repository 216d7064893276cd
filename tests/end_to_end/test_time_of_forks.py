"""A test's CPU time is that of all processes which it starts, however they are started or left."""

import pytest

from end_to_end.judged import judge, python_task
from polyassay.harness.python.harness import PythonSession
from polyassay.model import Limits, Outcome

LIMITS = Limits(seconds=1, total_seconds=12, memory_mb=256)
BURN = """import os, signal, subprocess, sys, time
def burn(seconds=600):
    while time.process_time() < seconds:
        pass
    os._exit(0)
"""
BODY = """
def answer(x):
    if x:
        return 1
    signal.signal(signal.SIGCHLD, {children})
    while True:
        if sum(map(str.isdigit, os.listdir("/proc"))) < 16:
            {again}
"""
# What is done again and again, because every process by itself is ended at the limit.
WAYS = {
    "one child after the other": "os.fork() or burn(); os.wait()",
    "sleeps while children burn": "os.fork() or burn(); time.sleep(0.5)",
    "orphans": "os.fork() or os.fork() or (os.setsid(), burn()); time.sleep(0.5)",
    "another program": "subprocess.run([sys.executable, '-c', 'while True: pass'])",
    "a fork bomb": "os.fork()",
}


def forking(way: str, children: str = "signal.SIG_DFL") -> str:
    return BURN + BODY.format(children=children, again=WAYS[way])


FORKING = {
    **{way: forking(way) for way in WAYS},
    "children for whom nobody waits": forking("sleeps while children burn", "signal.SIG_IGN"),
}
# Processes that are waited for, and use together less than the test has.
RIGHT = """
def answer(x):
    for _ in range(8):
        child = os.fork()
        if child == 0:
            sum(range(10**6))
            os._exit(0)
        os.waitpid(child, 0)
    return 1
"""


CASES = [(way, 2) for way in FORKING] + [("sleeps while children burn", 6), ("a fork bomb", 6)]


@pytest.mark.parametrize(("way", "count"), CASES)
def test_a_test_s_limit_binds_what_it_forks(session: PythonSession, way: str, count: int) -> None:
    tests = ["assert answer(0) == 1", *["assert answer(1) == 1"] * (count - 1)]
    verdict = judge(session, python_task(*tests, limits=LIMITS), FORKING[way])
    assert verdict.outcome is Outcome.TIMED_OUT
    found = [test.status for test in verdict.tests]
    assert found == ["timed_out"] + ["passed"] * (count - 1), verdict.tests[0].message


def test_honest_children_cost_what_they_used_once(session: PythonSession) -> None:
    verdict = judge(session, python_task(*["assert answer(1) == 1"] * 6), BURN + RIGHT)
    assert verdict.outcome is Outcome.PASSED, verdict
