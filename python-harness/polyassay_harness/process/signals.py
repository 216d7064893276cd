"""Lets signals end a process that is the first of its namespace.

The kernel keeps from it every signal that it sends itself and does not handle, so that a program
that ends itself would go on, and so would one that has used up its CPU time. Here such signals
have a handler: the C library's _exit. Signals that no handler can take are left to the filter
(the runner's `seccomp.program_of_child`). A program that takes its handlers away may survive
its own signals, and none dies by its own children; its limits, and the zygote, end it all the same.
"""

import ctypes
import os
import signal
from typing import Iterable, Optional

# Those that cannot be handled, and those that end no process.
_KEPT = ("SIGKILL", "SIGSTOP", "SIGTSTP", "SIGTTIN", "SIGTTOU")
_HARMLESS = ("SIGCHLD", "SIGCONT", "SIGURG", "SIGWINCH")
_SURE = ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP", "SIGSYS")  # faults end any process
_SPARED = {getattr(signal, name) for name in _KEPT + _HARMLESS + _SURE}

_libc = ctypes.CDLL(None)
_handle = _libc.signal
_handle.argtypes = [ctypes.c_int, ctypes.c_void_p]
_handle.restype = ctypes.c_void_p


def end_by_signals() -> None:
    """For this process and what it forks; a program's own forks are no first processes again."""
    numbers = [
        number
        for number in signal.valid_signals()
        if number not in _SPARED and signal.getsignal(number) is signal.SIG_DFL
    ]
    end = ctypes.cast(_libc._exit, ctypes.c_void_p).value
    _set(numbers, end)
    os.register_at_fork(
        before=lambda: _set(numbers, None),
        after_in_parent=lambda: _set(numbers, end),
        after_in_child=lambda: _set(numbers, end if os.getpid() == 1 else None),
    )


def _set(numbers: Iterable[int], handler: Optional[int]) -> None:
    """But for what the program handles by now."""
    for number in numbers:
        if signal.getsignal(number) is signal.SIG_DFL:
            _handle(number, handler)
