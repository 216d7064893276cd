"""What a Python zygote replied → JUnit XML."""

import base64
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from polyassay.junit_xml import Case, write_xml
from polyassay.model import Test, TestStatus

_SHOWN = 80  # characters of a program's output on either side of where it goes wrong


def to_xml(results: Iterable[Mapping[str, Any]]) -> str:
    """One testcase a result; the classname is the function that a one-to-many test was tried on."""
    return write_xml("python", map(_case, results))


def _case(result: Mapping[str, Any]) -> Case:
    status = TestStatus(result["status"])
    usual = "AssertionError" if status is TestStatus.FAILED else "error"
    return Case(
        name=result["name"],
        status=status,
        type=str(result.get("type") or usual),
        message=str(result.get("message", "")),
        seconds=float(result.get("seconds", 0.0)),
        owner=result.get("function") or "answer",
    )


def compare_output(
    tests: Sequence[Test], results: Sequence[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """Judges what programs printed; a run that did not end well stays what it was."""
    expected = {test.name: test.stdout for test in tests}
    return [_compared(expected[result["name"]], result) for result in results]


def _compared(expected: str, result: Mapping[str, Any]) -> Mapping[str, Any]:
    if result["status"] != "ended":
        return result
    found = base64.b64decode(result["stdout"])
    if found == expected.encode():
        return {**result, "status": "passed"}
    text = found.decode("utf-8", "replace")
    return {**result, "status": "failed", "message": _difference(expected, text)}


def _difference(expected: str, found: str) -> str:
    place = next(
        (i for i, (a, b) in enumerate(zip(expected, found, strict=False)) if a != b),
        min(len(expected), len(found)),
    )
    start = max(place - _SHOWN // 2, 0)
    line = expected.count("\n", 0, place) + 1
    shown = [repr(text[start : start + _SHOWN]) for text in (expected, found)]
    return f"line {line}: expected {shown[0]} but was {shown[1]}"
