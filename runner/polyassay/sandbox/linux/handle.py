"""A hold on one process, whose number cannot come to mean another one meanwhile."""

import os
import select
import signal

_GONE_WITHIN = 60  # seconds; the kernel needs milliseconds, unless a process hangs in a driver


class ProcessHandle:
    """The first process of a namespace: its end is the end of all the others in it.

    The kernel lets it count as ended only when the namespace is empty.
    """

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._descriptor = os.pidfd_open(pid)

    def kill(self) -> None:
        """Sends SIGKILL; raises PermissionError where it is another user's."""
        try:
            signal.pidfd_send_signal(self._descriptor, signal.SIGKILL)
        except ProcessLookupError:
            return

    def ends_within(self, seconds: float) -> bool:
        poll = select.poll()
        poll.register(self._descriptor, select.POLLIN)
        return bool(poll.poll(seconds * 1000))

    def wait_and_close(self) -> None:
        if not self.ends_within(_GONE_WITHIN):
            raise RuntimeError(f"process {self.pid} and its namespace could not be killed")
        os.close(self._descriptor)
