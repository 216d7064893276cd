"""Moves batches to slots and verdicts back; decides nothing.

What a slot gets, and when, is decided in `scheduling.py`. What it does with a batch is decided in
`slot.py`. A dispatcher knows neither, and so can be exchanged: `local` has processes of this
machine. `assignments.py` is what dispatchers share, and `messages.py` what goes to a slot and back.
`pipeline.py` asks a dispatcher for verdicts until none is under way.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from polyassay.dispatch.scheduling import Batch, Schedule
from polyassay.harness import RunSettings
from polyassay.model import Verdict


class Slot(Protocol):
    """Judges batches; opened, used and closed by one thread."""

    def judge(self, batch: Batch) -> Sequence[Verdict]:
        """One verdict a candidate."""
        ...

    def close(self) -> None:
        """Ends what it started."""
        ...


# A class or function that another process can import by its name. Settings are sent as plain
# values: what they say is made anew where the slot is.
SlotMaker = Callable[[RunSettings], Slot]


class Slots(Protocol):
    """All slots of a run, and what each is to do."""

    error: BaseException | None  # of a slot, or of all of them; it ends the run

    @property
    def under_way(self) -> bool: ...

    def start(self) -> None:
        """Opens slots."""
        ...

    def receive(self, timeout: float | None) -> list[Verdict]:
        """Verdicts that have come, or come before the timeout; gives slots more to do."""
        ...

    def finish(self) -> None:
        """Lets all close their sessions."""
        ...

    def close(self) -> None:
        """Ends all that are left, and whatever they started."""
        ...


# One way to run slots.
Dispatcher = Callable[[Schedule, SlotMaker, RunSettings], Slots]
