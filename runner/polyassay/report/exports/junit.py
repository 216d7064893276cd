"""A run's verdicts as JUnit XML."""

from collections.abc import Iterable, Iterator
from typing import TextIO

from polyassay.junit.xml import attribute, text
from polyassay.model import Outcome, TestResult, TestStatus, Verdict

_SKIPPED = (Outcome.NOT_RUNNABLE,)


def write_junit(verdicts: Iterable[Verdict], out: TextIO) -> None:
    """One <testsuite> a candidate, one <testcase> a test."""
    out.write('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n')
    for verdict in verdicts:
        out.writelines(_testsuite(verdict))
    out.write("</testsuites>\n")


def _testsuite(verdict: Verdict) -> Iterator[str]:
    key = verdict.candidate
    name = f"{key.tool}.{key.suite}.{key.task}"
    if key.prompt_language:
        name += f".{key.prompt_language}"
    name += f".{key.sample}" if key.sample else ""
    cases = [_testcase(verdict, test, name) for test in verdict.tests]
    bad = [test.status for test in verdict.tests]
    yield (
        f"  <testsuite name={attribute(name)} tests={attribute(len(cases))}"
        f" failures={attribute(bad.count(TestStatus.FAILED))}"
        f" errors={attribute(sum(_is_error(verdict, test) for test in verdict.tests))}"
        f" skipped={attribute(sum(_is_skipped(verdict, test) for test in verdict.tests))}"
        f" time={attribute(f'{verdict.seconds:.3f}')}>\n"
    )
    yield from cases
    yield "  </testsuite>\n"


def _testcase(verdict: Verdict, test: TestResult, owner: str) -> str:
    head = (
        f"    <testcase classname={attribute(owner)} name={attribute(test.name)}"
        f" time={attribute(f'{test.seconds:.3f}')}"
    )
    if test.status is TestStatus.PASSED:
        return f"{head}/>\n"
    if _is_skipped(verdict, test):
        return f"{head}><skipped message={attribute(verdict.reason or test.message)}/></testcase>\n"
    tag = "error" if _is_error(verdict, test) else "failure"
    message = test.message if test.status is not TestStatus.NOT_RUN else verdict.reason
    body = text(verdict.reason) if verdict.outcome is Outcome.UNBUILT else ""
    kind = attribute(verdict.outcome if test.status is TestStatus.NOT_RUN else test.status)
    return f"{head}><{tag} type={kind} message={attribute(message)}>{body}</{tag}></testcase>\n"


def _is_skipped(verdict: Verdict, test: TestResult) -> bool:
    return test.status is TestStatus.SKIPPED or verdict.outcome in _SKIPPED


def _is_error(verdict: Verdict, test: TestResult) -> bool:
    plain = (TestStatus.PASSED, TestStatus.FAILED)
    return test.status not in plain and not _is_skipped(verdict, test)
