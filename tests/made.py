"""Tasks and verdicts made by hand, for tests of what comes after the harness."""

from collections.abc import Mapping, Sequence
from typing import Any

from polyassay.metrics.units import TaskKey, Unit, UnitScore, collect
from polyassay.model import (
    CandidateKey,
    Judging,
    Language,
    Outcome,
    SetScore,
    SolvedBy,
    Style,
    Task,
    Test,
    TestResult,
    TestStatus,
    Verdict,
)


def make_task(task_id: str, tests: int = 2, suite: str = "s", **fields: Any) -> Task:
    given = {
        "language": Language.PYTHON,
        "style": Style.FUNCTION,
        "prompts": {"en": "Do it."},
        "tests": tuple(Test(f"test_{i}") for i in range(tests)),
    } | fields
    return Task(id=task_id, suite=suite, **given)


def make_verdict(
    task: str,
    passed: int,
    total: int = 2,
    tool: str = "heron",
    sample: int = 0,
    suite: str = "s",
    prompt_language: str = "en",
    outcome: Outcome | None = None,
    **fields: Any,
) -> Verdict:
    statuses = [TestStatus.PASSED] * passed + [TestStatus.FAILED] * (total - passed)
    given = {
        "tests": tuple(TestResult(f"test_{i}", status) for i, status in enumerate(statuses)),
        "judged": Judging.APART,
    } | fields
    if outcome is None:
        outcome = Outcome.PASSED if passed == total else Outcome.FAILED
    key = CandidateKey(suite, task, tool, prompt_language, sample)
    return Verdict(key, outcome, passed, total, **given)


def set_verdict(task: str, sets: Mapping[str, tuple[int, int]], **fields: Any) -> Verdict:
    """A verdict of a one-to-many task; the first whole set solves it."""
    solving = next((name for name, (passed, total) in sets.items() if passed == total), None)
    passed, total = max(sets.values(), key=lambda counts: counts[0] / counts[1])
    return make_verdict(
        task,
        passed,
        total,
        sets={name: SetScore(*counts) for name, counts in sets.items()},
        solved_by=SolvedBy("f", solving) if solving else None,
        **fields,
    )


def scores_of(
    verdicts: Sequence[Verdict],
    tasks: Sequence[Task],
    expected: Mapping[str, Sequence[Unit]] | None = None,
) -> dict[str, tuple[UnitScore, ...]]:
    keyed: dict[TaskKey, Task] = {(task.suite, task.id): task for task in tasks}
    return collect(verdicts, keyed, expected or {})
