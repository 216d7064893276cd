"""Sees what processes leave behind when they are killed."""

import ctypes
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psutil

PR_SET_CHILD_SUBREAPER = 36


@contextmanager
def foster_parent() -> Iterator[None]:
    """Makes this process the parent of all that a killed one leaves, whatever it calls itself.

    At the end nothing of it may be left.
    """
    prctl = ctypes.CDLL(None).prctl
    others = set(processes_below())
    assert prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
    try:
        yield
        assert_gone(others)
    finally:
        prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def assert_gone(others: set[psutil.Process]) -> None:
    """Nothing but the others is below this process, soon."""
    deadline = time.monotonic() + 30
    while (left := set(processes_below()) - others) and time.monotonic() < deadline:
        time.sleep(0.1)
    told = [(process.pid, process.name(), process.status()) for process in left]
    for process in left:
        process.kill()
    assert not told


def processes_below() -> list[psutil.Process]:
    """Living processes below this one, guests in their sandboxes as well; reaps dead orphans."""
    living = []
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess, ChildProcessError):
            if process.status() != psutil.STATUS_ZOMBIE:
                living.append(process)
            elif process.ppid() == os.getpid():
                os.waitpid(process.pid, os.WNOHANG)
    return living
