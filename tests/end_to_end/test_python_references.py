"""References of the public Python suites get what they were measured to get, in both modes.

Every so manieth task only, so that it stays a matter of seconds; the whole suites are run with
`polyassay run -c reference`.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from polyassay.harness import Job, RunSettings
from polyassay.harness.python.harness import PythonHarness
from polyassay.junit.report import verdict_of
from polyassay.model import Candidate, CandidateKey, Judging, Outcome, Program, Task, Verdict
from polyassay.sandbox.bubblewrap import Bubblewrap
from polyassay.suites import ADAPTERS

Judge = Callable[[Iterable[Task]], dict[str, Verdict]]


@pytest.fixture(scope="module", params=[None, Judging.TOGETHER], ids=["auto", "together"])
def judge(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Judge]:
    home = tmp_path_factory.mktemp("home")
    harness = PythonHarness(RunSettings(Bubblewrap(), home, judge=request.param))
    session = harness.open()

    def judge_references(tasks: Iterable[Task]) -> dict[str, Verdict]:
        verdicts = {}
        for task in tasks:
            key = CandidateKey(task.suite, task.id, "reference", "en", 0)
            candidate, program = Candidate(key, task.reference), Program(task.reference)
            (report,) = session.judge([Job(task, candidate, program)])
            verdicts[task.id] = verdict_of(task, candidate, report)
        return verdicts

    yield judge_references
    harness.close()


def expected(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_humaneval(shared_data: Path, judge: Judge) -> None:
    (suite,) = ADAPTERS["humaneval"](shared_data / "humaneval", None)
    verdicts = judge(suite.tasks[::4])
    assert {v.outcome for v in verdicts.values()} == {Outcome.PASSED}
    assert sum(v.judged is Judging.APART for v in verdicts.values()) in (0, 40, 41)


def test_mbupp(shared_data: Path, judge: Judge) -> None:
    (suite,) = ADAPTERS["mbupp"](shared_data / "mbupp" / "MBUPP-MBPP_UpdatedNL_TC.json", None)
    chosen = {task.id: task for task in suite.tasks[::20]}
    verdicts = judge(chosen.values())
    for row in expected(shared_data / "expected" / "mbupp_MBUPP-MBPP_UpdatedNL_TC.jsonl"):
        if str(row["task_id"]) in chosen:
            verdict = verdicts[str(row["task_id"])]
            passing = [name for name, set_ in verdict.sets.items() if set_.passed == set_.total]
            assert (verdict.outcome is Outcome.PASSED) == row["solved"]
            assert passing == row["passing_sets"]


def test_odex_of_the_standard_library(shared_data: Path, judge: Judge) -> None:
    (suite,) = ADAPTERS["odex"](shared_data / "odex", None)
    chosen = {t.id: t for t in suite.tasks[::15] if not t.libraries or t.libraries == ("re",)}
    verdicts = judge(chosen.values())
    for nl in ("en", "es", "ja", "ru"):
        for row in expected(shared_data / "expected" / f"odex_{nl}.jsonl"):
            verdict = verdicts.get(f"{nl}/{row['index']}")
            if verdict and not row["flaky"]:
                passed = [i for i, test in enumerate(verdict.tests) if test.status == "passed"]
                assert passed == row["passed_tests"], verdict
