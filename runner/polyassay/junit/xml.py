"""Writes JUnit XML: the report of every harness, and exports.

`junit/report.py` reads it back. The rule against forged endings stands here alone: an `<error>`
whose type begins with ENDING_PREFIX is an ending that the harness itself saw, and no class that a
candidate threw is ever written under such a name.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from polyassay.model import TestStatus

ENDING_PREFIX = "polyassay."

# What XML 1.0 cannot carry, not even escaped; candidates print it anyway.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TAGS = {TestStatus.FAILED: "failure", TestStatus.SKIPPED: "skipped"}


@dataclass(frozen=True, slots=True)
class Case:
    """How one test ended."""

    name: str
    status: TestStatus
    type: str = ""  # the class of what was thrown
    message: str = ""
    seconds: float = 0.0
    owner: str = ""  # its classname, where that is not the suite's: the function that was tried


def write_xml(class_name: str, cases: Iterable[Case]) -> str:
    """A harness' report: one <testcase> a case.

    >>> write_xml("Max", [Case("findsLargest", TestStatus.PASSED)])
    '<testsuite name="Max"><testcase classname="Max" name="findsLargest" time="0.000000"/></testsuite>'
    """  # noqa: E501
    return element("testsuite", {"name": class_name}, *(_case(case, class_name) for case in cases))


def testcase(owner: str, name: str, seconds: float, result: str = "") -> str:
    """How one test ended; `result` is an element of its own, or nothing for a pass."""
    time = f"{max(seconds, 0.0):.6f}"
    return element("testcase", {"classname": owner, "name": name, "time": time}, result)


def tag_of(status: TestStatus) -> str:
    """The element that says how a test ended; empty for a pass, which has none."""
    return "" if status is TestStatus.PASSED else _TAGS.get(status, "error")


def element(tag: str, attributes: Mapping[str, object], *content: str) -> str:
    """An element with any texts as its attributes; its content is XML already, as of `text`."""
    head = " ".join((tag, *(f"{key}={_quoted(value)}" for key, value in attributes.items())))
    inside = "".join(content)
    return f"<{head}>{inside}</{tag}>" if inside else f"<{head}/>"


def text(value: str) -> str:
    """Any text as an element's content."""
    return escape(_clean(value))


def _case(case: Case, class_name: str) -> str:
    tag = tag_of(case.status)
    result = element(tag, {"type": _type(case), "message": case.message}) if tag else ""
    return testcase(case.owner or class_name, case.name, case.seconds, result)


def _type(case: Case) -> str:
    if case.status in (TestStatus.FAILED, TestStatus.SKIPPED):
        return case.type
    if case.status is not TestStatus.ERROR:
        return f"{ENDING_PREFIX}{case.status}"
    forged = case.type.startswith(ENDING_PREFIX)
    return f"the answer's {case.type}" if forged else case.type


def _quoted(value: object) -> str:
    return quoteattr(_clean(str(value)))


def _clean(value: str) -> str:
    return _FORBIDDEN.sub("\ufffd", value)
