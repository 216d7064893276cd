"""How far a run has got: a bar on a terminal, a plain line every ten seconds elsewhere."""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
)

from polyassay.model import Outcome, Verdict
from polyassay.report.terminal.remaining import Remaining, pace, told, took
from polyassay.report.views import endings

LINE_SECONDS = 10.0


class RunProgress(Protocol):
    """Says on a terminal or in a log how far a run is, from entering it to leaving it."""

    def add(self, verdicts: Sequence[Verdict]) -> None:
        """Counts verdicts that are in the store."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


def run_progress(
    console: Console,
    total: int,
    before: Mapping[Outcome, int],
    pending: Mapping[str, int] | None = None,
    tally: "Tally | None" = None,
) -> RunProgress:
    """`before`: what was judged already, and so counts from the beginning.

    `pending`: how many candidates of each suite are to be judged, where that is known.
    `tally`: counts otherwise, where a failure is no bad news.
    """
    tally = tally or Tally(before)
    left = Remaining(pending or {"": total - tally.total})
    shows = Bar if console.is_terminal else ProgressLines
    return shows(console, total, tally, left)


class Tally:
    """How many verdicts there are, and what they say; of a run it is their outcomes."""

    def __init__(self, before: Mapping[Outcome, int] | None = None) -> None:
        self._counts: Counter[Outcome] = Counter(before)
        self.total = self._counts.total()

    def add(self, verdicts: Sequence[Verdict]) -> None:
        self._counts.update(verdict.outcome for verdict in verdicts)
        self.total += len(verdicts)

    def __str__(self) -> str:
        return counts_text(self._counts)


def counts_text(counts: Counter[Outcome]) -> str:
    """133 passed  112 failed  41 unbuilt, the best first."""
    return "  ".join(f"{count} {words}" for _, words, count in endings(counts))


class Bar:
    def __init__(self, console: Console, total: int, tally: Tally, left: Remaining) -> None:
        self._progress = Progress(
            BarColumn(bar_width=34),
            MofNCompleteColumn(),
            TextColumn("{task.fields[pace]}  {task.description}"),
            console=console,
        )
        self._task = self._progress.add_task("", total=total, completed=tally.total, pace="")
        self._tally = tally
        self._left = left

    def add(self, verdicts: Sequence[Verdict]) -> None:
        self._tally.add(verdicts)
        self._left.add(verdicts)
        self._progress.update(
            self._task,
            advance=len(verdicts),
            description=str(self._tally),
            pace=f"{pace(self._left.rate())}  {told(self._left.seconds())}",
        )

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()


class ProgressLines:
    def __init__(
        self,
        console: Console,
        total: int,
        tally: Tally,
        left: Remaining,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._console, self._total, self._left = console, total, left
        self._tally = tally
        self._clock = clock
        self._told, self._shown = clock(), -1
        self._began, self._before = self._told, tally.total

    def add(self, verdicts: Sequence[Verdict]) -> None:
        self._tally.add(verdicts)
        self._left.add(verdicts)
        if self._tally.total < self._total and self._clock() - self._told >= LINE_SECONDS:
            self._tell()

    def _tell(self) -> None:
        self._told = self._clock()
        done = self._shown = self._tally.total
        parts = [f"{done}/{self._total}", pace(self._left.rate()), told(self._left.seconds())]
        if done == self._total and done > self._before:
            parts[1:] = [took(done - self._before, self._told - self._began)]
        self._console.print(f"{'  '.join(filter(None, parts))}   {self._tally}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown != self._tally.total:
            self._tell()
