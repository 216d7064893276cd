"""How far a check of a suite is: a failure that proves the tests is told as good news."""

from collections.abc import Sequence

from polyassay.measures.doubts import EMPTY
from polyassay.model import Outcome, Verdict
from polyassay.report.terminal.progress import Tally
from polyassay.wording import counted


class Proof(Tally):
    """References must pass, and empty answers must not."""

    def __init__(self) -> None:
        super().__init__()
        self._passed = self._references = self._failed = self._empty = 0

    def add(self, verdicts: Sequence[Verdict]) -> None:
        super().add(verdicts)
        for verdict in verdicts:
            passed = verdict.outcome is Outcome.PASSED
            if verdict.candidate.tool == EMPTY:
                self._empty += 1
                self._failed += not passed
            else:
                self._references += 1
                self._passed += passed

    def __str__(self) -> str:
        told = []
        if self._references:
            references = counted(self._references, "reference")
            told.append(f"{self._passed} of {references} passed")
        if self._empty:
            empty = counted(self._empty, "empty answer")
            told.append(f"{self._failed} of {empty} failed, as they should")
        return "  ".join(told)


class Caught(Tally):
    """A mutant is a wrong program, and tests should catch it."""

    def __str__(self) -> str:
        caught = self.total - self._counts[Outcome.PASSED]
        return f"{caught:,} of {counted(self.total, 'mutant')} caught"
