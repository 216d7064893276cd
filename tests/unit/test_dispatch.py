"""The pool gives every piece of work to one slot, and lets no failure go unseen."""

import threading

import pytest

from polyassay.dispatch.local import dispatch


class Doubler:
    opened: list["Doubler"]

    def __init__(self, opened: list["Doubler"]) -> None:
        self.thread = threading.get_ident()
        self.closed = False
        opened.append(self)

    def judge(self, work: int) -> int:
        assert threading.get_ident() == self.thread
        if work < 0:
            raise RuntimeError("broken slot")
        return 2 * work

    def close(self) -> None:
        assert threading.get_ident() == self.thread
        self.closed = True


@pytest.mark.parametrize("jobs", [1, 2, 7])
def test_all_work_is_done_once(jobs: int) -> None:
    slots: list[Doubler] = []
    results = [r for some in dispatch(range(100), lambda: Doubler(slots), jobs) for r in some]
    assert sorted(results) == [2 * n for n in range(100)]
    assert 1 <= len(slots) <= jobs
    assert all(slot.closed for slot in slots)


def test_no_work_opens_nothing() -> None:
    slots: list[Doubler] = []
    assert list(dispatch([], lambda: Doubler(slots), 3)) == []
    assert slots == []


def test_a_slot_that_breaks_is_raised_to_the_caller() -> None:
    with pytest.raises(RuntimeError, match="broken slot"):
        list(dispatch([1, -1, 2], lambda: Doubler([]), 2))


def test_what_was_done_before_a_slot_broke_is_not_lost() -> None:
    results = dispatch([1, 2, -1], lambda: Doubler([]), 1)
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

    results = dispatch(work(), lambda: Doubler([]), 2)
    next(results)
    assert len(taken) <= 100
