"""What a failed test says, taken apart: values, place, and the lines of its source."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import PurePosixPath

from polyassay.model import Outcome, Task, TestResult, TestStatus
from polyassay.suites.text import as_published

_PLACE = re.compile(
    r"\s*(?:\((?P<where>(?P<owner>[\w$.]+):(?P<line>\d+)|at line \d+ of the answer)\)"
    r"|, (?P<raised>at line \d+ of the (?:answer|task's own code)))?"
    r"(?: \(at line (?P<of_test>\d+) of the test\))?$"
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
            said, _ = _taken_apart(result.message)
            alike.setdefault((result.status, said), []).append(result)
    return [_failed(task, some) for some in alike.values()]


def _taken_apart(message: str) -> tuple[str, Mapping[str, str]]:
    """What was said, and where."""
    place = _PLACE.search(message)
    if place is None:  # never: it matches nothing, too
        return message, {}
    return message[: place.start()], {k: v for k, v in place.groupdict().items() if v}


def _failed(task: Task, results: Sequence[TestResult]) -> FailedTest:
    first = results[0]
    said, place = _taken_apart(first.message)
    if first.status is TestStatus.NOT_RUN:  # where nothing ran there is no line to be shown
        names = tuple(result.name for result in results)
        return FailedTest(names, first.status, "" if said in tuple(Outcome) else said)
    values = next(filter(None, (form.match(said) for form in _VALUES)), None)
    return FailedTest(
        names=tuple(result.name for result in results),
        status=first.status,
        message=values["head"].strip(" :=>,") if values else said,
        values=(values["expected"], values["found"]) if values else None,
        place=place.get("where") or place.get("raised", ""),
        source=tuple(_source(task, first.name, place)),
    )


def _source(task: Task, name: str, place: Mapping[str, str]) -> list[SourceLine]:
    """A few lines of the test, the failing one marked where it is known."""
    line = int(place.get("line", 0))
    found = _of_support(task, place["owner"], line) if line else []
    found = found or _snippet(task, name, int(place.get("of_test", 0)))
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


def _snippet(task: Task, name: str, line: int) -> list[SourceLine]:
    """A test that is a few statements; of one line, that is the one that failed."""
    lines = next((test.code for test in task.tests if test.name == name), "").rstrip().splitlines()
    if len(lines) == 1:
        return [SourceLine(1, lines[0], failing=True)]
    begin = next((i for i, text in enumerate(lines, start=1) if text.strip()), 1)
    start = max(begin, line - _MOST_LINES + _AROUND + 1)
    shown = enumerate(lines[start - 1 : start - 1 + _MOST_LINES], start=start)
    return [SourceLine(i, text, i == line) for i, text in shown]


def _excerpt(task: Task, name: str, line: int) -> list[SourceLine]:
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
