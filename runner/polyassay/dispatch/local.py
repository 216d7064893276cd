"""Slots that are threads of this process.

The calling thread takes batches from the schedule and puts them into each slot's inbox; the slots
put verdicts into one outbox. A slot has a few batches in its inbox, so that it never waits.
"""

import queue
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from polyassay.dispatch import SlotMaker
from polyassay.harness import RunSettings
from polyassay.model import Verdict
from polyassay.scheduling import Batch, Schedule

GATHER_SECONDS = 0.1  # verdicts that come within this are handed on, and stored, at once
BATCHES_AHEAD = 4  # in a slot's inbox, the one that it works on included


@dataclass(frozen=True, slots=True)
class _Done:
    slot: int
    verdicts: Sequence[Verdict] = ()
    error: BaseException | None = None  # the slot's own failure


class _Threads:
    """The slots' threads, their inboxes, and the outbox that they share."""

    def __init__(self, open_slot: SlotMaker, settings: RunSettings) -> None:
        self._open_slot, self._settings = open_slot, settings
        self._inboxes: dict[int, queue.SimpleQueue[Batch | None]] = {}
        self._threads: list[threading.Thread] = []
        self.outbox: queue.SimpleQueue[_Done] = queue.SimpleQueue()

    def send(self, slot: int, batch: Batch) -> None:
        """Starts the slot with its first batch."""
        if slot not in self._inboxes:
            self._inboxes[slot] = queue.SimpleQueue()
            # A daemon, so that an interrupted run ends at once; its guests die with this process.
            thread = threading.Thread(target=self._serve, args=(slot,), daemon=True)
            self._threads.append(thread)
            thread.start()
        self._inboxes[slot].put(batch)

    def finish(self) -> None:
        for inbox in self._inboxes.values():
            inbox.put(None)
        for thread in self._threads:
            thread.join()

    def _serve(self, number: int) -> None:
        slot = None
        try:
            slot = self._open_slot(self._settings)
            while (batch := self._inboxes[number].get()) is not None:
                self.outbox.put(_Done(number, slot.judge(batch)))
        except BaseException as error:  # raised again in the calling thread
            self.outbox.put(_Done(number, error=error))
        finally:
            if slot is not None:
                slot.close()


def run(schedule: Schedule, open_slot: SlotMaker, settings: RunSettings) -> Iterator[list[Verdict]]:
    """Yields verdicts in lists as they come, in any order; raises what a slot raised."""
    threads = _Threads(open_slot, settings)
    under_way = 0
    for slot in [*range(schedule.slots)] * BATCHES_AHEAD:
        if (batch := schedule.take(slot)) is not None:
            threads.send(slot, batch)
            under_way += 1
    gathered: list[Verdict] = []
    hand_on_at = 0.0
    while under_way:
        try:
            done = threads.outbox.get(timeout=_remaining(hand_on_at) if gathered else None)
        except queue.Empty:
            yield gathered
            gathered = []
            continue
        if done.error is not None:
            if gathered:  # they are done, and must not be lost with the slot
                yield gathered
            raise done.error
        under_way -= 1
        hand_on_at = hand_on_at if gathered else time.monotonic() + GATHER_SECONDS
        gathered += done.verdicts
        if (batch := schedule.take(done.slot)) is not None:
            threads.send(done.slot, batch)
            under_way += 1
    if gathered:
        yield gathered
    threads.finish()


def _remaining(until: float) -> float:
    return max(until - time.monotonic(), 0.0)
