"""When a candidate has had its time, by made clocks."""

import os
import threading
from functools import partial

import pytest

from polyassay.harness.allowance import Allowance
from polyassay.model import Limits
from polyassay.sandbox import Ended
from polyassay_harness.process.time_rule import (
    READY,
    WALL_FACTOR,
    TimeRule,
    Waits,
    waits_for_a_core,
)

TOTAL = 60.0


def nothing() -> Waits:
    return {}


def test_cpu_time_decides_however_long_it_took() -> None:
    rule = TimeRule(TOTAL, now=0.0)
    for second in range(1, 590):  # a tenth of a core each second, as on a busy machine
        assert rule.problem(second, second / 10, nothing) is None
    problem = rule.problem(590.0, 60.0, nothing)
    assert problem is not None and problem.status == "timed_out" and not problem.idled


@pytest.mark.parametrize("share", [0.0, 0.01, 0.04])
def test_what_hardly_works_idles(share: float) -> None:
    rule = TimeRule(TOTAL, now=0.0)
    assert rule.problem(19.9, 19.9 * share, nothing) is None
    problem = rule.problem(20.0, 20.0 * share, nothing)
    assert problem is not None and problem.idled and "did nothing" in problem.message


def test_a_process_that_waits_for_a_core_does_not_idle() -> None:
    rule = TimeRule(TOTAL, now=0.0)
    for second in range(20, 501, 20):
        waits: Waits = {7: second * 0.99, 8: 0.0}
        assert rule.problem(second, second * 0.01, partial(dict, waits)) is None
    # Since then it did not wait.
    assert rule.problem(520.0, 5.0, partial(dict, waits)) is not None


def test_what_is_ready_has_not_idled_however_long_it_waits_for_its_first_turn() -> None:
    rule = TimeRule(TOTAL, now=0.0)
    assert rule.problem(200.0, 0.0, lambda: {7: READY}) is None
    assert rule.problem(201.0, 0.1, lambda: {7: 199.0}) is None  # now the kernel tells of its wait
    assert rule.problem(221.0, 0.1, lambda: {7: 199.0}) is not None


def test_this_thread_is_ready_and_one_that_sleeps_is_not() -> None:
    asleep, wake = threading.Event(), threading.Event()

    def sleep() -> None:
        asleep.set()
        wake.wait()

    sleeper = threading.Thread(target=sleep)
    sleeper.start()
    asleep.wait()
    found = waits_for_a_core([os.getpid()])
    while found[sleeper.native_id or 0] == READY:  # on its way from one to the other
        found = waits_for_a_core([os.getpid()])
    wake.set()
    sleeper.join()
    assert found[threading.get_native_id()] == READY
    assert found[sleeper.native_id or 0] < READY


def test_many_threads_that_sleep_idle_however_busy_the_machine_is() -> None:
    rule = TimeRule(TOTAL, now=0.0)
    waits: Waits = dict.fromkeys(range(80), 10.0)  # each of 20 s, because the cores were taken
    assert rule.problem(20.0, 0.4, partial(dict, waits)) is not None


def test_working_before_does_not_make_up_for_idling_now() -> None:
    rule = TimeRule(TOTAL, now=0.0)
    assert rule.problem(20.0, 20.0, nothing) is None
    assert rule.problem(39.0, 20.0, nothing) is None
    assert rule.problem(40.5, 20.0, nothing) is not None


def test_time_in_which_nothing_was_asked_is_no_idling() -> None:
    rule = TimeRule(TOTAL, now=0.0)
    rule.skip(100.0)
    assert rule.problem(119.0, 0.0, nothing) is None
    assert rule.problem(120.0, 0.0, nothing) is not None


def test_ten_times_its_time_ends_what_keeps_a_little_busy() -> None:
    rule = TimeRule(TOTAL, now=0.0)
    for second in range(1, int(WALL_FACTOR * TOTAL)):
        assert rule.problem(second, second * 0.06, nothing) is None
    problem = rule.problem(WALL_FACTOR * TOTAL, 36.0, nothing)
    assert problem is not None and problem.idled
    assert problem.message.startswith("took more than 600 s, 10 times the 60 s of CPU time")


class MadeGuest:
    """A guest of which only the times are asked."""

    def __init__(self, used: float = 0.0, waited: float = 0.0) -> None:
        self.used, self.waited = used, waited

    def cpu_seconds(self) -> float:
        return self.used

    def waits(self) -> Waits:
        return {1: self.waited}


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr("polyassay.harness.allowance.time", made)
    return made


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
