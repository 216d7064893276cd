"""An answer that returns an object instead of a value never passes, whatever the object claims."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from polyassay.harness import Job, RunSettings
from polyassay.harness.python.harness import PythonHarness, PythonSession
from polyassay.junit.report import verdict_of
from polyassay.model import Candidate, CandidateKey, Judging, Limits, Outcome, Program, Task
from polyassay.sandbox.bubblewrap import Bubblewrap
from polyassay.suites import ADAPTERS

# What the object does when it is compared.
DOES = {
    "claims": "return True",
    "raises": "raise ValueError('no')",
    "hangs": "\n        while True: pass",
    "exits": "import os; os._exit(0)",
}
OBJECT = """
class Liar:
    def __eq__(self, other):
        {does}
    __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __eq__
    def __sub__(self, other):
        return 0.0
    __rsub__ = __sub__
    def __abs__(self):
        return 0.0
    def __hash__(self):
        return 0
    def __bool__(self):
        return True
    def __iter__(self):
        return iter([Liar()])
    def __len__(self):
        return 1

def {entry}(*args, **kwargs):
    return {value}
"""
VALUES = {"alone": "Liar()", "in a list": "[Liar()]", "in a tuple": "(Liar(), Liar())"}


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PythonSession]:
    harness = PythonHarness(RunSettings(Bubblewrap(), tmp_path_factory.mktemp("home")))
    yield harness.open()
    harness.close()


@pytest.fixture(scope="module")
def tasks(shared_data: Path) -> list[Task]:
    (suite,) = ADAPTERS["humaneval"](shared_data / "humaneval", None)
    apart = [task for task in suite.tasks if not task.together_because]
    brief = Limits(seconds=2, total_seconds=10, memory_mb=256)
    return [replace(task, limits=brief) for task in apart[::20]]


@pytest.mark.parametrize("does", DOES)
@pytest.mark.parametrize("value", VALUES)
def test_nothing_passes(session: PythonSession, tasks: list[Task], does: str, value: str) -> None:
    for task in tasks:
        code = OBJECT.format(does=DOES[does], entry=task.entry, value=VALUES[value])
        candidate = Candidate(CandidateKey("humaneval", task.id, "liar", "en", 0), code)
        (report,) = session.judge([Job(task, candidate, Program(code))])
        verdict = verdict_of(task, candidate, report)
        assert verdict.judged is Judging.APART
        assert verdict.outcome not in (Outcome.PASSED, Outcome.HARNESS_ERROR), verdict
