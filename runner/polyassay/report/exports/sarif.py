"""A run's answers that did not pass, as SARIF 2.1.0, which editors and code hosts show as findings.

Answers are no files of the reader's, so a finding names tool, suite and task, and no file.
"""

import json
from collections.abc import Iterable
from typing import Any, TextIO

from polyassay import __version__
from polyassay.model import Outcome, TestStatus, Verdict
from polyassay.shown_text import clean

_RULES = {
    Outcome.FAILED: "A test did not hold.",
    Outcome.CRASHED: "The answer ended the process that ran it.",
    Outcome.TIMED_OUT: "The answer used up its time.",
    Outcome.OUT_OF_MEMORY: "The answer used up its memory.",
    Outcome.UNBUILT: "The answer does not compile, or holds no program.",
    Outcome.NOT_RUNNABLE: "The task cannot be run here; no tool is blamed.",
    Outcome.HARNESS_ERROR: "Our failure, to be judged again; no tool is blamed.",
}


def write_sarif(verdicts: Iterable[Verdict], out: TextIO) -> None:
    """One finding an answer that did not pass."""
    rules = [
        {"id": outcome, "shortDescription": {"text": text}} for outcome, text in _RULES.items()
    ]
    driver = {"name": "PolyAssay", "version": __version__, "rules": rules}
    out.write('{"version": "2.1.0", "runs": [{"tool": ')
    out.write(json.dumps({"driver": driver}) + ', "results": [')
    between = "\n"
    for verdict in verdicts:
        if verdict.outcome is not Outcome.PASSED:
            out.write(between + json.dumps(_finding(verdict)))
            between = ",\n"
    out.write("\n]}]}\n")


def _finding(verdict: Verdict) -> dict[str, Any]:
    key = verdict.candidate
    parts = (key.tool, key.suite, key.task, key.prompt_language, f"sample {key.sample}")
    name = clean(" · ".join(filter(None, parts)))
    return {
        "ruleId": verdict.outcome,
        "level": "error" if verdict.outcome.counts else "note",
        "message": {"text": f"{name}: {clean(_why(verdict))}"},
        "locations": [{"logicalLocations": [{"fullyQualifiedName": name}]}],
        # By which a viewer knows the same finding in the next run.
        "partialFingerprints": {"answer/v1": name},
    }


def _why(verdict: Verdict) -> str:
    said = f"{verdict.outcome.replace('_', ' ')}, {verdict.passed} of {verdict.total} tests passed"
    ran = (TestStatus.PASSED, TestStatus.NOT_RUN)
    first = next((test for test in verdict.tests if test.status not in ran), None)
    if verdict.reason or first is None:
        return f"{said}. {verdict.reason}".strip()
    return f"{said}. {first.name}: {first.message}".strip()
