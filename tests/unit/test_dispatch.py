"""What goes to a slot and back, and what becomes of batches whose slot is lost."""

import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest

from made import candidates_for, make_task
from polyassay.dispatch.assignments import BATCHES_AHEAD, MOST_FALSE_STARTS, Assignments
from polyassay.dispatch.messages import KEPT_TASKS, Failed, Packer, Unpacker
from polyassay.dispatch.scheduling import Batch, Pair, Schedule, TaskGroup
from polyassay.errors import PolyAssayError
from polyassay.harness import RunSettings
from polyassay.model import Candidate, CandidateKey, Judging, Outcome
from polyassay.sandbox.none import NoSandbox
from polyassay.slot import LOSSES, Slot

SETTINGS = RunSettings(NoSandbox(), Path("home"), judge=Judging.APART, jobs=3)
TASK = make_task("a")


def assignments(count: int, slots: int, batch_size: int) -> Assignments:
    def pairs(_: TaskGroup) -> Iterator[Pair]:
        yield from candidates_for(TASK, count)

    group = TaskGroup("s", {TASK.id: TASK}, count, batch_size)
    return Assignments(Schedule([group], pairs, slots))


def samples(batch: Batch | None) -> list[int]:
    assert batch is not None
    return [candidate.key.sample for _, candidate in batch.pairs]


def test_a_slot_gets_a_few_batches_and_then_one_for_each_that_is_done() -> None:
    work = assignments(10, 1, 1)
    assert [samples(work.take(0)) for _ in range(BATCHES_AHEAD)] == [[0], [1], [2], [3]]
    assert work.take(0) is None
    work.done(0)
    assert samples(work.take(0)) == [4]


def test_what_a_lost_slot_was_at_is_judged_alone_and_the_rest_as_it_was() -> None:
    work = assignments(15, 2, 3)
    assert samples(work.take(1)) == [0, 1, 2]
    assert [samples(work.take(0)) for _ in range(2)] == [[3, 4, 5], [6, 7, 8]]
    work.lost(0, "killed", was_ready=True)
    first = work.take(0)
    assert samples(first) == [3] and first and first.losses == ("killed",)
    assert work.take(0) is None, "it is to be alone"
    assert samples(work.take(1)) == [6, 7, 8], "a busy slot takes no suspect"
    work.lost(0, "killed again", was_ready=True)
    again = work.take(0)
    assert samples(again) == [3] and again and again.losses == ("killed", "killed again")
    for left in ([4], [5], [9, 10, 11]):
        work.done(0)
        assert samples(work.take(0)) == left
    assert work.under_way


def test_a_slot_that_never_was_ready_blames_nothing_and_is_not_tried_for_ever() -> None:
    work = assignments(2, 1, 1)
    for attempt in range(1, MOST_FALSE_STARTS):
        batch = work.take(0)
        assert samples(batch) == [0] and batch and not batch.losses, attempt
        work.lost(0, "no memory", was_ready=False)
    work.started()
    work.take(0)
    work.lost(0, "no memory", was_ready=False)
    with pytest.raises(PolyAssayError, match="No slot can be started: no memory"):
        for _ in range(MOST_FALSE_STARTS):
            work.lost(0, "no memory", was_ready=False)


def test_an_idle_slot_that_is_lost_costs_nothing() -> None:
    work = assignments(1, 2, 1)
    work.take(0)
    work.done(0)
    assert work.take(0) is None
    work.lost(0, "killed", was_ready=True)
    assert not work.under_way


def test_an_error_arrives_with_its_hint_and_where_it_was_raised() -> None:
    try:
        raise PolyAssayError("a problem", hint="a hint")
    except PolyAssayError as error:
        sent = pickle.loads(pickle.dumps(Failed.of(error)))
    found = sent.again()
    assert (str(found), found.hint) == ("a problem", "a hint")
    assert "in test_an_error_arrives" in found.__notes__[0]


def test_the_real_slot_blames_a_candidate_that_was_lost_alone() -> None:
    (pair,) = candidates_for(TASK, 1)
    slot = Slot(SETTINGS)
    (verdict,) = slot.judge(Batch((pair,), losses=("it was killed",) * LOSSES))
    slot.close()
    assert (verdict.outcome, verdict.total) == (Outcome.CRASHED, len(TASK.tests))
    assert "it was killed" in verdict.reason and verdict.program.code == pair[1].answer


def test_settings_can_be_sent_to_another_process() -> None:
    sent: RunSettings = pickle.loads(pickle.dumps(SETTINGS))
    assert (sent.home, sent.judge, sent.jobs) == (Path("home"), Judging.APART, 3)
    assert sent.sandbox.name == "none"


def test_a_task_is_sent_once_and_an_origin_never() -> None:
    tasks = [make_task(f"t{number}") for number in range(KEPT_TASKS + 1)]
    packer, unpacker = Packer(), Unpacker()
    for task in (tasks[0], *tasks, tasks[-1]):
        key = CandidateKey(task.suite, task.id, "tool", "en", 0)
        work = packer.pack(Batch(((task, Candidate(key, "x", origin={"raw": "y" * 999})),)))
        assert len(work.tasks) == (task not in unpacker._tasks.values())
        assert len(pickle.dumps(work)) < 999
        ((found, candidate),) = unpacker.unpack(work).pairs
        assert (found, candidate.answer, candidate.origin) == (task, "x", None)
        assert len(unpacker._tasks) <= KEPT_TASKS
