"""Moves batches to slots and verdicts back; decides nothing.

What a slot gets, and when, is decided in `scheduling.py`. What it does with a batch is decided in
`slot.py`. A dispatcher knows neither, and so can be exchanged: `local` has processes of this
machine. `assignments.py` is what dispatchers share, and `messages.py` what goes to a slot and back.
"""

from collections.abc import Callable, Generator, Sequence
from typing import Protocol

from polyassay.dispatch.scheduling import Batch, Schedule
from polyassay.harness import RunSettings
from polyassay.model import Verdict


class Slot(Protocol):
    """What judges batches: opened, used and closed by one thread."""

    def judge(self, batch: Batch) -> Sequence[Verdict]:
        """One verdict a candidate."""
        ...

    def close(self) -> None: ...


# A class or function that another process can import by its name. Settings are sent as plain
# values: what they say is made anew where the slot is.
SlotMaker = Callable[[RunSettings], Slot]


# One way to run slots. It yields verdicts in lists as they come, in any order, and raises what a
# slot raised. Closing it ends all slots, and whatever they started.
Dispatcher = Callable[[Schedule, SlotMaker, RunSettings], Generator[list[Verdict], None, None]]
