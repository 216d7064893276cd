"""A run's verdicts as JUnit XML, whose elements `junit/xml.py` writes."""

from collections.abc import Iterable
from typing import TextIO

from polyassay.junit.xml import element, tag_of, testcase, text
from polyassay.model import Outcome, TestResult, TestStatus, Verdict
from polyassay.shown_text import clean


def write_junit(verdicts: Iterable[Verdict], out: TextIO) -> None:
    """One <testsuite> a candidate, one <testcase> a test."""
    out.write('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n')
    for verdict in verdicts:
        out.write(clean(f"  {_testsuite(verdict)}\n"))
    out.write("</testsuites>\n")


def _testsuite(verdict: Verdict) -> str:
    key = verdict.candidate
    name = f"{key.tool}.{key.suite}.{key.task}"
    if key.prompt_language:
        name += f".{key.prompt_language}"
    name += f".{key.sample}" if key.sample else ""
    tags = [_tag(verdict, test) for test in verdict.tests]
    about = {
        "name": name,
        "tests": len(tags),
        "failures": tags.count("failure"),
        "errors": tags.count("error"),
        "skipped": tags.count("skipped"),
        "time": f"{verdict.seconds:.6f}",
    }
    cases = [
        testcase(name, test.name, test.seconds, _result(verdict, test)) for test in verdict.tests
    ]
    return element("testsuite", about, *(f"\n    {case}" for case in cases), "\n  ")


def _tag(verdict: Verdict, test: TestResult) -> str:
    """Whatever cannot be judged here is skipped, so that a build does not fail for it."""
    return "skipped" if verdict.outcome is Outcome.NOT_RUNNABLE else tag_of(test.status)


def _result(verdict: Verdict, test: TestResult) -> str:
    tag = _tag(verdict, test)
    if not tag:
        return ""
    if tag == "skipped":
        return element(tag, {"message": verdict.reason or test.message})
    not_run = test.status is TestStatus.NOT_RUN
    about = {
        "type": verdict.outcome if not_run else test.status,
        "message": verdict.reason if not_run else test.message,
    }
    return element(tag, about, text(verdict.reason) if verdict.outcome is Outcome.UNBUILT else "")
