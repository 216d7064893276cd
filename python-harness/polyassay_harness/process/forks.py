"""A performance trick: forks in which nothing runs but what the child was forked for.

Python's own fork has hooks renew what other threads could hold. They touch so many pages, each of
which the kernel must copy, that they cost a child more than being born; and `random` would be
seeded anew in the middle of a program that has seeded it.

Gain, by `tools/bench-python --without forks`: 10 % of the CPU time apart, 3 % together (HumanEval,
standard errors 3 and 2).
"""

import ctypes
import os
import sys
import traceback
from contextlib import contextmanager
from typing import Iterator

from polyassay_harness.switches import on

_fork, _stat, _strerror, _get_errno = os.fork, os.stat, os.strerror, ctypes.get_errno
_urandom = os.urandom
_libc_fork = ctypes.PyDLL(None, use_errno=True).fork  # keeps the interpreter's lock meanwhile


def single_fork() -> int:
    """Forks as os.fork does, but without hooks if there is a single thread."""
    if threads() > 1 or not on("forks"):
        return _fork()
    pid: int = _libc_fork()
    if pid < 0:
        raise OSError(_get_errno(), "fork: %s" % _strerror(_get_errno()))
    return pid


@contextmanager
def last_act(status: int = 0) -> Iterator[None]:
    """Ends this process after the block, with that status only where nothing was raised."""
    try:
        yield
        os._exit(status)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(1)


def reseed() -> None:
    """Seeds `random` anew in a zygote, whose children should not draw the same numbers."""
    if "random" in sys.modules:
        # As good as the 2,500 bytes that it would take by itself, for a tenth of the time.
        sys.modules["random"].seed(int.from_bytes(_urandom(16), "big"))


def threads() -> int:
    """How many this process has; one where the kernel does not say."""
    try:
        return _stat("/proc/self/task").st_nlink - 2  # as of any folder, one for each in it
    except OSError:
        return 1
