"""A helper process with limits, for parsers that read hostile text.

One warm child serves many requests, which are frames (polyassay_harness/wire/frames.py), like its
replies. It limits its own memory and, per reply, its CPU time; one that ends, hangs or answers
nonsense is replaced by its owner.
"""

import json
import os
import resource
import select
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import polyassay
from polyassay_harness.process.own_time import (
    OwnTime,
    Readings,
    waits_for_a_core,
    working_seconds,
)
from polyassay_harness.wire import frames

DEADLINE = 600.0  # seconds of its own a reply; the child's limit of CPU time is what decides
_GLANCE = 0.5  # seconds between two looks at whether it waits for a core
_END_SECONDS = 60.0  # for a child that has closed its pipe to end: how it did tells whose fault
MAX_REPLY = 256 << 20
MAX_REQUEST = (1 << 32) - 1  # which is ours
MEMORY = 2 << 30
START = (
    "import sys; sys.path.insert(0, sys.argv[1]);"
    " from importlib import import_module; import_module(sys.argv[2]).serve()"
)


class HelperEnded(Exception):
    """The child is of no more use."""


class HelperProcess:
    """The owner's end. `module` has a function `serve`, which begins with `limit_process`."""

    def __init__(self, module: str, deadline: float, env: Mapping[str, str] | None = None) -> None:
        root = str(Path(polyassay.__file__).resolve().parent.parent)
        self._deadline = deadline
        self._child = subprocess.Popen(
            [sys.executable, "-I", "-c", START, root, module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"PATH": os.defpath, "LC_ALL": "C.UTF-8", **(env or {})},
            start_new_session=True,  # an interrupt at the keyboard is ours to handle
            bufsize=0,
        )
        assert self._child.stdin and self._child.stdout
        self._input, self._output = self._child.stdin.fileno(), self._child.stdout.fileno()
        os.set_blocking(self._input, False)

    @property
    def pid(self) -> int:
        return self._child.pid

    def close(self) -> bool:
        """Ends the child; True where something else (as an OOM killer) had killed it before."""
        with suppress(subprocess.TimeoutExpired):  # one that has ended says how in a moment
            self._child.wait(timeout=0.2)
        killed = self._child.returncode == -signal.SIGKILL
        self._child.kill()
        self._child.wait()
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe:
                pipe.close()
        return killed

    def send(self, request: Mapping[str, Any]) -> None:
        left = memoryview(frames.framed(json.dumps(request).encode("ascii")))
        had = OwnTime(time.monotonic())
        while left:
            self._await(had, self._input, select.POLLOUT)
            try:
                left = left[os.write(self._input, left) :]
            except OSError as error:
                raise HelperEnded("the answer's reader ended") from error

    def receive(self) -> bytes:
        """One reply, as the child wrote it."""
        had = OwnTime(time.monotonic())
        try:
            return frames.read_frame(
                self._output, lambda fd: self._await(had, fd, select.POLLIN), MAX_REPLY
            )
        except frames.StreamEnded:
            with suppress(subprocess.TimeoutExpired):
                self._child.wait(_END_SECONDS)
            raise HelperEnded("reading the answer takes too much time or memory") from None
        except frames.Broken:
            raise HelperEnded("the answer's program is too large") from None

    def _await(self, had: OwnTime, descriptor: int, event: int) -> None:
        """Waits until it can be read or written; raises HelperEnded when the child's time is up."""
        poll = select.poll()
        poll.register(descriptor, event)
        while not poll.poll(min(_GLANCE, self._deadline) * 1000):
            waits = (waits_for_a_core([self.pid]),)
            had.look(time.monotonic(), 0.0, Readings(waits, working_seconds()))
            if had.seconds >= self._deadline:
                raise HelperEnded("reading the answer takes too long")


def limit_process() -> None:
    """For the child, before it reads its first request."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    warnings.simplefilter("ignore")  # answers' odd escapes are not ours to report


def limit_cpu(seconds: float) -> None:
    """For the child: what it may use from here on, in place of what was left; 0 is no limit.

    SIGPROF ends the process, which is what its default action does.
    """
    signal.setitimer(signal.ITIMER_PROF, seconds)
