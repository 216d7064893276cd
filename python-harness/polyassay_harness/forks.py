"""Forks that cost little, because nothing runs in the child but what it was forked for.

Python's own fork has hooks renew what other threads could hold. They touch so many pages, each of
which the kernel must copy, that they cost a child more than being born; and `random` would be
seeded anew in the middle of a program that has seeded it.
"""

import ctypes
import os
import sys

_fork, _listdir, _strerror, _get_errno = os.fork, os.listdir, os.strerror, ctypes.get_errno
_libc_fork = ctypes.PyDLL(None, use_errno=True).fork  # keeps the interpreter's lock meanwhile


def single_fork() -> int:
    """As os.fork does, but without hooks where there is a single thread."""
    if threads() > 1:
        return _fork()
    pid: int = _libc_fork()
    if pid < 0:
        raise OSError(_get_errno(), "fork: %s" % _strerror(_get_errno()))
    return pid


def reseed() -> None:
    """For a zygote, whose children are not to draw the same numbers."""
    if "random" in sys.modules:
        sys.modules["random"].seed()


def threads() -> int:
    """How many this process has; one where nobody can tell."""
    try:
        return len(_listdir("/proc/self/task"))
    except OSError:
        return 1
