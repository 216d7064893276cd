"""What a Python zygote replied → JUnit XML."""

import base64
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from xml.sax.saxutils import quoteattr

from polyassay.model import Test

_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ENDINGS = ("timed_out", "out_of_memory", "crashed", "not_run")
_SHOWN = 80  # characters of a program's output on either side of where it goes wrong


def to_xml(results: Iterable[Mapping[str, Any]]) -> str:
    """One testcase a result; the classname is the function that a one-to-many test was tried on."""
    cases = "".join(map(_case, results))
    return f'<?xml version="1.0" encoding="utf-8"?>\n<testsuite name="python">{cases}</testsuite>'


def _case(result: Mapping[str, Any]) -> str:
    owner = _quoted(result.get("function") or "answer")
    seconds = max(float(result.get("seconds", 0.0)), 0.0)
    head = f'<testcase classname={owner} name={_quoted(result["name"])} time="{seconds:.6f}"'
    status = result["status"]
    if status == "passed":
        return head + "/>"
    message = _quoted(str(result.get("message", "")))
    if status == "failed":
        return f'{head}><failure type="AssertionError" message={message}/></testcase>'
    if status == "skipped":
        return f"{head}><skipped message={message}/></testcase>"
    kind = f"polyassay.{status}" if status in _ENDINGS else str(result.get("type") or "error")
    if status not in _ENDINGS and kind.startswith("polyassay."):
        kind = f"the answer's {kind}"
    return f"{head}><error type={_quoted(kind)} message={message}/></testcase>"


def _quoted(text: str) -> str:
    return quoteattr(_NOT_XML.sub("\ufffd", text))


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
