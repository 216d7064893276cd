"""The pool gives every piece of work to one slot, and lets no failure go unseen."""

import threading
from collections.abc import Iterator, Sequence

import pytest

from polyassay.dispatch.lanes import Lanes
from polyassay.dispatch.local import GATHER_SECONDS, _most, dispatch


class Doubler:
    opened: list["Doubler"]

    def __init__(self, opened: list["Doubler"]) -> None:
        self.thread = threading.get_ident()
        self.closed = False
        opened.append(self)

    def judge(self, work: Sequence[int]) -> Iterator[int]:
        assert threading.get_ident() == self.thread
        assert work
        for number in work:
            if number < 0:
                raise RuntimeError("broken slot")
            yield 2 * number

    def close(self) -> None:
        assert threading.get_ident() == self.thread
        self.closed = True


@pytest.mark.parametrize("jobs", [1, 2, 7])
@pytest.mark.parametrize(
    "lanes",
    [
        [[range(100)]],
        [[range(90)], [range(90, 100)]],
        [[], [range(100)]],
        [[[], range(40), [], range(40, 90)], [range(90, 100)], [[]]],
    ],
)
def test_all_work_is_done_once(lanes: list[list[Sequence[int]]], jobs: int) -> None:
    slots: list[Doubler] = []
    results = [r for some in dispatch(lanes, lambda: Doubler(slots), jobs) for r in some]
    assert sorted(results) == [2 * n for n in range(100)]
    assert 1 <= len(slots) <= jobs
    assert all(slot.closed for slot in slots)


def test_no_work_opens_nothing() -> None:
    slots: list[Doubler] = []
    for lanes in ([], [[]], [[], [[], []]]):
        assert list(dispatch(lanes, lambda: Doubler(slots), 3)) == []
    assert slots == []


def test_a_slot_that_breaks_is_raised_to_the_caller() -> None:
    with pytest.raises(RuntimeError, match="broken slot"):
        list(dispatch([[[1, -1, 2]]], lambda: Doubler([]), 2))


def test_what_was_done_before_a_slot_broke_is_not_lost() -> None:
    results = dispatch([[[1, 2, -1]]], lambda: Doubler([]), 1)
    found: list[int] = []
    with pytest.raises(RuntimeError, match="broken slot"):
        for some in results:
            found += some
    assert found == [2, 4]


def test_work_is_taken_only_as_fast_as_it_is_done() -> None:
    taken: list[int] = []

    def work() -> "object":
        for n in range(500):
            taken.append(n)
            yield n

    results = dispatch([[work()]], lambda: Doubler([]), 2)
    next(results)
    assert len(taken) <= 100


class Taker:
    """Keeps the first slot busy, and notes how much the slots take at once."""

    def __init__(self, taken: list[int], may_go_on: threading.Event) -> None:
        self._taken, self._may_go_on = taken, may_go_on

    def judge(self, work: Sequence[int]) -> Sequence[int]:
        self._taken.append(len(work))
        if 0 in work:
            self._may_go_on.wait(10)
        if 99 in work:
            self._may_go_on.set()
        return work

    def close(self) -> None:
        """It holds nothing."""


def test_quick_work_is_taken_in_greater_numbers_and_nobody_takes_it_all() -> None:
    taken: list[int] = []
    gate = threading.Event()
    some = dispatch([[range(100)]], lambda: Taker(taken, gate), 2)
    results = [result for results in some for result in results]
    assert sorted(results) == list(range(100))
    assert taken[0] == 1
    assert 4 <= max(taken) <= 16
    assert taken[-1] <= 2  # at the end each slot leaves some to the other


def test_nobody_takes_more_than_its_share() -> None:
    lanes = Lanes([[range(17)]], jobs=2, ahead=32)
    lanes.refill()
    assert [len(lanes.take(0, 16)) for _ in range(6)] == [8, 4, 2, 1, 1, 1]


def test_a_slot_keeps_to_its_lane_and_then_helps() -> None:
    lanes = Lanes([[range(4)], [range(10, 18)]], jobs=2, ahead=32)
    lanes.refill()
    assert [lanes.take(0, 2) for _ in range(3)] == [[0, 1], [2, 3], [10, 11]]
    assert [lanes.take(slot, 16) for slot in (1, 0, 1, 0, 1)] == [
        *([12, 13, 14], [15], [16], [17]),
        [],
    ]


def test_slots_in_one_lane_have_as_much_ahead_as_in_many() -> None:
    assert Lanes([[range(100)]], jobs=3, ahead=4).refill() == 12
    assert Lanes([[range(100)], [range(100)]], jobs=3, ahead=4).refill() == 16
    assert Lanes([[range(100)]] * 3, jobs=3, ahead=4).refill() == 12


def test_a_slot_waits_where_more_will_come() -> None:
    lanes = Lanes([[range(2)], [range(10, 30)]], jobs=2, ahead=2)
    lanes.refill()
    assert lanes.take(0, 16) == [0, 1]  # though nobody knows yet that these are all
    taken: list[list[int]] = []
    thread = threading.Thread(target=lambda: taken.append(lanes.take(0, 16)))
    thread.start()
    thread.join(0.2)
    assert taken == []
    lanes.refill()
    thread.join(10)
    assert taken == [[10]]  # of two, and the other is for the lane's own slot


def test_nobody_takes_what_another_lane_has_room_for() -> None:
    lanes = Lanes([[[number] for number in range(start, start + 10)] for start in (0, 10)], 2, 32)
    assert lanes.refill() == 20
    assert [lanes.take(1, 16) for _ in range(2)] == [list(range(10, 20)), list(range(5))]


def test_a_lane_is_not_over_before_what_was_fetched_is_there() -> None:
    lanes = Lanes([[range(3)], []], jobs=2, ahead=32)
    over: list[bool] = []

    class Watched(threading.Condition):
        def __enter__(self) -> bool:
            over.append(lanes._lanes[0].over)
            return super().__enter__()

    lanes._changed = Watched()
    assert lanes.refill() == 3
    assert over and not any(over)


def test_a_lane_without_groups_goes_on_with_the_last_of_the_longest() -> None:
    groups = [[[number] * 2 for number in numbers] for numbers in ((1,), (10, 20, 30), (40, 50))]
    lanes = Lanes(groups, jobs=3, ahead=2)
    taken: dict[int, list[int]] = {}
    while lanes.refill():
        for slot in range(3):
            taken[slot] = taken.get(slot, []) + lanes.take(slot, 2)
    assert taken == {0: [1, 1, 30, 30], 1: [10, 10, 20, 20], 2: [40, 40, 50, 50]}


@pytest.mark.parametrize(
    ("taken", "seconds", "most"),
    [(1, 0.0, 2), (8, 0.0, 16), (16, 0.0, 16), (16, 2.0, 1), (4, 2 * GATHER_SECONDS, 2), (1, 9, 1)],
)
def test_slots_take_what_they_get_through_in_time(taken: int, seconds: float, most: int) -> None:
    assert _most(taken, seconds) == most
