"""The store keeps what it was given, and says in a sentence what is wrong with it."""

from dataclasses import replace

import pytest
import sqlalchemy as sa

from polyassay.errors import PolyAssayError
from polyassay.model import (
    AnswerForm,
    Candidate,
    CandidateKey,
    Judging,
    Language,
    Limits,
    Outcome,
    Program,
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
from polyassay.store import Store

TASK = Task(
    "t1",
    "s",
    Language.PYTHON,
    Style.SETS,
    {"en": "sum", "zh": "求和"},
    tests=(Test("a/test_0", "f(1) == 1"),),
    limits=Limits(seconds=2),
    tags=("closed",),
)
SUITE = Suite("s", "1.0", "c" * 64, (TASK,), libraries={"current": ("numpy==2",)})
KEY = CandidateKey("s", "t1", "finch", "en", 0)
HOSTILE = "x = '\0 \ud800 \U0001f40d'"


def verdict(key: CandidateKey = KEY, outcome: Outcome = Outcome.PASSED) -> Verdict:
    return Verdict(
        key,
        outcome,
        1,
        1,
        (TestResult("a/test_0", TestStatus.PASSED, HOSTILE, 0.5),),
        Judging.TOGETHER,
        flags=("reused",),
        sets={"a": SetScore(1, 1)},
        solved_by=SolvedBy("f", "a"),
        program=Program(HOSTILE, 2, HOSTILE, ("from a fenced block",)),
        output=HOSTILE,
        measures={"f1": 0.5},
    )


def started(store: Store) -> str:
    candidate = Candidate(KEY, HOSTILE, AnswerForm.COMPLETION)
    provenance = {"suites": {"s": {"version": "1.0", "checksum": SUITE.checksum}}}
    return store.start_run([SUITE], [candidate], provenance).id


def test_a_new_run_is_judged_by_the_rules_of_its_day(store: Store) -> None:
    started(store)
    newer = replace(SUITE, tasks=(replace(TASK, together_because="newer rules"),))
    store.start_run([newer], [], {"suites": {"s": {"checksum": SUITE.checksum}}})
    assert store.suites(store.run("latest")) == {"s": newer}


def test_everything_comes_back_as_it_was(store: Store) -> None:
    run = started(store)
    store.save_verdicts(run, [verdict()])
    assert store.suites(store.run("latest")) == {"s": SUITE}
    assert list(store.candidates(run)) == [Candidate(KEY, HOSTILE, AnswerForm.COMPLETION)]
    assert store.candidate(run, KEY).answer == HOSTILE
    assert list(store.verdicts(run)) == [verdict()]
    assert store.judged_keys(run) == {KEY}


def test_a_second_verdict_of_a_candidate_changes_nothing(store: Store) -> None:
    run = started(store)
    store.save_verdicts(run, [verdict()])
    store.save_verdicts(run, [verdict(outcome=Outcome.FAILED)])
    assert list(store.verdicts(run)) == [verdict()]


def test_verdicts_can_be_asked_for_by_task_and_tool(store: Store) -> None:
    run = started(store)
    other = CandidateKey("s", "t2", "heron", "en", 0)
    store.save_verdicts(run, [verdict(), verdict(other)])
    assert [v.candidate for v in store.verdicts(run, task="t2")] == [other]
    assert [v.candidate for v in store.verdicts(run, tool="finch")] == [KEY]


def test_what_has_no_verdict_yet_is_read_without_what_has_one(store: Store) -> None:
    keys = [CandidateKey("s", "t1", "finch", "en", sample) for sample in range(3)]
    candidates = [Candidate(key, "x", AnswerForm.COMPLETION) for key in keys]
    provenance = {"suites": {"s": {"version": "1.0", "checksum": SUITE.checksum}}}
    run = store.start_run([SUITE], candidates, provenance).id
    other = store.start_run([SUITE], candidates, provenance).id
    store.save_verdicts(run, [verdict(keys[1])])
    left = store.candidates(run, "s", ["t1"], judged=False)
    assert [candidate.key.sample for candidate in left] == [0, 2]
    assert store.judged(run) == {("s", "t1"): 1} and not store.judged(other)
    assert len(list(store.candidates(other, judged=False))) == 3


@pytest.mark.parametrize("size", [1, 3, 500])
def test_candidates_come_sample_by_sample_of_each_tool(
    store: Store, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("polyassay.store._PAGE", size)
    # As a file that lists tasks one after the other has them; "Á" and "b" sort by their bytes.
    keys = [
        CandidateKey("s", task, tool, language, sample)
        for task in ("t2", "t1", "other")
        for tool in ("Á", "b", "a")
        for language in ("zh", "en")
        for sample in (10, 2)
    ]
    candidates = [Candidate(key, "x", AnswerForm.COMPLETION) for key in keys]
    run = store.start_run([SUITE], candidates, {"suites": {}}).id
    store.save_verdicts(run, [verdict(keys[0])])
    found = store.candidates(run, "s", ["t1", "t2"], judged=False, by_tool=True)
    assert [candidate.key for candidate in found] == sorted(
        (key for key in keys[1:] if key.task != "other"),
        key=lambda key: (key.tool, key.prompt_language, key.sample, key.task),
    )
    assert not list(store.candidates(run, "s", ["none"], by_tool=True))


def test_our_own_errors_can_be_tried_again(store: Store) -> None:
    run = started(store)
    store.save_verdicts(run, [verdict(outcome=Outcome.HARNESS_ERROR)])
    store.forget_harness_errors(run)
    assert store.judged_keys(run) == set()


def test_latest_is_the_newest_run(store: Store) -> None:
    first, second = started(store), started(store)
    assert store.run("latest").id == second
    assert store.run(first).id == first
    with pytest.raises(PolyAssayError, match='no run "nope"') as refusal:
        store.run("nope")
    waiting = " (not complete)"
    assert refusal.value.hint == f"The newest are: {second}{waiting}, {first}{waiting}."


def test_a_store_of_a_newer_release_is_left_alone(store: Store, store_url: str) -> None:
    with store._transaction() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(PolyAssayError, match="newer PolyAssay"):
        Store.open(store_url)


def test_many_read_candidates_at_once_while_verdicts_are_saved(store: Store) -> None:
    keys = [CandidateKey("s", "t1", "finch", "en", sample) for sample in range(1100)]
    candidates = [Candidate(key, "x", AnswerForm.COMPLETION) for key in keys]
    provenance = {"suites": {"s": {"version": "1.0", "checksum": SUITE.checksum}}}
    run = store.start_run([SUITE], candidates, provenance).id
    readers = [store.candidates(run, "s", ["t1"]) for _ in range(20)]
    assert [next(reader) for reader in readers] == candidates[:1] * 20
    store.save_verdicts(run, [verdict()])
    assert list(readers[0]) == candidates[1:]  # of three pages
    assert store.answered(run) == {("s", "t1"): 1100}
