"""Writes the pages of tasks, side by side where there are many."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import chain, islice
from multiprocessing import get_context

from polyassay.report.views import TaskPage

Writer = Callable[[TaskPage], None]

ALONE = 24  # pages that are written before it pays to start other processes
AHEAD = 3  # pages that wait for each process
_MOST_PROCESSES = 16
_writer: Writer | None = None  # of this process, where it is one of several


def write_pages(
    pages: Iterable[TaskPage], open_writer: Callable[[], Writer], processes: int | None = None
) -> int:
    """Writes pages as they come, and says how many; `open_writer` makes what writes one.

    It is called in each process, so it has to be a plain value that can be sent to them.
    """
    coming, writer, count = iter(pages), open_writer(), 0
    for page in islice(coming, ALONE):
        writer(page)
        count += 1
    following = next(coming, None)
    if following is None:
        return count
    rest = chain([following], coming)
    number = processes or min(len(os.sched_getaffinity(0)), _MOST_PROCESSES)
    return count + _write_side_by_side(rest, open_writer, number)


def _write_side_by_side(
    pages: Iterator[TaskPage], open_writer: Callable[[], Writer], processes: int
) -> int:
    """Processes of their own rather than forks: the caller may have threads and a JVM."""
    waiting: set[Future[None]] = set()
    count = 0
    start = get_context("spawn")
    with ProcessPoolExecutor(processes, start, _open, (open_writer,)) as pool:
        for page in pages:
            waiting.add(pool.submit(_write, page))
            count += 1
            if len(waiting) >= AHEAD * processes:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for one in done:
                    one.result()
        for one in waiting:
            one.result()
    return count


def _open(open_writer: Callable[[], Writer]) -> None:
    global _writer
    _writer = open_writer()


def _write(page: TaskPage) -> None:
    assert _writer is not None
    _writer(page)
