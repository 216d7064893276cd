"""Says that something goes on, once it has taken two seconds.

On a terminal it is a line that goes away; elsewhere a plain line every ten seconds. Where it is
known how much there is to do, the line says how much is done and how long the rest will take.
"""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from rich.console import Console

from polyassay.report.terminal.remaining import told

PATIENCE = 2.0  # seconds before anything is said
LINE_SECONDS = 10.0
_REDRAWN = 0.5

Item = TypeVar("Item")
Advance = Callable[[int], None]


@contextmanager
def waiting(console: Console, what: str, total: int = 0) -> Iterator[Advance]:
    """`what`, as in "Writing the report"; call the value with how many more are done."""
    work = _Work(what, total)
    done = threading.Event()
    shows = _on_terminal if console.is_terminal else _in_lines
    thread = threading.Thread(target=shows, args=(console, work, done), daemon=True)
    thread.start()
    try:
        yield work.advance
    finally:
        done.set()
        thread.join()


def counted_items(items: Iterable[Item], advance: Advance) -> Iterator[Item]:
    """The same items, each counted when the next one is asked for."""
    for item in items:
        yield item
        advance(1)


class _Work:
    def __init__(self, what: str, total: int) -> None:
        self._what, self._total, self._done = what, total, 0
        self._started = time.monotonic()

    def advance(self, count: int) -> None:
        self._done += count

    def __str__(self) -> str:
        seconds = time.monotonic() - self._started
        if not self._total:
            return f"{self._what}, {seconds:.0f} s"
        parts = [f"{self._what}: {self._done:,} of {self._total:,}"]
        if self._done:
            parts.append(told(seconds * (self._total - self._done) / self._done))
        return ", ".join(parts)


def _on_terminal(console: Console, work: _Work, done: threading.Event) -> None:
    if done.wait(PATIENCE):
        return
    with console.status(str(work)) as status:
        while not done.wait(_REDRAWN):
            status.update(str(work))


def _in_lines(console: Console, work: _Work, done: threading.Event) -> None:
    pause = PATIENCE
    while not done.wait(pause):
        console.print(f"{work} …", markup=False, soft_wrap=True)
        pause = LINE_SECONDS
