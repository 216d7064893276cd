"""Tasks and verdicts made by hand, for tests of what comes after the harness."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from polyassay.measures.units import TaskKey, Unit, UnitScore, collect
from polyassay.model import (
    Candidate,
    CandidateKey,
    Judging,
    Language,
    Outcome,
    SetScore,
    SolvedBy,
    Style,
    Suite,
    Task,
    Test,
    TestResult,
    TestStatus,
    Verdict,
)
from polyassay.store import Run, Store
from polyassay.suites.make import checksum_of


def make_task(task_id: str, tests: int = 2, suite: str = "s", **fields: Any) -> Task:
    given = {
        "language": Language.PYTHON,
        "style": Style.FUNCTION,
        "prompts": {"en": "Do it."},
        "tests": tuple(Test(f"test_{i}") for i in range(tests)),
    } | fields
    return Task(id=task_id, suite=suite, **given)


def candidates_for(
    task: Task, count: int, answers: Sequence[str] = ()
) -> list[tuple[Task, Candidate]]:
    """Samples 0 to count - 1 of one tool."""
    return [
        (
            task,
            Candidate(
                CandidateKey(task.suite, task.id, "heron", "en", sample),
                answers[sample] if answers else "pass",
            ),
        )
        for sample in range(count)
    ]


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


def make_run(
    store: Store,
    tasks: Sequence[Task],
    verdicts: Sequence[Verdict],
    judging: str = "auto",
    costs: Mapping[str, float] | None = None,
    sources: Sequence[Mapping[str, Any]] = (),
    **options: Any,
) -> Run:
    """A finished run in a store, as `polyassay run` leaves one; `costs` of an answer, by tool."""
    named: dict[str, list[Task]] = {}
    for task in tasks:
        named.setdefault(task.suite, []).append(task)
    suites = [
        Suite(name, "1.0", checksum_of(name, {}, members), tuple(members))
        for name, members in named.items()
    ]
    tools = Counter(verdict.candidate.tool for verdict in verdicts)
    provenance = {
        "suites": {
            s.name: {"version": s.version, "checksum": s.checksum, "tasks": len(s.tasks)}
            for s in suites
        },
        "candidates": {"checksum": "", "tools": tools, "sources": list(sources)},
        "engine": "worker",
        "judging": judging,
        "sandbox": "bubblewrap",
        "reuse": 1,
        "options": {"timeout": None, "limit": None} | options,
        "versions": {"polyassay": "0.1.0", "python": "3.11"},
        "revision": "",
        "machine": {"system": "Linux", "processor": "x86_64", "cores": 2},
        "command": ["run"],
    }
    candidates = [
        Candidate(
            verdict.candidate,
            verdict.program.code,
            origin={"cost": (costs or {}).get(verdict.candidate.tool)} if costs else {},
        )
        for verdict in verdicts
    ]
    run = store.start_run(suites, candidates, provenance)
    store.save_verdicts(run.id, verdicts)
    return run
