"""Writes a harness' report: JUnit XML, one testcase per expected test."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from xml.etree import ElementTree

from polyassay.model import TestStatus

# What XML 1.0 cannot carry, not even escaped; candidates print it anyway.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_ENDING = "polyassay."  # begins the type of an ending that the harness saw


@dataclass(frozen=True, slots=True)
class Case:
    """How one test ended."""

    name: str
    status: TestStatus
    type: str = ""  # the class of what was thrown
    message: str = ""
    seconds: float = 0.0


def write_xml(class_name: str, cases: Iterable[Case]) -> str:
    """The report's text."""
    suite = ElementTree.Element("testsuite", name=_clean(class_name))
    for case in cases:
        element = ElementTree.SubElement(
            suite,
            "testcase",
            name=_clean(case.name),
            classname=_clean(class_name),
            time=f"{case.seconds:.6f}",
        )
        match case.status:
            case TestStatus.PASSED:
                continue
            case TestStatus.FAILED:
                tag, kind = "failure", case.type
            case TestStatus.SKIPPED:
                tag, kind = "skipped", case.type
            case TestStatus.ERROR:
                tag, kind = "error", _thrown(case.type)
            case ending:
                tag, kind = "error", f"{_ENDING}{ending}"
        ElementTree.SubElement(element, tag, type=_clean(kind), message=_clean(case.message))
    return ElementTree.tostring(suite, encoding="unicode")


def _thrown(kind: str) -> str:
    """A candidate may call its exceptions what it likes, but only a harness says how it ended."""
    return f"the answer's {kind}" if kind.startswith(_ENDING) else kind


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
