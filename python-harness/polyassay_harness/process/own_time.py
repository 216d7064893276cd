"""The part of wall time that processes had for themselves: they worked, or could have worked.

On a busy machine wall time says nothing about a candidate. What counts is the time in which its
processes ran, or could have run and did not. PolyAssay looks at them again and again, and of the
time between two looks it leaves out:

- all but the CPU time that was used, if one of their threads is ready at the look and has no core,
  or waits for the disk. This is a sample, but it is right about processes that have ended meanwhile
  and about those that hand work to each other, each waiting for a core in turn. The thread must
  have been there at the look before: processes that end between two looks may run all the time and
  hide what they use (docs/security.md), and would never have had their time;
- the time that their threads waited for a core, which the kernel adds up when a wait is over.
  Threads of one sandbox wait at the same time, so the longest wait counts. Two sandboxes that hand
  calls to each other have a wait each;
- the time that the looking process, which is ours, worked or waited itself: the candidate may have
  waited for it meanwhile;
- the time by which a look was late: what delayed the look delayed the candidate, too.
"""

import math
import os
from contextlib import suppress
from typing import Collection, Dict, Iterable, List, NamedTuple, Sequence, Set, Tuple

# A thread → the seconds that it was ready to run while others had the cores, or one of these:
READY = math.inf  # it runs or is ready: the kernel tells how long it waited only once it has run
ON_DISK = -math.inf
Waits = Dict[int, float]
_LATEST = 2.0  # seconds between two looks of which the candidate can be told: looks are more often


class Readings(NamedTuple):
    sandboxes: Sequence[Waits]  # the candidate's threads, by where they are
    ours: float  # seconds that the thread which looks has worked or waited for a core so far


class OwnTime:
    """Counts it, look by look; `kept` says which threads show that others kept it from working."""

    def __init__(self, now: float, kept: Collection[float] = (READY, ON_DISK)) -> None:
        self.seconds = 0.0
        self.passed = 0.0  # wall time in all
        self.looked = now
        self.at_work = False  # whether any thread was ready at the last look
        self._kept = kept
        self._then: Waits = {}
        self._seen: Set[int] = set()  # threads that were there at the last look
        self._ours = math.inf  # unknown as yet

    def skip(self, seconds: float) -> None:
        """Leaves out so much time, in which nothing was asked of the processes."""
        self.looked += seconds

    def know(self, readings: Readings) -> None:
        """Takes readings without counting any time: these threads have waited before."""
        self._seen = {i for waits in readings.sandboxes for i in waits}
        for waits in readings.sandboxes:
            self._then.update((i, wait) for i, wait in waits.items() if math.isfinite(wait))

    def look(self, now: float, ran: float, readings: Readings) -> None:
        """`ran`: the CPU time that the processes have used since the last look."""
        passed = now - self.looked
        self.passed += passed
        passed = min(passed, _LATEST)
        self.at_work = any(READY in waits.values() for waits in readings.sandboxes)
        kept = any(
            wait in self._kept and i in self._seen
            for waits in readings.sandboxes
            for i, wait in waits.items()
        )
        waited = sum(map(self._longest, readings.sandboxes)) + max(readings.ours - self._ours, 0.0)
        free = 0.0 if kept else max(passed - waited, 0.0)
        self.seconds += min(max(free, ran), passed)
        self.looked, self._ours = now, readings.ours
        self.know(readings)

    def _longest(self, waits: Waits) -> float:
        """The longest of the waits that have ended since the last look."""
        ended = (w - self._then.get(i, 0.0) for i, w in waits.items() if math.isfinite(w))
        return max(ended, default=0.0)


def waits_for_a_core(pids: Iterable[int]) -> Waits:
    """How long each thread of these processes has waited, as far as the kernel tells.

    A thread that has lowered its own priority is not kept from working by those with a higher one.
    """
    found: Waits = {}
    mine = os.getpriority(os.PRIO_PROCESS, 0), os.sched_getscheduler(0)
    group = _group_priority("self")
    for pid in pids:
        try:
            if _group_priority(str(pid)) > group:
                continue
            for thread in os.listdir(f"/proc/{pid}/task"):
                found[int(thread)] = _wait(f"/proc/{pid}/task/{thread}", mine)
        except (OSError, IndexError):  # it has ended, or this kernel does not tell
            continue
    return found


def working_seconds() -> float:
    """How long this thread has worked, or waited for a core to work on."""
    with suppress(OSError):
        return sum(_schedule("/proc/thread-self"))
    return 0.0


def _wait(thread: str, mine: Tuple[int, int]) -> float:
    _, waited = _schedule(thread)
    fields = _read(f"{thread}/stat").rpartition(b")")[2].split()
    nice, policy = int(fields[16]), int(fields[38])
    if nice > mine[0] or policy != mine[1]:
        return 0.0
    if fields[0] == b"R":
        return READY
    return ON_DISK if fields[0] == b"D" and _disk_is_busy() else waited


def _schedule(thread: str) -> List[float]:
    """Seconds on a core, and seconds of waiting for one."""
    return [int(field) / 1e9 for field in _read(f"{thread}/schedstat").split()[:2]]


def _disk_is_busy() -> bool:
    """Whether anything on the machine waits for a disk; a thread may hang for other reasons."""
    _, _, blocked = _read("/proc/stat").partition(b"procs_blocked ")
    return int(blocked.split()[0]) > 0


def _group_priority(process: str) -> int:
    """How much the process' session gives way to others, where the kernel groups by sessions."""
    with suppress(OSError, IndexError):
        return int(_read(f"/proc/{process}/autogroup").split()[-1])
    return 0


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()
