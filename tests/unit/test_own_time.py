"""What the kernel tells of threads, and how long guests are waited for, by made readings."""

import os
import threading

import pytest

from made_guest import Clock, MadeGuest
from polyassay.sandbox import BoxLimits, Ended, Starved
from polyassay.sandbox.guest import Ending, FrameGuest
from polyassay.sandbox.patience import Patience
from polyassay_harness.process import own_time
from polyassay_harness.process.own_time import (
    ON_DISK,
    READY,
    OwnTime,
    Readings,
    Waits,
    waits_for_a_core,
    working_seconds,
)


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
    assert working_seconds() > 0


@pytest.fixture
def procfs(monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """Files of a made /proc with one thread."""
    files = {
        "/proc/self/autogroup": b"/autogroup-1 nice 0\n",
        "/proc/7/autogroup": b"/autogroup-2 nice 0\n",
        "/proc/7/task/7/schedstat": b"1000000000 2500000000 9\n",
        "/proc/7/task/7/stat": stat("S"),
        "/proc/stat": b"procs_running 2\nprocs_blocked 0\nsoftirq 1 2\n",
    }
    monkeypatch.setattr(own_time, "_read", files.__getitem__)
    monkeypatch.setattr(os, "listdir", lambda _: ["7"])
    monkeypatch.setattr(os, "getpriority", lambda *_: 0)
    monkeypatch.setattr(os, "sched_getscheduler", lambda _: 0)
    return files


def stat(state: str, nice: int = 0, policy: int = 0) -> bytes:
    fields = ["0"] * 50
    fields[0], fields[16], fields[38] = state, str(nice), str(policy)
    return f"7 (a ) b) {' '.join(fields)}".encode()


def test_what_the_kernel_tells_of_a_thread(procfs: dict[str, bytes]) -> None:
    assert waits_for_a_core([7]) == {7: 2.5}
    for state, blocked, wait in (("R", 0, READY), ("D", 0, 2.5), ("D", 1, ON_DISK)):
        procfs["/proc/7/task/7/stat"] = stat(state)
        procfs["/proc/stat"] = b"procs_blocked %d\n" % blocked
        assert waits_for_a_core([7]) == {7: wait}


def test_giving_way_to_others_is_the_candidates_own_doing(procfs: dict[str, bytes]) -> None:
    for nice, policy in ((19, 0), (0, 5)):
        procfs["/proc/7/task/7/stat"] = stat("R", nice, policy)
        assert waits_for_a_core([7]) == {7: 0.0}
    procfs["/proc/7/task/7/stat"] = stat("R")
    procfs["/proc/7/autogroup"] = b"/autogroup-2 nice 19\n"
    assert waits_for_a_core([7]) == {}


def waited_for(patience: Patience, clock: Clock, seconds: int, guest: MadeGuest) -> None:
    patience.resume(guest)
    for _ in range(seconds):
        clock.now += 1
        patience.check()
    patience.leave_off()


def test_guests_that_are_waited_for_in_turn_share_one_patience(clock: Clock) -> None:
    patience = Patience(100)
    for _ in range(4):
        waited_for(patience, clock, 12, MadeGuest())
        clock.now += 500  # in which nothing is asked of either
        waited_for(patience, clock, 12, MadeGuest())
    with pytest.raises(Ended, match="no answer in time") as found:
        waited_for(patience, clock, 4, MadeGuest())
    assert found.value.timed_out and found.value.idled


def test_a_guest_that_gets_no_core_is_not_blamed(clock: Clock) -> None:
    patience = Patience(100)
    guest = MadeGuest(waited=READY)
    waited_for(patience, clock, 299, guest)
    with pytest.raises(Starved, match="in 300 s a process got 1 s"):
        waited_for(patience, clock, 1, guest)


def test_a_guest_that_computes_for_ever_has_no_more_than_its_time(clock: Clock) -> None:
    patience, guest = Patience(100), MadeGuest(waited=READY)
    patience.resume(guest)
    with pytest.raises(Ended, match="no answer in time"):
        for _ in range(102):
            clock.now += 1
            guest.used += 1
            patience.check()


def test_what_hangs_on_something_else_than_a_core_has_no_more_either(clock: Clock) -> None:
    with pytest.raises(Ended, match="no answer in time"):
        waited_for(Patience(100), clock, 100, MadeGuest(waited=ON_DISK))


def test_a_wait_that_is_not_over_is_not_forgotten() -> None:
    had = OwnTime(0.0)
    for second, wait in enumerate((1.0, READY, READY, 3.5), start=1):
        had.look(float(second), 0.0, Readings(({7: wait},), 0.0))
    assert had.seconds == 0.0  # 1 s of waiting, twice ready, and then more than 1 s again


class Dying:
    """Streams that have ended, and a tree that has not: it gets a core after twenty seconds."""

    inward, talking = -1, False

    def __init__(self, clock: Clock, waited: float) -> None:
        self.outward: list[int] = []
        self._clock, self._began = clock, clock.now
        self._waited = waited
        self._killed = False

    def close(self) -> None:
        """There is nothing to close."""

    def cpu_seconds(self) -> float:
        return 0.0

    def waits(self) -> Waits:
        return {1: self._waited}

    def kill(self) -> None:
        self._killed = self._clock.now - self._began < 20

    def ends_within(self, seconds: float) -> bool:
        self._clock.now += seconds
        return self._clock.now - self._began >= 20

    def wait(self) -> Ending:
        how = "killed by SIGKILL" if self._killed else "exit status 3"
        return Ending(how, killed=self._killed)


@pytest.mark.parametrize(("waited", "killed"), [(READY, False), (0.0, True)])
def test_a_guest_that_waits_for_a_core_to_end_is_not_killed(
    clock: Clock, waited: float, killed: bool
) -> None:
    dying = Dying(clock, waited)
    guest = FrameGuest(dying, dying, BoxLimits())  # type: ignore[arg-type]
    with pytest.raises(Ended, match="SIGKILL" if killed else "exit status 3") as found:
        guest.receive(10)
    assert found.value.killed is killed
