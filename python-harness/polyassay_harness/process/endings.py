"""How processes of one candidate end, and how they are ended."""

import contextlib
import os
import signal
from typing import Any, Dict, List, Optional, Set

from polyassay_harness.process.limits import cpu_of
from polyassay_harness.wire.messages import TestResult


class Stopped(Exception):
    """A process ended, was ended, or wrote nonsense."""

    def __init__(
        self,
        status: str,
        message: str,
        code: Optional[int] = None,
        *,
        of_candidate: bool = False,
        idled: bool = False,
        killed: bool = False,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.code = code  # of a process that ended by itself
        self.of_candidate = of_candidate  # not this test's limit was passed but the candidate's
        self.idled = idled  # wall time ended it
        self.killed = killed  # by SIGKILL and for no limit of ours: the machine may have done it

    def result(self) -> TestResult:
        found: TestResult = {"status": self.status, "message": self.message}
        return {**found, "killed": True} if self.killed else found


def ended(status: int, cpu: float, seconds: float) -> Stopped:
    """How a process ended that gave no result, by its wait status."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        # Ignored, SIGXCPU is followed by SIGKILL. The kernel limits time as its ticks sampled it,
        # which on a busy machine is a good deal more than what it tells afterwards.
        if number == signal.SIGXCPU or (number == signal.SIGKILL and cpu > 0.75 * seconds):
            return Stopped("timed_out", f"used more than {seconds:g} s of CPU time")
        names = {int(known): known.name for known in signal.Signals}  # real-time ones have none
        name = names.get(number, f"signal {number}")
        if number == signal.SIGSYS:  # see process/signals.py
            name += (
                ", because it sent itself a signal that no process survives or made a foreign call"
            )
        killed = number == signal.SIGKILL
        return Stopped("crashed", f"the process was ended by {name}", killed=killed)
    code = os.WEXITSTATUS(status)
    if code == signal.SIGXCPU and cpu > 0.75 * seconds:  # see process/signals.py
        return Stopped("timed_out", f"used more than {seconds:g} s of CPU time")
    message = f"the process ended with status {code} and without a result"
    return Stopped("crashed", message, code)


def told_to_have_ended(message: Dict[str, Any], seconds: float) -> Stopped:
    """The same for a fork of the worker, of whose end only the worker itself can tell."""
    status, cpu = message.get("wait_status"), message.get("cpu_seconds")
    if type(status) is int and type(cpu) is float and 0 <= status <= 0xFFFF:
        return ended(status, cpu, seconds)
    return Stopped("crashed", "broke off without a result")


def has_ended(pid: int) -> bool:
    try:
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True


def reap(pid: int, seconds: float) -> Optional[Stopped]:
    """Waits for a child; what became of it, unless it ended with status 0."""
    _, status, usage = os.wait4(pid, 0)
    return ended(status, cpu_of(usage), seconds) if status else None


def kill_all(leader: int) -> None:
    """Ends every other process of the namespace, or without one, the child's session."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(-1 if os.getpid() == 1 else -leader, signal.SIGKILL)


def kill_all_but(keep: Set[int]) -> bool:
    """Ends what a test left running; False: it comes back, or cannot be told apart."""
    if os.getpid() != 1:
        return False  # no namespace of our own; the sandbox ends what is left
    for _ in range(5):
        others = _others(keep)
        if not others:
            return True
        for pid in others:
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
    return False


def signal_all_but(keep: Set[int]) -> None:
    """Kills what others will wait for; in a namespace of our own."""
    for pid in _others(keep):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _others(keep: Set[int]) -> List[int]:
    found = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    return [pid for pid in found if pid != 1 and pid not in keep]


def reap_all() -> None:
    """Waits for all children, which have been killed."""
    try:
        while True:
            os.waitpid(-1, 0)
    except ChildProcessError:
        return
