"""JUnit XML → test results, compared with the expected names → a verdict.

Silence is never a pass: a candidate passes only where exactly the expected tests are reported, once
each, and all of them passed.
"""

import dataclasses
import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from junitparser import Error, Failure, JUnitXml, JUnitXmlError, Skipped, TestCase
from lxml import etree

from polyassay.junit.xml import ENDING_PREFIX
from polyassay.model import (
    COUNTED,
    Candidate,
    Outcome,
    Program,
    Report,
    SetScore,
    SolvedBy,
    Style,
    Task,
    TestResult,
    TestStatus,
    Verdict,
)

MESSAGE_CHARACTERS = 2000
PROGRAM_CHARACTERS = 200_000  # of what a verdict repeats; the answer itself is kept whole
OUTPUT_CHARACTERS = 20_000

# Tests that ended so decide the candidate's outcome, the first that applies.
ENDINGS = (
    (TestStatus.TIMED_OUT, Outcome.TIMED_OUT),
    (TestStatus.OUT_OF_MEMORY, Outcome.OUT_OF_MEMORY),
    (TestStatus.CRASHED, Outcome.CRASHED),
    (TestStatus.NOT_RUN, Outcome.CRASHED),  # it broke off before this test
)


@dataclass(frozen=True, slots=True)
class ReportedTest:
    """One <testcase>."""

    owner: str  # its classname: for one-to-many tasks, the function that was tried
    result: TestResult


def verdict_of(task: Task, candidate: Candidate, report: Report) -> Verdict:
    """Compares the harness' report with the tests that the task expects."""
    try:
        cases = read_cases(report.xml) if report.xml else []
    except (etree.XMLSyntaxError, JUnitXmlError, ValueError) as error:
        # The candidate's code had run when it was written, so a broken report is its doing.
        cases = []
        report = dataclasses.replace(
            report,
            ending=report.ending or Outcome.CRASHED,
            reason=report.reason or f"the report is not JUnit XML: {error}",
        )
    judge = _judge_sets if task.style is Style.SETS else _judge_tests
    verdict = judge(task, candidate, report, cases)
    if report.ending is None or report.ending is verdict.outcome:
        return verdict
    return _ended(verdict, report.ending)


def read_cases(xml: str) -> list[ReportedTest]:
    """Reads a report that may have been written beside a candidate, so trusts nothing in it."""
    document = JUnitXml.fromfile(io.BytesIO(xml.encode("utf-8", "replace")), parse_func=_parse)
    suites = [document] if not isinstance(document, JUnitXml) else list(document)
    return [
        ReportedTest(case.classname or "", _result_of(case))
        for suite in suites
        for case in suite
        if isinstance(case, TestCase)
    ]


def _parse(source: Any) -> Any:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    return etree.parse(source, parser)


def _result_of(case: TestCase) -> TestResult:
    status, message = TestStatus.PASSED, ""
    for entry in case.result:
        status, message = _status_of(entry), entry.message or _first_line(entry.text)
    seconds = float(case.time or 0.0)
    seconds = seconds if 0.0 <= seconds < math.inf else 0.0
    return TestResult(case.name or "", status, message[:MESSAGE_CHARACTERS], seconds)


def _status_of(entry: Any) -> TestStatus:
    if isinstance(entry, Failure):
        return TestStatus.FAILED
    if isinstance(entry, Skipped):
        return TestStatus.SKIPPED
    kind = entry.type or ""
    if isinstance(entry, Error) and kind.startswith(ENDING_PREFIX):
        ending = kind.removeprefix(ENDING_PREFIX)
        return next((s for s, _ in ENDINGS if s.value == ending), TestStatus.ERROR)
    return TestStatus.ERROR


def _first_line(text: str | None) -> str:
    return (text or "").strip().split("\n", 1)[0]


def all_passed(expected: Sequence[str], results: Iterable[TestResult]) -> bool:
    """Every expected test passed, and no stranger was reported."""
    seen = [(result.name, result.status) for result in results]
    wanted = sorted((name, TestStatus.PASSED) for name in expected)
    return bool(expected) and sorted(seen) == wanted


def _judge_tests(
    task: Task, candidate: Candidate, report: Report, cases: list[ReportedTest]
) -> Verdict:
    names = [test.name for test in task.tests]
    reported = [case.result for case in cases]
    results = _in_order(names, reported)
    outcome = _outcome(results, all_passed(names, reported))
    strangers = sorted({result.name for result in reported} - set(names))
    reason = f"tests that nobody asked for were reported: {', '.join(strangers)}"
    verdict = _verdict(
        candidate, report, outcome, results, reason=reason if strangers else _reason(results)
    )
    return _as_published(task, verdict)


