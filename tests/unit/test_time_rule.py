"""When a candidate has had its time, by made clocks and made readings."""

from collections.abc import Callable, Iterable

import pytest

from made_guest import Clock, MadeGuest
from polyassay.harness.allowance import Allowance
from polyassay.model import Limits
from polyassay.sandbox import Ended
from polyassay_harness.process.endings import Stopped
from polyassay_harness.process.own_time import (
    ON_DISK,
    READY,
    Readings,
    Waits,
)
from polyassay_harness.process.time_rule import WALL_FACTOR, TimeRule

TOTAL = 60.0
Made = Callable[[int], tuple[Waits, ...]]  # by the number of a look


def asleep(_: int) -> tuple[Waits, ...]:
    return ({7: 0.0},)


def first_problem(
    seconds: Iterable[int],
    share: float = 0.0,
    waits: Made = asleep,
    ours: float = 0.0,
    rule: TimeRule | None = None,
) -> tuple[int, Stopped] | None:
    """When, looked at every second, a candidate ends that uses this share of a core.

    `ours`: the part of the time in which our own process worked or waited.
    """
    rule = rule or TimeRule(TOTAL, now=0.0)
    for second in seconds:

        def readings(second: int = second) -> Readings:
            return Readings(waits(second), ours * second)

        problem = rule.problem(second, second * share, readings)
        if problem is not None:
            return second, problem
    return None


def test_cpu_time_decides_however_long_it_took() -> None:
    found = first_problem(range(1, 1000), share=0.1)  # as on a busy machine
    assert found is not None and found[0] == 600
    assert found[1].status == "timed_out" and not found[1].idled


@pytest.mark.parametrize("share", [0.0, 0.01, 0.04])
def test_what_hardly_works_idles(share: float) -> None:
    found = first_problem(range(1, 100), share)
    assert found is not None and found[0] == 20
    assert found[1].idled and "did nothing for 20 s" in found[1].message


def test_a_process_that_waits_for_a_core_does_not_idle() -> None:
    def waits(second: int) -> tuple[Waits, ...]:
        return ({7: min(second, 500) * 0.99, 8: 0.0},)

    found = first_problem(range(1, 1000), 0.01, waits)
    # From second 500 on it did not wait; before, it had worked in all the time that it got.
    assert found is not None and 520 < found[0] < 540


def test_what_is_ready_has_not_idled_however_long_it_waits_for_its_first_turn() -> None:
    assert first_problem(range(1, 1000), waits=lambda _: ({7: READY},)) is None


def test_tests_that_end_take_their_waits_along_but_are_seen_to_be_ready() -> None:
    """Each has a process of its own, which lives for five seconds and has a core in 1 % of them."""

    def waits(second: int) -> tuple[Waits, ...]:
        return ({second // 5: READY},)

    assert first_problem(range(1, 600), 0.001, waits) is None


def test_processes_that_hide_what_they_use_have_no_more_than_their_time() -> None:
    """Each ends before the next look, and nobody waits for it: its CPU time is never known."""
    found = first_problem(range(1, 1000), waits=lambda second: ({second: READY},))
    assert found is not None and found[0] == WALL_FACTOR * TOTAL


def test_two_sandboxes_that_wait_in_turn_do_not_idle() -> None:
    """As a judge and a worker: each waits in half of the time, and has the core in 1 % of it."""

    def in_turn(second: int) -> tuple[Waits, ...]:
        return {1: second * 0.49}, {2: second * 0.49}

    assert first_problem(range(1, 500), 0.02, in_turn) is None


def test_our_own_process_may_take_its_time() -> None:
    found = first_problem(range(1, 1000), ours=0.9)
    assert found is not None and 190 <= found[0] <= 200  # ours is known from the second look on


def test_a_look_that_comes_late_tells_of_two_seconds_at_most() -> None:
    assert first_problem(range(100, 1000, 100)) is None
    found = first_problem(range(100, 2000, 100))
    assert found is not None and found[0] == 1000


def test_waiting_for_the_disk_is_no_idling() -> None:
    assert first_problem(range(1, 1000), waits=lambda _: ({7: ON_DISK},)) is None


def test_many_threads_that_sleep_idle_however_busy_the_machine_is() -> None:
    def waits(second: int) -> tuple[Waits, ...]:  # each in half of the time
        return (dict.fromkeys(range(80), second * 0.5),)

    found = first_problem(range(1, 1000), 0.02, waits)
    assert found is not None and found[0] == 40


def test_working_before_does_not_make_up_for_idling_now() -> None:
    rule = TimeRule(TOTAL, now=0.0)
    assert first_problem(range(1, 26), share=1.0, rule=rule) is None
    still = Readings(({7: 0.0},), 0.0)
    ends = [s for s in range(26, 100) if rule.problem(s, 25.0, lambda: still) is not None]
    assert 40 < ends[0] <= 60


def test_time_in_which_nothing_was_asked_is_no_idling() -> None:
    rule = TimeRule(TOTAL, now=0.0)
    rule.skip(100.0)
    found = first_problem(range(101, 1000), rule=rule)
    assert found is not None and found[0] == 120


def test_ten_times_its_time_ends_what_keeps_a_little_busy() -> None:
    found = first_problem(range(1, 1000), share=0.06)
    assert found is not None and found[0] == WALL_FACTOR * TOTAL
    assert found[1].idled
    assert found[1].message.startswith("took more than 600 s, 10 times the 60 s of CPU time")


def ending(allowance: Allowance) -> Ended:
    with pytest.raises(Ended) as found:
        allowance.check()
    return found.value


def test_what_guests_used_before_is_not_the_candidates(clock: Clock) -> None:
    worker, judge = MadeGuest(used=500.0), MadeGuest(used=300.0)
    allowance = Allowance(Limits(seconds=10, total_seconds=60))
    allowance.count(worker, judge)  # type: ignore[arg-type]
    worker.used, judge.used = 506.0, 303.0
    clock.now += 1
    allowance.check()
    assert allowance.used() == pytest.approx(9.0)
    judge.used = 305.0
    clock.now += 1
    assert "more than 10 s of CPU" in str(ending(allowance))


def test_each_test_has_its_own_time_and_all_have_one(clock: Clock) -> None:
    guest = MadeGuest()
    allowance = Allowance(Limits(seconds=10, total_seconds=25))
    allowance.count(guest)  # type: ignore[arg-type]
    for _ in range(3):
        allowance.begin_test()
        guest.used += 8.0
        clock.now += 8
        allowance.check()
    assert not allowance.used_up
    allowance.begin_test()
    guest.used += 8.0
    clock.now += 8
    assert "all tests have together" in str(ending(allowance))
    assert allowance.used_up


def test_guests_that_follow_each_other_share_one_allowance(clock: Clock) -> None:
    allowance = Allowance(Limits(seconds=10, total_seconds=12))
    for used in (7.0, 4.0):
        guest = MadeGuest(used=100.0)
        allowance.count(guest)  # type: ignore[arg-type]
        guest.used += used
        clock.now += 1
        allowance.check()
        allowance.pause()
        clock.now += 50  # in which the next JVM starts, say
    assert allowance.used() == pytest.approx(11.0)


def test_a_reused_guest_that_waited_for_others_idles_as_a_fresh_one(clock: Clock) -> None:
    guest = MadeGuest(used=50.0, waited=400.0)
    allowance = Allowance(Limits(seconds=10, total_seconds=60))
    allowance.count(guest)  # type: ignore[arg-type]
    for _ in range(19):
        clock.now += 1
        allowance.check()
    clock.now += 1
    ended = ending(allowance)
    assert ended.idled and ended.timed_out and not ended.killed
