"""All processes of one of bubblewrap's sandboxes, seen from outside."""

import os
import signal
from dataclasses import replace

from polyassay.sandbox import SCRATCH
from polyassay.sandbox.guest import Ending
from polyassay.sandbox.linux.cgroup import ControlGroup
from polyassay.sandbox.linux.handle import ProcessHandle
from polyassay.sandbox.linux.processes import (
    BYTES_A_SOCKET,
    ProcessUsage,
    cpu_seconds,
    family,
    shared_out_memory,
    sockets,
    usage,
)
from polyassay_harness.process.own_time import Waits, waits_for_a_core

_WRITABLE = (SCRATCH, "/tmp", "/dev/shm")  # noqa: S108
_BYTES_A_FILE = 1536  # of an inode and its name


class Namespace:
    """A launcher outside, and the first process inside, whose death ends the whole namespace."""

    def __init__(self, launcher: int, first: int, group: ControlGroup | None = None) -> None:
        self.launcher = launcher
        self._first = ProcessHandle(first)
        self._group = group

    def usage(self) -> ProcessUsage:
        used = usage(self._first.pid)
        used = replace(used, memory_bytes=used.memory_bytes + self._in_the_kernel())
        if self._group:
            # The group also counts children that no parent waited for.
            used = replace(used, cpu_seconds=self._group.cpu_seconds())
        return used

    def cpu_seconds(self) -> float:
        return self._group.cpu_seconds() if self._group else cpu_seconds(self._first.pid)

    def waits(self) -> Waits:
        return waits_for_a_core(family(self._first.pid))

    def over_memory(self, limit: int) -> bool:
        return shared_out_memory(self._first.pid) + self._in_the_kernel() > limit

    def ran_out_of_memory(self) -> bool:
        return self._group is not None and self._group.ran_out_of_memory()

    def kill(self) -> None:
        self._first.kill()

    def ends_within(self, seconds: float) -> bool:
        return self._first.ends_within(seconds)

    def _in_the_kernel(self) -> int:
        """What belongs to no process: a group counts it, else it is reckoned."""
        if self._group:
            return self._group.kernel_bytes()
        return self._names() + sockets(self._first.pid) * BYTES_A_SOCKET

    def _names(self) -> int:
        """What the names of its files take, however little is in them; bwrap cannot limit that.

        The paths are in the sandbox' read-only root, and cannot be bent by the guest.
        """
        files = 0
        for place in _WRITABLE:
            inside = f"/proc/{self._first.pid}/root{place}"
            try:
                if _device(inside) != _device(place):  # or it is still being set up
                    figures = os.statvfs(inside)
                    files += figures.f_files - figures.f_ffree
            except OSError:
                continue
        return files * _BYTES_A_FILE

    def wait(self) -> Ending:
        self._first.wait_and_close()
        _, status, _ = os.wait4(self.launcher, 0)
        ending = ending_of(os.waitstatus_to_exitcode(status))
        if self._group is None:
            return ending
        ending = replace(
            ending,
            cpu_seconds=self._group.cpu_seconds(),
            out_of_memory=self._group.ran_out_of_memory(),
        )
        self._group.remove()
        return ending


def _device(place: str) -> int | None:
    try:
        return os.stat(place).st_dev  # noqa: PTH116 - often
    except OSError:
        return None


def ending_of(status: int) -> Ending:
    """What an exit status says; launchers pass a signal on as 128 more than its number."""
    number = -status if status < 0 else status - 128
    try:
        return Ending(f"killed by {signal.Signals(number).name}", killed=True)
    except ValueError:
        return Ending(f"exit status {status}")
