"""What a failed test says, taken apart: values, place, and the lines of its source."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import PurePosixPath

from polyassay.model import Task, TestResult, TestStatus
from polyassay.suites.text import as_published

_PLACE = re.compile(
    r"\s*\((?P<where>(?P<owner>[\w$.]+):(?P<line>\d+)|at line \d+ of the answer)\)$"
)
_VALUES = (
    re.compile(r"^(?P<head>.*?)expected: <(?P<expected>.*)> but was: <(?P<found>.*)>$", re.S),
    re.compile(r"^(?P<head>)expected (?P<expected>.+) but was (?P<found>.+)$", re.S),
)
_AROUND = 3  # lines of a test class before and after the one that failed
_MOST_LINES = 14  # of a test whose failing line is not known


@dataclass(frozen=True, slots=True)
class SourceLine:
    number: int
    text: str
    failing: bool = False


@dataclass(frozen=True, slots=True)
class FailedTest:
    """Tests of one candidate that failed with the same words."""

    names: tuple[str, ...]
    status: TestStatus
    message: str  # without values and place, where they could be told apart
    values: tuple[str, str] | None = None  # expected and found
    place: str = ""
    source: tuple[SourceLine, ...] = ()  # of the first of them


def failed_tests(task: Task, results: Sequence[TestResult]) -> list[FailedTest]:
    """In the order of the tests; those that say the same are one."""
    alike: dict[tuple[TestStatus, str], list[TestResult]] = {}
    for result in results:
        if result.status is not TestStatus.PASSED:
            said = _PLACE.sub("", result.message)
            alike.setdefault((result.status, said), []).append(result)
    return [_failed(task, some) for some in alike.values()]


def _failed(task: Task, results: Sequence[TestResult]) -> FailedTest:
    first = results[0]
    place = _PLACE.search(first.message)
    said = _PLACE.sub("", first.message)
    values = next(filter(None, (form.match(said) for form in _VALUES)), None)
    return FailedTest(
        names=tuple(result.name for result in results),
        status=first.status,
        message=values["head"].strip(" :=>") if values else said,
        values=(values["expected"], values["found"]) if values else None,
        place=place["where"] if place else "",
        source=tuple(_source(task, first.name, place)),
    )


def _source(task: Task, name: str, place: re.Match[str] | None) -> list[SourceLine]:
    """A few lines of the test, the failing one marked where it is known."""
    line = int(place["line"] or 0) if place else 0
    found = _of_support(task, place["owner"] or "", line) if place else []
    found = found or _excerpt(task, name, line)
    while found and not found[-1].text.strip():
        found.pop()
    return found


def _of_support(task: Task, owner: str, line: int) -> list[SourceLine]:
    """Where a class failed that the tests rely on, as AixBench's evaluations: around that line."""
    texts = (text for path, text in task.support.items() if PurePosixPath(path).stem == owner)
    lines = as_published(next(texts, "")).splitlines()
    if line > len(lines):
        return []
    start, end = max(1, line - _AROUND), min(len(lines), line + _AROUND)
    return [SourceLine(i, lines[i - 1], i == line) for i in range(start, end + 1)]


def _excerpt(task: Task, name: str, line: int) -> list[SourceLine]:
    own = next((test.code for test in task.tests if test.name == name), "").strip("\n")
    if own:
        lines = own.splitlines()
        return [SourceLine(i, text) for i, text in enumerate(lines[:_MOST_LINES], start=1)]
    lines = task.test_source.splitlines()
    if 0 < line <= len(lines):
        start = max(1, line - _AROUND, _head(lines, name, before=line))
        end = min(len(lines), line + _AROUND, _next_head(lines, line) - 1)
        return [SourceLine(i, lines[i - 1], i == line) for i in range(start, end + 1)]
    if start := _head(lines, name, before=len(lines)):
        end = min(len(lines), start + _MOST_LINES - 1, _next_head(lines, start) - 1)
        return [SourceLine(i, lines[i - 1]) for i in range(start, end + 1)]
    return []


_HEAD = re.compile(
    r"^\s*(?:(?:public|protected|private|static|final|async)\s+)*(?:void|def)\s+(\w+)"
)


def _head(lines: Sequence[str], name: str, before: int) -> int:
    """The line on which the test begins; 0 where it is not found."""
    wanted = re.split(r"::|\[|\(", name)[-1 if "::" in name else 0]
    wanted = re.split(r"[\[(]", wanted)[0]
    found = [i for i, text in enumerate(lines[:before], start=1) if _is_head(text, wanted)]
    return found[-1] if found else 0


def _is_head(text: str, name: str) -> bool:
    head = _HEAD.match(text)
    return head is not None and head[1] == name


def _next_head(lines: Sequence[str], line: int) -> int:
    """The first line after this one that belongs to another test."""
    for number, (text, following) in enumerate(pairwise([*lines, ""]), start=1):
        if number > line and (_HEAD.match(text) or (text.lstrip()[:1] == "@" and following)):
            return number
    return len(lines) + 1
