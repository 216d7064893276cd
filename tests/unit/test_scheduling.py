"""How the work of a run is ordered and shared out."""

from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from made import candidates_for, make_task
from polyassay.dispatch import scheduling
from polyassay.dispatch.scheduling import Batch, Pair, Schedule, TaskGroup, split


def group(name: str, pending: int, batch_size: int = 1) -> TaskGroup:
    return TaskGroup("s", {name: make_task(name)}, pending, batch_size)


def pairs_of(some: TaskGroup) -> Iterator[Pair]:
    for task in some.tasks.values():
        yield from candidates_for(task, some.pending)


def taken(schedule: Schedule, slot: int) -> str:
    """The batch that a slot gets, as the tasks' letters."""
    batch = schedule.take(slot)
    return "".join(task.id for task, _ in batch.pairs) if batch else ""


@pytest.mark.parametrize(
    ("counts", "slots", "queues"),
    [
        ([], 2, [[], []]),
        ([5], 3, [[5], [], []]),
        ([10, 10, 100], 2, [[10, 10], [100]]),
        ([100, 1000], 2, [[100], [1000]]),
        ([50, 50, 100, 100], 2, [[50, 50], [100, 100]]),
        ([3] * 8, 4, [[3, 3]] * 4),
    ],
)
def test_neighbours_share_a_queue_and_queues_are_alike(
    counts: list[int], slots: int, queues: list[list[int]]
) -> None:
    groups = [group(str(number), count) for number, count in enumerate(counts)]
    found = [[one.pending for one in queue] for queue in scheduling._queues(groups, slots)]
    assert sorted(found) == sorted(queues)
    assert [count for queue in found for count in queue] == counts


def test_a_slot_takes_its_own_queue_first_and_then_the_end_of_the_longest() -> None:
    groups = [group(name, 1) for name in "abcdef"]
    schedule = Schedule(groups, pairs_of, slots=2)
    assert [taken(schedule, 0) for _ in range(3)] == ["a", "b", "c"]
    assert [taken(schedule, 0) for _ in range(2)] == ["f", "e"]
    assert [taken(schedule, 1), taken(schedule, 1), taken(schedule, 0)] == ["d", "", ""]


def test_slots_share_a_group_that_is_the_only_one_left() -> None:
    schedule = Schedule([group("a", 3)], pairs_of, slots=2)
    assert [taken(schedule, slot) for slot in (0, 1, 0, 1)] == ["a", "a", "a", ""]


@pytest.mark.parametrize(
    ("pending", "batch_size", "slots", "sizes"),
    [(5, 2, 1, [2, 2, 1]), (20, 16, 2, [10, 10]), (1, 16, 4, [1]), (3, 16, 4, [1, 1, 1])],
)
def test_a_batch_leaves_some_to_other_slots(
    pending: int, batch_size: int, slots: int, sizes: list[int]
) -> None:
    schedule = Schedule([group("a", pending, batch_size)], pairs_of, slots)
    assert [len(taken(schedule, 0)) for _ in sizes] == sizes
    assert taken(schedule, 0) == ""


def test_a_batch_holds_a_moderate_number_of_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduling, "BATCH_CHARACTERS", 10)
    task = make_task("a")

    def answers(_: TaskGroup) -> Sequence[Pair]:
        return candidates_for(task, 5, answers=["x" * 4, "x" * 6, "x", "x" * 99, "x"])

    schedule = Schedule([group("a", 5, 16)], answers, slots=1)
    found = [schedule.take(0) for _ in range(5)]
    assert [batch and len(batch.pairs) for batch in found] == [2, 1, 1, 1, None]


def test_candidates_are_read_when_they_are_taken() -> None:
    read: list[str] = []

    def reading(some: TaskGroup) -> Iterator[Pair]:
        for pair in pairs_of(some):
            read.append(pair[0].id)
            yield pair

    schedule = Schedule([group("a", 100), group("b", 100)], reading, slots=1)
    assert isinstance(schedule.take(0), Batch)
    assert len(read) <= 2


def test_groups_are_split_for_the_store(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduling, "GROUP_TASKS", 2)
    tasks = [make_task(name) for name in "abc"]
    pending = Counter({("s", name): 2 for name in "abc"})
    found = list(split("s", [tasks], pending, 7, True))
    assert [(list(one.tasks), one.pending, one.batch_size, one.by_tool) for one in found] == [
        (["a", "b"], 4, 7, True),
        (["c"], 2, 7, True),
    ]
