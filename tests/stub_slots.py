"""Slots that judge nothing, for tests of what moves batches: a process imports them by name."""

import os
import signal
import time
from collections.abc import Sequence

from polyassay.dispatch.scheduling import Batch
from polyassay.errors import PolyAssayError
from polyassay.harness import RunSettings
from polyassay.model import Judging, Outcome, Verdict
from polyassay.slot import LOSSES

UNLUCKY = 13  # the sample at which a slot does what it is named for


class PassingSlot:
    """Passes every candidate, and says in which process."""

    def __init__(self, settings: RunSettings) -> None:
        self.settings = settings

    def judge(self, batch: Batch) -> Sequence[Verdict]:
        if any(candidate.key.sample == UNLUCKY for _, candidate in batch.pairs):
            self.meet(batch)
        return [
            Verdict(candidate.key, Outcome.PASSED, 1, 1, (), Judging.APART, reason=str(os.getpid()))
            for _, candidate in batch.pairs
        ]

    def meet(self, batch: Batch) -> None:
        """What happens at the unlucky sample."""

    def close(self) -> None:
        """It holds nothing."""


class SlowSlot(PassingSlot):
    def judge(self, batch: Batch) -> Sequence[Verdict]:
        time.sleep(0.1 * len(batch.pairs))
        return super().judge(batch)


class RaisingSlot(PassingSlot):
    def meet(self, batch: Batch) -> None:
        raise PolyAssayError("broken slot", hint="mend it")


class Unsendable(Exception):
    def __init__(self, one: int, two: int) -> None:
        super().__init__("cannot be sent")


class OddlyRaisingSlot(PassingSlot):
    def meet(self, batch: Batch) -> None:
        raise Unsendable(1, 2)


class DyingSlot(PassingSlot):
    """Killed by one candidate, until that has cost as many slots as it may."""

    def meet(self, batch: Batch) -> None:
        if len(batch.losses) < LOSSES:
            os.kill(os.getpid(), signal.SIGKILL)
        assert len(batch.pairs) == 1


class AlwaysDyingSlot(PassingSlot):
    def meet(self, batch: Batch) -> None:
        os._exit(7)


class OnceDyingSlot(PassingSlot):
    """Lost once, as when the machine is short of memory for a moment."""

    def meet(self, batch: Batch) -> None:
        if not batch.losses:
            os.kill(os.getpid(), signal.SIGKILL)


class RefusingSlot(PassingSlot):
    def __init__(self, settings: RunSettings) -> None:
        raise PolyAssayError("no slot", hint="none at all")


class StillbornSlot(PassingSlot):
    def __init__(self, settings: RunSettings) -> None:
        os.write(2, b"what a pity")
        os._exit(3)


class ClosingBadlySlot(PassingSlot):
    def close(self) -> None:
        raise PolyAssayError("cannot close", hint="leave it open")


class WaitingSlot(PassingSlot):
    """Waits for a file of its home, from the third sample on."""

    def judge(self, batch: Batch) -> Sequence[Verdict]:
        while batch.pairs[0][1].key.sample >= 2 and not (self.settings.home / "go").exists():
            time.sleep(0.01)
        return super().judge(batch)
