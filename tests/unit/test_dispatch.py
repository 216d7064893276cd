"""Every batch goes to one slot, and no failure of a slot goes unseen."""

import pickle
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from made import candidates_for, make_task
from polyassay.dispatch import local
from polyassay.harness import RunSettings
from polyassay.model import Judging, Outcome, Verdict
from polyassay.sandbox.none import NoSandbox
from polyassay.scheduling import Batch, Group, Pair, Schedule

SETTINGS = RunSettings(NoSandbox(), Path("home"), judge=Judging.APART, jobs=3)
TASK = make_task("a")


class CountingSlot:
    """Passes every candidate but sample 13, where it breaks if told so."""

    def __init__(self, opened: list["CountingSlot"], breaks: bool = False) -> None:
        self.thread = threading.get_ident()
        self.closed, self.breaks = False, breaks
        opened.append(self)

    def judge(self, batch: Batch) -> Sequence[Verdict]:
        assert threading.get_ident() == self.thread
        if self.breaks and any(candidate.key.sample == 13 for _, candidate in batch.pairs):
            raise RuntimeError("broken slot")
        return [
            Verdict(candidate.key, Outcome.PASSED, 1, 1, (), Judging.APART)
            for _, candidate in batch.pairs
        ]

    def close(self) -> None:
        assert threading.get_ident() == self.thread
        self.closed = True


def schedule(
    count: int, slots: int, batch_size: int = 1, read: list[int] | None = None
) -> Schedule:
    def pairs(_: Group) -> Iterator[Pair]:
        for pair in candidates_for(TASK, count):
            if read is not None:
                read.append(pair[1].key.sample)
            yield pair

    groups = [Group("s", {TASK.id: TASK}, count, batch_size)] if count else []
    return Schedule(groups, pairs, slots)


@pytest.mark.parametrize("slots", [1, 2, 7])
@pytest.mark.parametrize("batch_size", [1, 16])
def test_every_candidate_is_judged_once(slots: int, batch_size: int) -> None:
    opened: list[CountingSlot] = []
    lists = local.run(schedule(100, slots, batch_size), lambda _: CountingSlot(opened), SETTINGS)
    samples = [verdict.candidate.sample for verdicts in lists for verdict in verdicts]
    assert sorted(samples) == list(range(100))
    assert 1 <= len(opened) <= slots
    assert all(slot.closed for slot in opened)


def test_no_work_opens_no_slot() -> None:
    opened: list[CountingSlot] = []
    assert list(local.run(schedule(0, 3), lambda _: CountingSlot(opened), SETTINGS)) == []
    assert opened == []


def test_what_was_done_before_a_slot_broke_is_not_lost() -> None:
    found: list[int] = []
    with pytest.raises(RuntimeError, match="broken slot"):
        for verdicts in local.run(schedule(20, 1), lambda _: CountingSlot([], True), SETTINGS):
            found += [verdict.candidate.sample for verdict in verdicts]
    assert found == list(range(13))


def test_a_slot_that_cannot_be_opened_is_raised_to_the_caller() -> None:
    def refuse(_: RunSettings) -> CountingSlot:
        raise RuntimeError("no slot")

    with pytest.raises(RuntimeError, match="no slot"):
        list(local.run(schedule(5, 2), refuse, SETTINGS))


def test_candidates_are_read_only_as_fast_as_they_are_judged() -> None:
    read: list[int] = []
    may_go_on = threading.Event()

    class Waiting(CountingSlot):
        def judge(self, batch: Batch) -> Sequence[Verdict]:
            if batch.pairs[0][1].key.sample >= 2:
                may_go_on.wait(30)
            return super().judge(batch)

    lists = local.run(schedule(500, 1, read=read), lambda _: Waiting([]), SETTINGS)
    next(lists)
    assert len(read) <= 2 + local.BATCHES_AHEAD + 2
    may_go_on.set()
    for _ in lists:
        pass
    assert len(read) == 500


def test_settings_can_be_sent_to_another_process() -> None:
    sent: RunSettings = pickle.loads(pickle.dumps(SETTINGS))
    assert (sent.home, sent.judge, sent.jobs) == (Path("home"), Judging.APART, 3)
    assert sent.sandbox.name == "none"