def _as_published(task: Task, verdict: Verdict) -> Verdict:
    """The verdict with the publisher's own total, if that is asked for and differs from the tests'.

    No answer passes such a task, and its ratio may be above 1, as in the paper.
    """
    total = int(task.extra.get(COUNTED, verdict.total))
    if total == verdict.total:
        return verdict
    if verdict.outcome is not Outcome.PASSED:
        return dataclasses.replace(verdict, total=total)
    reason = f"the suite counts {verdict.passed} of {total}, which is no pass"
    return dataclasses.replace(verdict, total=total, outcome=Outcome.FAILED, reason=reason)


def _in_order(names: Sequence[str], reported: Iterable[TestResult]) -> tuple[TestResult, ...]:
    """One result per expected name; a name reported twice has not passed."""
    by_name: dict[str, TestResult] = {}
    for result in reported:
        if result.name in by_name:
            result = dataclasses.replace(
                result, status=TestStatus.ERROR, message="this test was reported more than once"
            )
        by_name[result.name] = result
    missing = TestStatus.NOT_RUN
    return tuple(by_name.get(name, TestResult(name, missing, "not reported")) for name in names)


def _outcome(results: Sequence[TestResult], passed: bool) -> Outcome:
    if passed:
        return Outcome.PASSED
    statuses = {result.status for result in results}
    return next((outcome for status, outcome in ENDINGS if status in statuses), Outcome.FAILED)


def _reason(results: Iterable[TestResult]) -> str:
    """The first thing that went wrong."""
    bad = next((r for r in results if r.status is not TestStatus.PASSED), None)
    return f"{bad.name}: {bad.message or bad.status.value}" if bad else ""


def _judge_sets(
    task: Task, candidate: Candidate, report: Report, cases: list[ReportedTest]
) -> Verdict:
    """Any one function that passes all of any one set solves the task."""
    best: dict[str, tuple[str, tuple[TestResult, ...]]] = {}
    by_function: dict[str, list[TestResult]] = {}
    for case in cases:
        by_function.setdefault(case.owner, []).append(case.result)
    for name, tests in task.sets.items():
        names = [test.name for test in tests]
        tried = [
            (function, _in_order(names, [r for r in results if r.name in names]))
            for function, results in (by_function or {"": []}).items()
        ]
        best[name] = max(tried, key=lambda attempt: _passes(attempt[1]))
    winner = max(best, key=lambda name: _ratio(best[name][1]))
    function, results = best[winner]
    solved = all_passed([test.name for test in task.sets[winner]], results)
    return dataclasses.replace(
        _verdict(
            candidate,
            report,
            _outcome(results, solved),
            tuple(result for _, tried_results in best.values() for result in tried_results),
            reason=_reason(results),
        ),
        passed=_passes(results),
        total=len(results),
        sets={name: SetScore(_passes(tried), len(tried)) for name, (_, tried) in best.items()},
        solved_by=SolvedBy(function, winner) if solved else None,
    )


def _passes(results: Iterable[TestResult]) -> int:
    return sum(result.status is TestStatus.PASSED for result in results)


def _ratio(results: Sequence[TestResult]) -> float:
    return _passes(results) / len(results)


def _verdict(
    candidate: Candidate,
    report: Report,
    outcome: Outcome,
    results: tuple[TestResult, ...],
    reason: str,
) -> Verdict:
    return Verdict(
        candidate=candidate.key,
        outcome=outcome,
        passed=_passes(results),
        total=len(results),
        tests=results,
        judged=report.judged,
        reason=(report.reason or reason)[:MESSAGE_CHARACTERS],
        seconds=report.seconds,
        cpu_seconds=report.cpu_seconds,
        flags=report.flags,
        program=_shortened(report.program),
        output=report.output[:OUTPUT_CHARACTERS],
        measures=report.measures,
    )


def _shortened(program: Program) -> Program:
    return dataclasses.replace(
        program,
        source=program.source[:PROGRAM_CHARACTERS],
        code=program.code[:PROGRAM_CHARACTERS],
        files={path: text[:PROGRAM_CHARACTERS] for path, text in program.files.items()},
    )


def _ended(verdict: Verdict, ending: Outcome) -> Verdict:
    """The harness' word on how it ended goes before the tests' results."""
    if ending in (Outcome.UNBUILT, Outcome.NOT_RUNNABLE, Outcome.HARNESS_ERROR):
        return dataclasses.replace(
            verdict,
            outcome=ending,
            passed=0,
            tests=tuple(
                TestResult(result.name, TestStatus.NOT_RUN, ending.value)
                for result in verdict.tests
            ),
            sets={name: SetScore(0, score.total) for name, score in verdict.sets.items()},
            solved_by=None,
        )
    worse = list(Outcome).index(ending) < list(Outcome).index(verdict.outcome)
    return dataclasses.replace(verdict, outcome=ending, solved_by=None) if worse else verdict
