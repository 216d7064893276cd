"""A run's verdicts for other programs: JUnit XML, CSV, JSON lines."""

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any, TextIO

from polyassay.junit.xml import attribute, text
from polyassay.model import Outcome, TestResult, TestStatus, Verdict
from polyassay.shown_text import csv_cell

_SKIPPED = (Outcome.NOT_RUNNABLE,)

COLUMNS = (
    "suite", "task", "tool", "prompt_language", "sample", "outcome", "passed", "total", "judged",
    "seconds", "cpu_seconds", "reason",
)  # fmt: skip


def write_csv(verdicts: Iterable[Verdict], out: TextIO) -> None:
    """One row a candidate, without its tests."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for verdict in verdicts:
        fields = [getattr(verdict.candidate, name) for name in COLUMNS[:5]]
        fields += [getattr(verdict, name) for name in COLUMNS[5:]]
        writer.writerow(map(csv_cell, fields))


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


def as_dict(verdict: Verdict) -> dict[str, Any]:
    """A verdict as other programs read it."""
    fields: dict[str, Any] = {
        **asdict(verdict.candidate),
        "outcome": verdict.outcome,
        "passed": verdict.passed,
        "total": verdict.total,
        "tests": [
            {"name": t.name, "status": t.status, "message": t.message, "seconds": t.seconds}
            for t in verdict.tests
        ],
        "judged": verdict.judged,
        "seconds": verdict.seconds,
        "cpu_seconds": verdict.cpu_seconds,
        "reason": verdict.reason,
        "flags": list(verdict.flags),
    }
    if verdict.sets:
        fields["sets"] = {
            name: {"passed": score.passed, "total": score.total}
            for name, score in verdict.sets.items()
        }
        solved_by = verdict.solved_by
        fields["solved_by"] = solved_by and {"function": solved_by.function, "set": solved_by.set}
    return fields | dict(verdict.measures)


def write_jsonl(verdicts: Iterable[Verdict], out: TextIO) -> None:
    """The lines of `verdicts --json`."""
    for verdict in verdicts:
        out.write(json.dumps(as_dict(verdict)) + "\n")
