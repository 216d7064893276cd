"""A guest of which only the times are asked, and a clock that is set by hand."""

from polyassay_harness.process.own_time import Waits


class MadeGuest:
    """A guest of which only the times are asked."""

    def __init__(self, used: float = 0.0, waited: float = 0.0) -> None:
        self.used, self.waited = used, waited

    def cpu_seconds(self) -> float:
        return self.used

    def waits(self) -> Waits:
        return {id(self): self.waited}


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now
