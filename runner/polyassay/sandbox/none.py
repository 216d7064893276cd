"""No sandbox: for code that its user trusts. Limits and an orderly end, and no isolation."""

import os
import shutil
import signal
import tempfile
import time
from dataclasses import replace

from polyassay.sandbox import Box, Guest, NotStarted
from polyassay.sandbox.guest import Ending, FrameGuest
from polyassay.sandbox.linux.launch import FIXES_LAYOUT, is_set_up, start
from polyassay.sandbox.linux.namespace import ending_of
from polyassay.sandbox.linux.processes import (
    ProcessUsage,
    cpu_seconds,
    family,
    shared_out_memory,
    usage,
)
from polyassay.sandbox.linux.rlimits import environment, rlimits
from polyassay.sandbox.linux.watch import watched
from polyassay_harness.process.own_time import Waits, waits_for_a_core


class NoSandbox:
    name = "none"
    nests = False
    fixes_layout = FIXES_LAYOUT

    def start(self, box: Box) -> Guest:
        scratch = tempfile.mkdtemp(prefix="polyassay-")
        variables = environment(box, scratch, temporary=scratch)
        argv = ["setpriv", "--pdeathsig", "KILL", *rlimits("prlimit", box.limits)]
        argv += ["env", "-i", "-C", scratch, *(f"{k}={v}" for k, v in variables.items())]
        try:
            leader, pipes = start([*argv, *box.argv], fixed_layout=box.fixed_layout)
            is_set_up(leader)
        except OSError as error:
            shutil.rmtree(scratch, ignore_errors=True)
            raise NotStarted(f"setpriv could not be started ({error.strerror})") from error
        return watched(FrameGuest(pipes, _Family(leader, scratch), box.limits))

    def strengths(self) -> list[str]:
        return []

    def weaknesses(self) -> list[str]:
        return ["Nothing is isolated: candidates can do whatever you can."]


class _Family:
    """A process, its session and those of its descendants that can be found."""

    def __init__(self, leader: int, scratch: str) -> None:
        self._leader = leader
        self._scratch = scratch

    def usage(self) -> ProcessUsage:
        return usage(self._leader)

    def cpu_seconds(self) -> float:
        return cpu_seconds(self._leader)

    def waits(self) -> Waits:
        return waits_for_a_core(family(self._leader))

    def over_memory(self, limit: int) -> bool:
        return shared_out_memory(self._leader) > limit

    def ran_out_of_memory(self) -> bool:
        return False

    def kill(self) -> None:
        for pid in reversed(list(family(self._leader))):
            _kill(pid)
        _kill(-self._leader)

    def ends_within(self, seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if os.waitid(os.P_PID, self._leader, os.WEXITED | os.WNOWAIT | os.WNOHANG):
                return True
            time.sleep(0.005)
        return False

    def wait(self) -> Ending:
        _, status, used = os.wait4(self._leader, 0)
        shutil.rmtree(self._scratch, ignore_errors=True)
        ending = ending_of(os.waitstatus_to_exitcode(status))
        return replace(ending, cpu_seconds=used.ru_utime + used.ru_stime)


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        return
