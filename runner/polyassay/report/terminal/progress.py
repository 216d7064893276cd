"""How far a run has got: a bar on a terminal, a plain line every ten seconds elsewhere."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Protocol, Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from polyassay.model import Outcome, Verdict

LINE_SECONDS = 10.0


class RunProgress(Protocol):
    def add(self, verdicts: Sequence[Verdict]) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


def run_progress(console: Console, total: int, done: int) -> RunProgress:
    return Bar(console, total, done) if console.is_terminal else Lines(console, total, done)


def counts_text(counts: Counter[Outcome]) -> str:
    """133 passed  112 failed  41 unbuilt, the best first."""
    order = [Outcome.PASSED, Outcome.FAILED, *Outcome]
    named = {outcome: counts[outcome] for outcome in order if counts[outcome]}
    return "  ".join(f"{count} {outcome.replace('_', ' ')}" for outcome, count in named.items())


class RateColumn(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(f"{task.finished_speed or task.speed or 0:.0f}/s")


class Bar:
    def __init__(self, console: Console, total: int, done: int) -> None:
        self._progress = Progress(
            BarColumn(bar_width=34),
            MofNCompleteColumn(),
            RateColumn(),
            TimeRemainingColumn(compact=True),
            TextColumn("left  {task.description}"),
            console=console,
        )
        self._task = self._progress.add_task("", total=total, completed=done)
        self._counts: Counter[Outcome] = Counter()

    def add(self, verdicts: Sequence[Verdict]) -> None:
        self._counts.update(verdict.outcome for verdict in verdicts)
        self._progress.update(
            self._task, advance=len(verdicts), description=counts_text(self._counts)
        )

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()


class Lines:
    def __init__(
        self, console: Console, total: int, done: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._console, self._total, self._done = console, total, done
        self._counts: Counter[Outcome] = Counter()
        self._clock = clock
        self._started = self._told = clock()
        self._already = done

    def add(self, verdicts: Sequence[Verdict]) -> None:
        self._counts.update(verdict.outcome for verdict in verdicts)
        self._done += len(verdicts)
        if self._clock() - self._told >= LINE_SECONDS:
            self._tell()

    def _tell(self) -> None:
        self._told = self._clock()
        elapsed = max(self._told - self._started, 1e-9)
        rate = (self._done - self._already) / elapsed
        left = f"  {(self._total - self._done) / rate:.0f} s left" if rate else ""
        self._console.print(
            f"{self._done}/{self._total}  {rate:.1f}/s{left}   {counts_text(self._counts)}"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._tell()
