"""Every batch goes to one slot, no failure of a slot goes unseen, and no slot is left."""

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

import stub_slots
from made import candidates_for, make_task
from polyassay.dispatch import SlotMaker, assignments
from polyassay.dispatch.local import LocalSlots
from polyassay.dispatch.scheduling import Pair, Schedule, TaskGroup
from polyassay.errors import PolyAssayError
from polyassay.harness import RunSettings
from polyassay.model import Judging, Outcome, Verdict
from polyassay.pipeline import gather
from polyassay.sandbox.none import NoSandbox

SETTINGS = RunSettings(NoSandbox(), Path("home"), judge=Judging.APART, jobs=3)
TASK = make_task("a")


def schedule(
    count: int, slots: int, batch_size: int = 1, read: list[int] | None = None
) -> Schedule:
    def pairs(_: TaskGroup) -> Iterator[Pair]:
        for pair in candidates_for(TASK, count):
            if read is not None:
                read.append(pair[1].key.sample)
            yield pair

    groups = [TaskGroup("s", {TASK.id: TASK}, count, batch_size)] if count else []
    return Schedule(groups, pairs, slots)


def judged(open_slot: SlotMaker, count: int, slots: int, batch_size: int = 1) -> list[Verdict]:
    lists = gather(LocalSlots(schedule(count, slots, batch_size), open_slot, SETTINGS))
    return [verdict for verdicts in lists for verdict in verdicts]


@pytest.fixture(autouse=True)
def _no_slot_is_left() -> Iterator[None]:
    before = set(psutil.Process().children(recursive=True))
    yield
    assert set(psutil.Process().children(recursive=True)) <= before


@pytest.mark.parametrize(("slots", "batch_size"), [(1, 1), (1, 16), (3, 1), (3, 16)])
def test_every_candidate_is_judged_once(slots: int, batch_size: int) -> None:
    verdicts = judged(stub_slots.PassingSlot, 100, slots, batch_size)
    assert sorted(verdict.candidate.sample for verdict in verdicts) == list(range(100))
    pids = {int(verdict.reason) for verdict in verdicts}
    assert 1 <= len(pids) <= slots
    assert os.getpid() not in pids


def test_no_work_opens_no_slot() -> None:
    assert judged(stub_slots.RefusingSlot, 0, 3) == []


def test_what_was_done_before_a_slot_broke_is_not_lost() -> None:
    found: list[int] = []
    with pytest.raises(PolyAssayError, match="broken slot") as raised:
        for verdicts in gather(LocalSlots(schedule(20, 1), stub_slots.RaisingSlot, SETTINGS)):
            found += [verdict.candidate.sample for verdict in verdicts]
    assert found == list(range(stub_slots.UNLUCKY))
    assert raised.value.hint == "mend it"


def test_an_error_comes_with_the_slots_own_traceback() -> None:
    with pytest.raises(RuntimeError, match="Unsendable: cannot be sent") as raised:
        judged(stub_slots.OddlyRaisingSlot, 20, 1)
    assert "raise Unsendable(1, 2)" in raised.value.__notes__[0]


def test_a_slot_that_cannot_be_opened_or_closed_is_told() -> None:
    with pytest.raises(PolyAssayError, match="no slot"):
        judged(stub_slots.RefusingSlot, 5, 2)
    with pytest.raises(PolyAssayError, match="cannot close"):
        judged(stub_slots.ClosingBadlySlot, 5, 2)


@pytest.mark.parametrize("batch_size", [1, 16])
def test_a_candidate_that_kills_its_slots_costs_no_other_its_verdict(batch_size: int) -> None:
    verdicts = judged(stub_slots.DyingSlot, 40, 2, batch_size)
    assert Counter(verdict.candidate.sample for verdict in verdicts) == Counter(range(40))


def test_a_slot_that_is_lost_once_changes_no_verdict() -> None:
    verdicts = judged(stub_slots.OnceDyingSlot, 40, 1, 16)
    assert Counter(verdict.candidate.sample for verdict in verdicts) == Counter(range(40))
    assert {verdict.outcome for verdict in verdicts} == {Outcome.PASSED}


def test_slots_are_not_replaced_for_ever() -> None:
    with pytest.raises(PolyAssayError, match="slots ended one after the other: the process ended"):
        judged(stub_slots.AlwaysDyingSlot, 20, 1)
    with pytest.raises(PolyAssayError, match="exit status 3: what a pity"):
        judged(stub_slots.StillbornSlot, 20, 1)


def test_candidates_are_read_only_as_fast_as_they_are_judged(tmp_path: Path) -> None:
    read: list[int] = []
    settings = RunSettings(NoSandbox(), tmp_path)
    lists = gather(LocalSlots(schedule(500, 1, read=read), stub_slots.WaitingSlot, settings))
    next(lists)
    assert len(read) <= 2 + assignments.BATCHES_AHEAD + 2
    (tmp_path / "go").touch()
    for _ in lists:
        pass
    assert len(read) == 500


def test_a_run_that_is_broken_off_leaves_no_slot(tmp_path: Path) -> None:
    settings = RunSettings(NoSandbox(), tmp_path)
    lists = gather(LocalSlots(schedule(50, 2), stub_slots.WaitingSlot, settings))
    next(lists)
    lists.close()
