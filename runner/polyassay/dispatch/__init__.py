"""Moves batches to slots and verdicts back; decides nothing.

What a slot gets, and when, is decided in `scheduling.py`. What it does with a batch is decided in
`pipeline.py`. A dispatcher knows neither: it can be exchanged for one that uses other machines.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from polyassay.harness import RunSettings
from polyassay.model import Verdict
from polyassay.scheduling import Batch, Schedule


class Slot(Protocol):
    """What judges batches: opened, used and closed by one thread or process."""

    def judge(self, batch: Batch) -> Sequence[Verdict]:
        """One verdict a candidate."""
        ...

    def close(self) -> None: ...


# Settings are plain values, so that they can be sent to another process or machine.
SlotMaker = Callable[[RunSettings], Slot]


class Dispatcher(Protocol):
    """One way to run slots: `local.run` has threads of this process."""

    def __call__(
        self, schedule: Schedule, open_slot: SlotMaker, settings: RunSettings
    ) -> Iterator[list[Verdict]]:
        """Yields verdicts in lists as they come, in any order; raises what a slot raised."""
        ...
