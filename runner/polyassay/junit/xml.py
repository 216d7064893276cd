"""Writes JUnit XML: the report of every harness, and exports.

`junit/report.py` reads it back. The rule against forged endings stands here alone: an `<error>`
whose type begins with ENDING_PREFIX is an ending that the harness itself saw, and no class that a
candidate threw is ever written under such a name.
"""

import re
from collections.abc import Iterable
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
    written = "".join(_testcase(case, case.owner or class_name) for case in cases)
    return f"<testsuite name={attribute(class_name)}>{written}</testsuite>"


def _testcase(case: Case, owner: str) -> str:
    head = (
        f"<testcase classname={attribute(owner)} name={attribute(case.name)}"
        f' time="{max(case.seconds, 0.0):.6f}"'
    )
    if case.status is TestStatus.PASSED:
        return f"{head}/>"
    tag = _TAGS.get(case.status, "error")
    entry = f"<{tag} type={attribute(_type(case))} message={attribute(case.message)}/>"
    return f"{head}>{entry}</testcase>"


def _type(case: Case) -> str:
    if case.status in (TestStatus.FAILED, TestStatus.SKIPPED):
        return case.type
    if case.status is not TestStatus.ERROR:
        return f"{ENDING_PREFIX}{case.status}"
    forged = case.type.startswith(ENDING_PREFIX)
    return f"the answer's {case.type}" if forged else case.type


def attribute(value: object) -> str:
    """Any text as a quoted attribute."""
    return quoteattr(_clean(str(value)))


def text(value: str) -> str:
    """Any text as an element's content."""
    return escape(_clean(value))


def _clean(value: str) -> str:
    return _FORBIDDEN.sub("\ufffd", value)
