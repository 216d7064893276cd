"""Without an environment: the machine's Python, whatever its start files would do."""

from pathlib import Path

import pytest

from polyassay.environments.interpreters import interpreter_of
from polyassay.harness import Job, RunSettings
from polyassay.harness.python.harness import PythonHarness
from polyassay.junit.report import verdict_of
from polyassay.model import (
    Candidate,
    CandidateKey,
    Judging,
    Language,
    Outcome,
    Program,
    Style,
    Task,
    Test,
)
from polyassay.sandbox.bubblewrap import Bubblewrap

# Python itself without its start files says where its libraries are.
CODE = """
import os, site, sys

def found():
    places = [place for place in site.getsitepackages() if os.path.isdir(place)]
    return [sys.flags.no_site, set(places) <= set(sys.path), callable(exit) and callable(quit)]
"""
TASK = Task(
    *("t", "s", Language.PYTHON, Style.FUNCTION, {}),
    entry="found",
    tests=(Test("t", "assert found() == [1, True, True]"),),
)


@pytest.mark.parametrize("way", [Judging.APART, Judging.TOGETHER])
def test_it_finds_its_libraries_and_the_usual_names(tmp_path: Path, way: Judging) -> None:
    assert interpreter_of(tmp_path, "s").bare
    harness = PythonHarness(RunSettings(Bubblewrap(), tmp_path, judge=way))
    try:
        candidate = Candidate(CandidateKey("s", "t", "tool", "en", 0), CODE)
        (report,) = harness.open().judge([Job(TASK, candidate, Program(CODE))])
    finally:
        harness.close()
    verdict = verdict_of(TASK, candidate, report)
    assert verdict.outcome is Outcome.PASSED, verdict.reason
