"""What rounds of shaking leave in a store."""

from dataclasses import replace

import pytest

from made import make_run, make_task, make_verdict
from polyassay.measures.results import load
from polyassay.measures.scores import score_table
from polyassay.model import LUCKY, Outcome
from polyassay.report.score_table import as_json
from polyassay.shaking import shakeable
from polyassay.store import Run, Store
from polyassay.store.shaken import ShakenVerdicts, result_of

TASKS = [make_task(name) for name in ("a", "b", "c")]
PASSED, FAILED = make_verdict("a", 2), make_verdict("b", 1)
UNBUILT = make_verdict("c", 0, outcome=Outcome.UNBUILT)


@pytest.fixture
def stored(store: Store) -> tuple[Store, Run]:
    return store, make_run(store, TASKS, [PASSED, FAILED, UNBUILT])


def test_only_what_loaded_and_kept_its_limits_is_tried_again(stored: tuple[Store, Run]) -> None:
    store, run = stored
    assert shakeable(store, run.id) == {v.candidate: result_of(v) for v in (PASSED, FAILED)}


def test_a_verdict_that_differs_in_any_round_is_lucky(stored: tuple[Store, Run]) -> None:
    store, run = stored
    shaken, usual = ShakenVerdicts(store), shakeable(store, run.id)
    shaken.save(run.id, 1, [PASSED, FAILED], usual)
    assert shaken.judged(run.id, 1) == set(usual) and shaken.judged(run.id, 2) == set()
    assert all(v.flags == () for v in store.verdicts(run.id))
    shaken.save(run.id, 2, [replace(PASSED, outcome=Outcome.FAILED), FAILED], usual)
    shaken.save(run.id, 3, [make_verdict("a", 0), FAILED], usual)
    flags = {v.candidate.task: v.flags for v in store.verdicts(run.id)}
    assert flags == {"a": (LUCKY,), "b": (), "c": ()}
    outcomes = {v.candidate.task: v.outcome for v in store.verdicts(run.id)}
    assert outcomes["a"] is Outcome.PASSED
    results = load(store, run)
    told = as_json(results, score_table(results.scores), None)
    assert told["tools"]["heron"]["lucky"] == 1


def test_our_own_failures_are_nobodys_luck(stored: tuple[Store, Run]) -> None:
    store, run = stored
    ours = replace(PASSED, outcome=Outcome.HARNESS_ERROR, passed=0)
    ShakenVerdicts(store).save(run.id, 1, [ours], shakeable(store, run.id))
    assert all(v.flags == () for v in store.verdicts(run.id))
