"""From the events that JUnit's console launcher wrote to one case per expected test."""

import datetime
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lxml import etree

from polyassay.harness import Job
from polyassay.junit.xml import Case
from polyassay.model import TestStatus

_CORE = "{https://schemas.opentest4j.org/reporting/core/0.2.0}"
_EVENTS = "{https://schemas.opentest4j.org/reporting/events/0.2.0}"
_JAVA = "{https://schemas.opentest4j.org/reporting/java/0.2.0}"
_FRAME = re.compile(r"^\s+at (?:\S+/)?([\w.$]+)\.[\w$<>]+\(([\w$]+\.java):(\d+)\)$", re.M)
_OUT_OF_MEMORY = re.compile(r"^(Caused by: )?java\.lang\.OutOfMemoryError\b", re.M)
_MESSAGE_CHARACTERS = 2000


def cases_of(job: Job, attempts: Sequence[Mapping[str, Any]]) -> list[Case]:
    """All expected tests, whatever became of the processes; nothing here is trusted."""
    names = [test.name for test in job.task.tests]
    found: dict[str, Case] = {}
    for attempt in attempts:
        seen, running, class_failed = _read(job, str(attempt["report"]))
        for case in seen:
            if case.name not in found or found[case.name].status is TestStatus.PASSED:
                found[case.name] = case
        waiting = [name for name in names if name not in found]
        if attempt["ending"]:
            # As everywhere: it is the running test's doing, else the next one's, else the last's.
            blamed = running or (waiting or names[-1:])[0]
            status = TestStatus(str(attempt["ending"]))
            found[blamed] = Case(blamed, status, message=str(attempt["why"]))
        elif class_failed and attempt is attempts[-1]:
            found |= {name: _renamed(class_failed, name) for name in waiting}
    last = attempts[-1]["ending"] if attempts else ""
    return [found.get(name) or _missing(name, bool(last)) for name in names]


def _missing(name: str, ended: bool) -> Case:
    if ended:
        return Case(name, TestStatus.NOT_RUN, message="the candidate's time was used up before it")
    return Case(name, TestStatus.ERROR, message="the test class has no such test")


def _renamed(case: Case, name: str) -> Case:
    return Case(name, case.status, case.type, case.message)


def _read(job: Job, report: str) -> tuple[list[Case], str, Case | None]:
    """The finished tests, the one that was running at the end, and how their class failed."""
    started: dict[str, tuple[str, str]] = {}
    methods: dict[str, str] = {}  # of nodes, and of what a method makes as it runs
    cases: list[Case] = []
    class_failed: Case | None = None
    for event in _events(report):
        key = event.get("id", "")
        if event.tag == f"{_EVENTS}started":
            source = event.find(f".//{_JAVA}methodSource")
            own = "" if source is None else source.get("methodName", "")
            methods[key] = methods.get(event.get("parentId", ""), "") or own
            started[key] = (methods[key], event.get("time", ""))
        elif event.tag == f"{_EVENTS}finished" and key in started:
            name, since = started.pop(key)
            case = _case(job, name, event, _seconds(since, event.get("time", "")))
            if name:
                cases.append(case)
            elif case.status is not TestStatus.PASSED:
                class_failed = class_failed or case
    running = [name for name, _ in started.values() if name]
    return cases, running[-1] if running else "", class_failed


def _events(report: str) -> Iterator[Any]:
    """What can be read of a report that may end anywhere, and that a candidate may have written."""
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, load_dtd=False)
    root = etree.fromstring(report.encode(), parser) if report else None
    return iter(() if root is None else root)


def _case(job: Job, name: str, event: Any, seconds: float) -> Case:
    result = event.find(f"{_CORE}result")
    status = "" if result is None else result.get("status", "")
    if status == "SUCCESSFUL":
        return Case(name, TestStatus.PASSED, seconds=seconds)
    thrown = None if result is None else result.find(f"{_JAVA}throwable")
    if thrown is None:
        reason = None if result is None else result.findtext(f"{_CORE}reason")
        known = TestStatus.SKIPPED if status in ("SKIPPED", "ABORTED") else TestStatus.ERROR
        return Case(name, known, message=reason or "", seconds=seconds)
    kind, text = thrown.get("type", ""), thrown.text or ""
    if status == "ABORTED":
        ended = TestStatus.SKIPPED
    elif _OUT_OF_MEMORY.search(text):
        ended = TestStatus.OUT_OF_MEMORY
    else:
        asserted = thrown.get("assertionError") == "true"
        ended = TestStatus.FAILED if asserted else TestStatus.ERROR
    return Case(name, ended, kind, _message(job, kind, text), seconds)


def _message(job: Job, kind: str, text: str) -> str:
    words = re.split(r"\n\s+at |\n\s+\.\.\.|\nCaused by: ", text, maxsplit=1)[0]
    words = words.removeprefix(kind).removeprefix(":").strip()[:_MESSAGE_CHARACTERS]
    return " ".join(filter(None, (words, _place(job, text))))


def _place(job: Job, text: str) -> str:
    """Where it was thrown: a line of the answer, or of the tests."""
    own = job.task.class_name
    for owner, _, line in _FRAME.findall(text):
        outer = owner.partition("$")[0]
        number = int(line) - job.program.first_line + 1
        if outer == own and number > 0 and not job.program.files:
            return f"(at line {number} of the answer)"
        if not outer.startswith(("java.", "jdk.", "javax.", "sun.", "org.junit.", "junit.")):
            return f"({outer.rpartition('.')[2]}:{line})"
    return ""


def _seconds(since: str, until: str) -> float:
    try:
        start, end = map(datetime.datetime.fromisoformat, (since, until))
        return max((end - start).total_seconds(), 0.0)
    except (ValueError, TypeError):
        return 0.0
