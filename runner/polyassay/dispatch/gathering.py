"""The loop of every dispatcher: verdicts are gathered for a moment, and handed on in lists."""

import time
from collections.abc import Generator
from contextlib import closing
from typing import Protocol

from polyassay.model import Verdict

GATHER_SECONDS = 0.1  # verdicts that come within this are handed on, and stored, at once


class Slots(Protocol):
    """All slots of a run, and what each is to do."""

    error: BaseException | None  # of a slot, or of all of them; it ends the run

    @property
    def under_way(self) -> bool: ...

    def start(self) -> None:
        """Opens slots."""
        ...

    def receive(self, timeout: float | None) -> list[Verdict]:
        """What has come, or comes before the timeout; gives slots more to do."""
        ...

    def finish(self) -> None:
        """Lets all close their sessions."""
        ...

    def close(self) -> None:
        """Ends all that are left, and whatever they started."""
        ...


def gather(slots: Slots) -> Generator[list[Verdict], None, None]:
    """Yields verdicts in lists as they come, in any order; raises what a slot raised."""
    with closing(slots):
        slots.start()
        gathered: list[Verdict] = []
        hand_on_at = 0.0
        while slots.error is None and slots.under_way:
            came = slots.receive(max(hand_on_at - time.monotonic(), 0.0) if gathered else None)
            if came and not gathered:
                hand_on_at = time.monotonic() + GATHER_SECONDS
            gathered += came
            if gathered and time.monotonic() >= hand_on_at:
                yield gathered
                gathered = []
        if gathered:  # they are done, and must not be lost with a slot
            yield gathered
        if slots.error is not None:
            raise slots.error
        slots.finish()
