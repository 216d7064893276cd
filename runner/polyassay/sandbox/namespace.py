"""All processes of one process-id namespace, seen from outside."""

import os
import select
import signal
from dataclasses import replace

from polyassay.sandbox.cgroup import Group
from polyassay.sandbox.guest import Ending
from polyassay.sandbox.processes import Usage, shared_out_memory, usage

_EMPTY_WITHIN = 60  # seconds; the kernel needs milliseconds, unless a process hangs in a driver


class Namespace:
    """A launcher outside, and the first process inside, whose death ends the whole namespace."""

    def __init__(self, launcher: int, first: int, group: Group | None = None) -> None:
        self._launcher = launcher
        self._first = first
        self._group = group
        # Unlike its number, this cannot come to mean another process.
        self._handle = os.pidfd_open(first)

    def usage(self) -> Usage:
        used = usage(self._first)
        if self._group:
            # It knows of children too that nobody waited for.
            used = replace(used, cpu_seconds=self._group.cpu_seconds())
        return used

    def over_memory(self, limit: int) -> bool:
        return shared_out_memory(self._first) > limit

    def kill(self) -> None:
        try:
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)
        except (ProcessLookupError, OSError):
            return

    def ends_within(self, seconds: float) -> bool:
        # The first process counts as ended only when the kernel has emptied its namespace.
        poll = select.poll()
        poll.register(self._handle, select.POLLIN)
        return bool(poll.poll(seconds * 1000))

    def wait(self) -> Ending:
        if not self.ends_within(_EMPTY_WITHIN):
            raise RuntimeError(f"sandbox {self._first} could not be killed")
        os.close(self._handle)
        _, status, _ = os.wait4(self._launcher, 0)
        ending = Ending(describe(os.waitstatus_to_exitcode(status)))
        if self._group:
            ending = Ending(ending.how, self._group.cpu_seconds(), self._group.ran_out_of_memory())
            self._group.remove()
        return ending


def describe(status: int) -> str:
    """An exit status in words; launchers pass a signal on as 128 more than its number."""
    number = -status if status < 0 else status - 128
    try:
        return f"killed by {signal.Signals(number).name}"
    except ValueError:
        return f"exit status {status}"
