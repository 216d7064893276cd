"""What was said about a line of an answer: by the compiler, or by a test that was ended there."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from polyassay.model import Outcome, TestStatus, Verdict
from polyassay.report.tasks.failing import FailedTest

# Runs of older versions have all that the compiler said on one line.
_BETWEEN = re.compile(r"\n(?! )|; (?=line \d+(?:, column \d+)?: )")
_COMPILER = re.compile(r"line (?P<line>\d+)(?:, column (?P<column>\d+))?: (?P<said>.*)", re.S)
_PYTHON = re.compile(r"(?P<said>.*), at line (?P<line>\d+) of the answer", re.S)
_OF_ANSWER = re.compile(r"at line (\d+) of the answer")
_TAB = 8  # a compiler counts columns as if tabs ended at multiples of it


@dataclass(frozen=True, slots=True)
class Remark:
    """Something to be read at a line of the answer's code."""

    line: int
    said: str  # a compiler's details are on lines of their own
    character: int = 0  # of the line, from 1; 0: not known


def lines_of(code: str) -> list[str]:
    """As compilers count them, who know fewer kinds of line ends than Python's `splitlines`."""
    return code.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def remarks(
    verdict: Verdict, code: str, failed: Sequence[FailedTest]
) -> tuple[str, tuple[Remark, ...]]:
    """What of the verdict's reason is to be read above the code, and what at its lines."""
    lines = lines_of(code)
    if verdict.outcome is not Outcome.UNBUILT:
        return _not_repeated(verdict), tuple(_of_tests(failed, len(lines)))
    said, found = [], []
    for part in _BETWEEN.split(verdict.reason):
        place = _COMPILER.fullmatch(part) or _PYTHON.fullmatch(part)
        line = int(place["line"]) if place else 0
        if not place or not 0 < line <= len(lines):
            said.append(part)
            continue
        column = int(place.groupdict().get("column") or 0)
        found.append(Remark(line, place["said"], character(lines[line - 1], column)))
    return "\n".join(said), tuple(found)


def _not_repeated(verdict: Verdict) -> str:
    """The reason, unless it is what the first failed test says anyway."""
    first = next((test for test in verdict.tests if test.status is not TestStatus.PASSED), None)
    told = first and f"{first.name}: {first.message}".startswith(verdict.reason)
    return "" if told else verdict.reason


def _of_tests(failed: Sequence[FailedTest], lines: int) -> Iterator[Remark]:
    seen: set[Remark] = set()
    for test in failed:
        place = _OF_ANSWER.search(test.place)
        if place and test.message and 0 < int(place[1]) <= lines:
            remark = Remark(int(place[1]), test.message)
            if remark not in seen:
                yield remark
            seen.add(remark)


def character(line: str, column: int) -> int:
    """Which character stands at a compiler's column; 0 where there is none.

    >>> character("\\tx = y", 13)
    6
    """
    at = 1
    for place, one in enumerate(line, start=1):
        if at >= column:
            return place if column else 0
        at += _TAB - (at - 1) % _TAB if one == "\t" else 1
    return len(line) + 1 if column == at else 0
