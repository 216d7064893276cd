"""Turns the reply of a Python zygote into JUnit XML, and makes a reply for one that ended."""

import base64
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from polyassay.comparison.output import OutputRule, difference, rule_of
from polyassay.junit.xml import Case, write_xml
from polyassay.model import Outcome, Task, TestStatus
from polyassay.sandbox import Ended

Reply = Mapping[str, Any]  # of a zygote, for one candidate


def to_xml(results: Iterable[Mapping[str, Any]]) -> str:
    """One testcase a result; the classname is the function that a one-to-many test was tried on."""
    return write_xml("python", map(_case, results))


def _case(result: Mapping[str, Any]) -> Case:
    """A guest wrote it, beside a candidate: what is not as it should be is an error of the test."""
    known = result.get("status") in tuple(TestStatus)
    status = TestStatus(result["status"]) if known else TestStatus.ERROR
    seconds = result.get("seconds", 0.0)
    usual = "AssertionError" if status is TestStatus.FAILED else "error"
    return Case(
        name=str(result["name"]),
        status=status,
        type=str(result.get("type") or usual),
        message=str(result.get("message", "")),
        seconds=seconds if isinstance(seconds, float) and math.isfinite(seconds) else 0.0,
        owner=str(result.get("function") or "answer"),
    )


def compare_output(task: Task, results: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Judges what programs printed; a run that did not end well stays what it was."""
    rule = rule_of(task.extra)
    expected = {test.name: test.stdout for test in task.tests}
    return [_compared(rule, expected[result["name"]], result) for result in results]


def _compared(rule: OutputRule, expected: str, result: Mapping[str, Any]) -> Mapping[str, Any]:
    if result["status"] != "ended":
        return result
    wrong = difference(rule, expected, base64.b64decode(result["stdout"]))
    if not wrong:
        return {**result, "status": "passed"}
    return {**result, "status": "failed", "message": wrong}


def ended_reply(ended: Ended) -> Reply:
    """A zygote or a judge ended; without a limit as the reason, it need not be the candidate's."""
    ending = Outcome.CRASHED
    if ended.timed_out:
        ending = Outcome.TIMED_OUT
    elif ended.out_of_memory:
        ending = Outcome.OUT_OF_MEMORY
    return {
        "ending": ending,
        "reason": f"the sandbox ended: it {ended}",
        "results": [],
        "suspect": ending is Outcome.CRASHED,
        "idled": ended.idled,
    }
