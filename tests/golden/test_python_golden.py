"""Each folder of python/ is a task, an answer and the verdict it must get, by the real harness."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from polyassay.harness import Job, RunSettings
from polyassay.harness.python.harness import PythonHarness, PythonSession
from polyassay.junit.report import verdict_of
from polyassay.model import Candidate, CandidateKey, Judging, Program, Verdict
from polyassay.sandbox.bubblewrap import Bubblewrap
from polyassay.suites.native.jsonl import read

CASES = sorted((Path(__file__).parent / "python").iterdir())


@pytest.fixture(scope="module", params=[None, Judging.TOGETHER], ids=["auto", "together"])
def session(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[PythonSession]:
    """Both ways of judging give the same verdict wherever both can judge."""
    home = tmp_path_factory.mktemp("home")
    harness = PythonHarness(RunSettings(Bubblewrap(), home, judge=request.param))
    opened = harness.open()
    yield opened
    opened.close()
    harness.close()


def judge(session: PythonSession, case: Path, folder: Path) -> Verdict:
    native = folder / "suite.jsonl"
    native.write_text(json.dumps(json.loads((case / "task.json").read_text())) + "\n")
    task = read(native, "golden")[0].tasks[0]
    answer = (case / "answer.py").read_bytes().decode()
    candidate = Candidate(CandidateKey("golden", task.id, "tool", "en", 0), answer)
    program = Program(task.context + answer + task.suffix, task.context.count("\n") + 1, answer)
    (report,) = session.judge([Job(task, candidate, program)])
    return verdict_of(task, candidate, report)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_verdict(session: PythonSession, case: Path, tmp_path: Path) -> None:
    expected = json.loads((case / "expected.json").read_text())
    verdict = judge(session, case, tmp_path)
    assert verdict.outcome == expected["outcome"], verdict.reason
    assert {test.name: test.status for test in verdict.tests} == expected["tests"], verdict.reason
    told = [verdict.reason, *(test.message for test in verdict.tests), verdict.output]
    for text in expected.get("says", []):
        assert any(text in line for line in told), told
    if "solved_by" in expected:
        assert verdict.solved_by
        assert [verdict.solved_by.function, verdict.solved_by.set] == expected["solved_by"]
