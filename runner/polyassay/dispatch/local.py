"""A pool of threads on this machine: moves work to slots and results back."""

import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Generic, Protocol, TypeVar

GATHER_SECONDS = 0.1  # results that come within this are handed on, and stored, at once
_AHEAD = 32  # pieces of work a slot, enough that none idles meanwhile
_MOST = 16  # pieces that a slot takes at once

Work = TypeVar("Work", contravariant=True)
Result = TypeVar("Result", covariant=True)


class Slot(Protocol, Generic[Work, Result]):
    """What one thread works with; opened, used and closed by that thread alone."""

    def judge(self, work: Sequence[Work]) -> Iterable[Result]:
        """One result a piece of work, in order."""
        ...

    def close(self) -> None: ...


def dispatch(
    work: Iterable[Work], open_slot: Callable[[], Slot[Work, Result]], jobs: int
) -> Iterator[list[Result]]:
    """Yields results in lists as they come, in any order; raises what a slot raised.

    Several quick pieces cost less at once than one by one. So a slot takes as many as it gets
    through in about the time in which results are gathered, and no more than its share of those
    that are there.
    """
    pending: queue.SimpleQueue[Work | None] = queue.SimpleQueue()
    done: queue.SimpleQueue[Result | _Broken] = queue.SimpleQueue()
    # Daemons, so that an interrupted run ends at once; its guests die with this process.
    threads = [
        threading.Thread(target=_serve, args=(pending, done, open_slot, jobs), daemon=True)
        for _ in range(jobs)
    ]
    for thread in threads:
        thread.start()
    remaining = iter(work)
    waiting = 0
    while True:
        for item in islice(remaining, _AHEAD * jobs - waiting):
            pending.put(item)
            waiting += 1
        if not waiting:
            break
        results = _gather(done, GATHER_SECONDS if waiting > 1 else 0)
        waiting -= len(results)
        yield results
    for _ in threads:
        pending.put(None)
    for thread in threads:
        thread.join()


class _Broken:
    """A slot's own failure, on its way to the caller's thread."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


def _gather(done: "queue.SimpleQueue[Result | _Broken]", seconds: float) -> list[Result]:
    """Waits for one result, and then for others that may come soon after it."""
    results: list[Result] = []
    item = done.get()
    time.sleep(seconds)
    while True:
        if isinstance(item, _Broken):
            if results:  # they are done, and must not be lost with it
                done.put(item)
                return results
            raise item.error
        results.append(item)
        try:
            item = done.get_nowait()
        except queue.Empty:
            return results


def _serve(
    pending: "queue.SimpleQueue[Work | None]",
    done: "queue.SimpleQueue[Result | _Broken]",
    open_slot: Callable[[], Slot[Work, Result]],
    jobs: int,
) -> None:
    slot: Slot[Work, Result] | None = None
    most = 1
    try:
        while work := _take(pending, most, jobs):
            if slot is None:
                slot = open_slot()
            began = time.monotonic()
            for result in slot.judge(work):
                done.put(result)
            most = _most(len(work), time.monotonic() - began)
    except BaseException as error:  # handed to the caller
        done.put(_Broken(error))
    finally:
        if slot is not None:
            slot.close()


def _take(pending: "queue.SimpleQueue[Work | None]", most: int, jobs: int) -> list[Work]:
    """Waits for a piece of work, and takes more that is there; nothing: all is done."""
    item = pending.get()
    if item is None:  # which comes alone, after everything else
        return []
    work = [item]
    share = (pending.qsize() + 1) // jobs
    while len(work) < min(most, share):
        try:
            item = pending.get_nowait()
        except queue.Empty:
            break
        assert item is not None
        work.append(item)
    return work


def _most(taken: int, seconds: float) -> int:
    """How many pieces to take next, after so many took that long."""
    in_time = taken * GATHER_SECONDS / max(seconds, 1e-6)
    return max(min(2 * taken, int(in_time), _MOST), 1)
