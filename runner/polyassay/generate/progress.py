"""How far the asking has got: a bar on a terminal, a plain line every ten seconds elsewhere."""

import time
from collections.abc import Callable
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from polyassay.generate.asking import Tally
from polyassay.wording import counted

LINE_SECONDS = 10.0


class AskingProgress:
    def __init__(
        self,
        console: Console,
        name: str,
        total: int,
        currency: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._console, self._name, self._total, self._currency = console, name, total, currency
        self._clock = clock
        self._started = self._told = clock()
        self._bar: Progress | None = None
        if console.is_terminal:
            self._bar = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(bar_width=30),
                MofNCompleteColumn(),
                TimeRemainingColumn(compact=True),
                TextColumn("left  {task.fields[told]}"),
                console=console,
            )
            self._task = self._bar.add_task(name, total=total, told="")

    def update(self, tally: Tally) -> None:
        if self._bar is not None:
            told = summary(tally, self._currency)
            self._bar.update(self._task, completed=tally.answers, told=told)
        elif self._clock() - self._told >= LINE_SECONDS:
            self._told = self._clock()
            rate = tally.answers / max(self._told - self._started, 1e-9)
            left = f"  {(self._total - tally.answers) / rate:.0f} s left" if rate else ""
            told = summary(tally, self._currency)
            self._console.print(
                f"{self._name}: {tally.answers}/{self._total}{left}   {told}", markup=False
            )

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(self, *_ended: object) -> None:
        if self._bar is not None:
            self._bar.stop()


def summary(tally: Tally, currency: str) -> str:
    """120 answers  2 truncated  1 error  3,100 tokens  0.02 USD; unknown is said, never 0."""
    parts = [counted(tally.answers, "answer")]
    parts += [f"{many} {what}" for what, many in tally.finishes.items() if what != "complete"]
    if errors := sum(tally.errors.values()):
        parts.append(counted(errors, "error"))
    if retries := sum(tally.retries.values()):
        parts.append(counted(retries, "retry", "retries"))
    if tally.answers > tally.unknown_tokens:
        more = " at least" if tally.unknown_tokens else ""
        tokens = int(tally.input_tokens + tally.output_tokens)
        parts.append(counted(tokens, "token") + more)
    parts.append(money(tally.cost, currency, tally.unknown_cost == 0 and bool(tally.answers)))
    return "  ".join(parts)


def money(cost: float | None, currency: str, known: bool = True) -> str:
    if cost is None or not known:
        return "cost unknown"
    return f"{cost:.4f} {currency}".rstrip()
