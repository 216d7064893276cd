"""When a candidate has had its time, by made clocks."""

from functools import partial

import pytest

from polyassay.harness.allowance import Allowance
from polyassay.model import Limits
from polyassay.sandbox import Ended
from polyassay_harness.process.time_rule import WALL_FACTOR, TimeRule

TOTAL = 60.0


def nothing() -> float:
    return 0.0


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
        assert rule.problem(second, second * 0.01, partial(float, second * 0.9)) is None
    # Since then it did not wait.
    assert rule.problem(520.0, 5.0, partial(float, 450.0)) is not None


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
    assert problem is not None and problem.idled and "10 times" in problem.message


class MadeGuest:
    """A guest of which only the times are asked."""

    def __init__(self, used: float = 0.0, waited: float = 0.0) -> None:
        self.used, self.waited = used, waited

    def cpu_seconds(self) -> float:
        return self.used

    def waited_seconds(self) -> float:
        return self.waited


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
