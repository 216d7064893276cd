"""A suite's own pytest file, run by the pytest of an environment: here, the one that runs this."""

import sys
from contextlib import closing
from pathlib import Path

import pytest

from polyassay.environments.interpreters import Interpreter
from polyassay.harness import Job, RunSettings
from polyassay.harness.python.harness import PythonHarness
from polyassay.junit.report import verdict_of
from polyassay.model import Candidate, CandidateKey, Language, Program, Style, Task, Test, Verdict
from polyassay.sandbox.bubblewrap import Bubblewrap
from real_parts import elsewhere

TASK = Task(
    id="half",
    suite="pytests",
    language=Language.PYTHON,
    style=Style.PYTEST,
    prompts={"en": "Halve it."},
    tests=(Test("test_even"), Test("test_refuses_text")),
    test_source=(
        "import pytest\nfrom answer import half\n\n"
        "def test_even():\n    assert half(4) == 2\n\n"
        "def test_refuses_text():\n    with pytest.raises(TypeError):\n        half('a')\n"
    ),
    together_because="a pytest file imports the answer",
)


@pytest.fixture(autouse=True)
def borrowed_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment whose libraries are those of the interpreter that runs the tests."""
    prefix = Path(sys.prefix)
    if not (prefix / "pyvenv.cfg").is_file():
        elsewhere("needs to run in a virtual environment that has pytest")
    readable = tuple(
        path for path in (prefix, Path(sys.base_prefix)) if not path.is_relative_to("/usr")
    )
    borrowed = Interpreter(prefix / "bin" / "python", readable)
    monkeypatch.setattr(
        "polyassay.harness.python.harness.interpreter_of", lambda home, suite: borrowed
    )


def judge(code: str) -> Verdict:
    harness = PythonHarness(RunSettings(Bubblewrap(), Path()))
    candidate = Candidate(CandidateKey("pytests", "half", "tool", "en", 0), code)
    with closing(harness):
        (report,) = harness.open().judge([Job(TASK, candidate, Program(code))])
    return verdict_of(TASK, candidate, report)


@pytest.mark.parametrize(
    ("code", "outcome", "statuses"),
    [
        ("def half(x):\n    return x / 2\n", "passed", ["passed", "passed"]),
        ("def half(x):\n    return 2\n", "failed", ["passed", "failed"]),
        ("def half(x:\n", "unbuilt", ["not_run", "not_run"]),
        ("import os\ndef half(x):\n    os._exit(0)\n", "crashed", ["not_run", "not_run"]),
    ],
)
def test_pytest_file(code: str, outcome: str, statuses: list[str]) -> None:
    verdict = judge(code)
    assert verdict.outcome == outcome, verdict.reason
    assert [test.status for test in verdict.tests] == statuses
