"""Scores from columns are exactly those from whole verdicts."""

from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from made import make_run, make_task, make_verdict
from polyassay.measures import kept_samples
from polyassay.measures.results import load
from polyassay.measures.scores import score_table
from polyassay.measures.taxonomy import TAXONOMY
from polyassay.measures.units import collect, expected_units
from polyassay.model import (
    Judging,
    Language,
    Outcome,
    Program,
    SetScore,
    SolvedBy,
    Style,
    TestResult,
    TestStatus,
    Verdict,
)
from polyassay.store import Store
from polyassay.store.figures import VerdictFigures

TASKS = [
    make_task("plain"),
    make_task("java", language=Language.JAVA, style=Style.JUNIT, prompts={"en": "x", "zh": "y"}),
    make_task("cell/1", style=Style.CELL),
    make_task("sets", style=Style.SETS, tests=0),
    make_task("library", libraries=("numpy",), reference="import numpy as np"),
    make_task("nobody"),
]
MESSAGES = ["", "NameError: x", "no output: none", "missing 1 required positional argument", "?"]
REASONS = ["", "answer is empty", "SyntaxError: x", "cannot find symbol", "';' expected", "odd"]


@st.composite
def verdicts(draw: st.DrawFn) -> Verdict:
    task = draw(st.sampled_from(TASKS[:-1]))
    total = draw(st.integers(0, 4))
    passed = draw(st.integers(0, total))
    status = draw(st.sampled_from([TestStatus.FAILED, TestStatus.ERROR]))
    made = make_verdict(
        task.id,
        passed,
        total,
        tool=draw(st.sampled_from(["finch", "heron", "reference"])),
        sample=draw(st.integers(0, 3)),
        prompt_language=draw(st.sampled_from(sorted(task.prompts))),
        outcome=draw(st.sampled_from(list(Outcome))),
        judged=draw(st.sampled_from(list(Judging))),
        reason=draw(st.sampled_from(REASONS)),
        flags=tuple(draw(st.lists(st.sampled_from(["reused", "slow"]), unique=True))),
        program=Program("x", code=draw(st.sampled_from(["", "np.sum", "sum"]))),
        measures=draw(st.dictionaries(st.sampled_from(["f1", "ran"]), st.floats(0, 1))),
        seconds=draw(st.floats(0, 9)),
    )
    message = draw(st.sampled_from(MESSAGES))
    bad = tuple(
        t if t.status is TestStatus.PASSED else TestResult(t.name, status, message)
        for t in made.tests
    )
    made = replace(made, tests=bad)
    if task.style is Style.SETS:
        names = draw(st.sets(st.sampled_from(["a", "b--original"]), min_size=1))
        sets = {name: SetScore(draw(st.integers(0, 2)), draw(st.integers(0, 2))) for name in names}
        made = replace(made, sets=sets, solved_by=SolvedBy("f", min(names)))
    return made


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    found=st.lists(verdicts(), max_size=25, unique_by=lambda v: v.candidate),
    unfinished=st.booleans(),
)
def test_the_same_units_and_the_same_figures(
    store: Store, found: list[Verdict], unfinished: bool
) -> None:
    run = make_run(store, TASKS, found)
    if unfinished:
        run.provenance["candidates"]["tools"]["finch"] += 1
    tasks = {(task.suite, task.id): task for task in TASKS}
    ordered = list(store.verdicts(run.id))
    keys = [] if unfinished else [verdict.candidate for verdict in ordered]
    expected = expected_units(tasks.values(), keys)
    whole = collect(ordered, tasks, expected)
    results = load(store, run)
    assert set(results.scores) == set(whole)
    whole = {tool: whole[tool] for tool in results.scores}  # in the run's order
    assert dict(results.scores) == whole
    assert results.complete is not unfinished
    for by in ((), ("language", "prompt_language"), ("assertion_set",)):
        assert score_table(results.scores, by=by).rows == score_table(whole, by=by).rows
    assert load(store, run) == results  # what was found out about failures is kept


def test_few_samples_are_remembered_and_nothing_changes(store: Store, monkeypatch) -> None:
    made = [make_verdict("plain", n % 3, sample=n) for n in range(9)]
    run = make_run(store, TASKS, made)
    before = load(store, run).scores
    monkeypatch.setattr(kept_samples, "_KEPT", 2)
    assert load(store, run).scores == before


def test_another_taxonomy_finds_failures_out_again(store: Store, monkeypatch) -> None:
    run = make_run(store, TASKS, [make_verdict("plain", 0), make_verdict("plain", 2, sample=1)])
    load(store, run)
    assert list(VerdictFigures(store).unsettled(run.id, TAXONOMY)) == []
    ((one, other),) = VerdictFigures(store).unsettled(run.id, TAXONOMY + 1)
    assert (one.outcome, other.outcome) == (Outcome.FAILED, Outcome.PASSED)
