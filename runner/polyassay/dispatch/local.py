"""A pool of threads on this machine: moves work to slots and results back."""

import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, Protocol, TypeVar

from polyassay.dispatch.lanes import Lanes

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
    lanes: Sequence[Iterable[Iterable[Work]]],
    open_slot: Callable[[], Slot[Work, Result]],
    jobs: int,
) -> Iterator[list[Result]]:
    """Yields results in lists as they come, in any order; raises what a slot raised.

    A lane is a row of groups of work; neighbours have warm processes in common. So a slot keeps to
    one lane until that is over, and then helps in others. Several quick pieces cost less at once
    than one by one, so it takes as many as it gets through in about the time in which results are
    gathered.
    """
    pending = Lanes(lanes, jobs, _AHEAD)
    done: queue.SimpleQueue[Result | _Broken] = queue.SimpleQueue()
    waiting = pending.refill()
    # Daemons, so that an interrupted run ends at once; its guests die with this process.
    threads = [
        threading.Thread(target=_serve, args=(pending, number, done, open_slot), daemon=True)
        for number in range(jobs)
    ]
    for thread in threads:
        thread.start()
    while waiting:
        results = _gather(done, GATHER_SECONDS if waiting > 1 else 0)
        waiting -= len(results)
        yield results
        waiting += pending.refill()
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
    pending: Lanes[Work],
    number: int,
    done: "queue.SimpleQueue[Result | _Broken]",
    open_slot: Callable[[], Slot[Work, Result]],
) -> None:
    slot: Slot[Work, Result] | None = None
    most = 1
    try:
        while work := pending.take(number, most):
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


def _most(taken: int, seconds: float) -> int:
    """How many pieces to take next, after so many took that long."""
    in_time = taken * GATHER_SECONDS / max(seconds, 1e-6)
    return max(min(2 * taken, int(in_time), _MOST), 1)
