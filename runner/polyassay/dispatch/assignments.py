"""Which slot has which batches, and what becomes of those whose slot is lost.

A slot is lost when its process or its machine ends. What it was judging then may have caused that,
or may not. So each candidate of that batch is judged again alone, by a slot that has nothing else
to do, with its `losses` written on the batch. `slot.py` decides how many losses are too many.
Batches that were only waiting in the lost slot are handed out again as they were.
"""

from collections import defaultdict, deque
from dataclasses import replace

from polyassay.dispatch.scheduling import Batch, Schedule
from polyassay.errors import PolyAssayError

BATCHES_AHEAD = 4  # that a slot has, the one that it is at included, so that it never waits
MOST_LOSSES = 6  # of one batch; by then a slot must have given it up without executing it
MOST_FALSE_STARTS = 5  # of slots that end before they can take a batch, while none is judged


class Assignments:
    """The batches that each slot has; a slot answers in the order in which it was given them."""

    def __init__(self, schedule: Schedule) -> None:
        self.slots = range(schedule.slots)
        self._schedule = schedule
        self._held: defaultdict[int, deque[Batch]] = defaultdict(deque)  # by slot
        self._suspects: deque[Batch] = deque()  # of one candidate each
        self._returned: deque[Batch] = deque()
        self._false_starts = 0

    def take(self, slot: int) -> Batch | None:
        """Gives the slot another batch; None where it has enough, or where none is left."""
        held = self._held[slot]
        if len(held) >= BATCHES_AHEAD or any(batch.losses for batch in held):
            return None
        if self._suspects and not held:
            batch: Batch | None = self._suspects.popleft()
        else:
            batch = self._returned.popleft() if self._returned else self._schedule.take(slot)
        if batch is not None:
            held.append(batch)
        return batch

    def done(self, slot: int) -> None:
        """The slot has judged the first of its batches."""
        self._held[slot].popleft()
        self._false_starts = 0

    def started(self) -> None:
        """A slot is up."""
        self._false_starts = 0

    def lost(self, slot: int, why: str, *, was_ready: bool) -> None:
        """The slot is gone with all its batches; another takes its number."""
        held = self._held.pop(slot, deque())
        if was_ready and held:
            self._suspect(held.popleft(), why)
        elif not was_ready:  # which is no candidate's doing
            self._note_false_start(why)
        for batch in held:
            (self._suspects if batch.losses else self._returned).append(batch)

    def _suspect(self, batch: Batch, why: str) -> None:
        losses = (*batch.losses, why)
        if len(losses) > MOST_LOSSES:
            raise PolyAssayError(
                f"{len(losses)} slots ended one after the other: {why}.",
                hint="Look for what ends them (is memory short?), then `polyassay run --resume`.",
            )
        alone = [replace(batch, pairs=(pair,), losses=losses) for pair in batch.pairs]
        self._suspects.extendleft(reversed(alone))  # first of all, in a fresh slot

    def _note_false_start(self, why: str) -> None:
        self._false_starts += 1
        if self._false_starts >= MOST_FALSE_STARTS:
            raise PolyAssayError(
                f"No slot can be started: {why}.",
                hint="See `polyassay doctor`; then go on with `polyassay run --resume`.",
            )

    @property
    def under_way(self) -> bool:
        """Whether some batch is not yet judged."""
        waiting = self._returned or self._suspects or not self._schedule.empty
        return bool(waiting) or any(self._held.values())
