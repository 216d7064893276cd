"""A candidate with few tests, which the zygote itself supervises.

Each test has a process that loads the program for it alone. Nothing runs there afterwards that
would have to be kept apart from the test, so the process is the first of its namespaces, and the
forks of a supervisor and of what it supervises are saved, which cost more than to load a program
again. What it means to be process 1: see signals.py.
"""

import os
import signal
import socket
import time
import traceback
from typing import Any, Callable, Dict, List, Optional

from polyassay_harness import confine, frames
from polyassay_harness.child import Child, SoloChild, become_child
from polyassay_harness.folders import Folder
from polyassay_harness.limits import cpu_of, rlimits
from polyassay_harness.processes import Stopped, ended, wait_until
from polyassay_harness.supervise import (
    NO_TIME,
    OUTPUT_BYTES,
    OVERTIME,
    RESULT_BYTES,
    Process,
    load_report,
    test_report,
)
from polyassay_harness.work import WorkSupervisor
from polyassay_harness.worker import SoloWorker

Message = Dict[str, Any]
_ENTERED = b"entered"


class NotEntered(Exception):
    """A child could not be confined, or not get its files: no candidate's doing."""


class SoloProcess(Process):
    def __init__(
        self,
        request: Message,
        scratch: str,
        output: int,
        box: confine.Confinement,
        kind: Callable[[Message, int, str], Child],
        deadline: float,
    ) -> None:
        self._seconds = request["limits"]["seconds"]
        self._deadline = deadline
        self._token = request["tests"][0]["token"] if request["tests"] else ""
        self.cpu_seconds = 0.0
        self._reaped = False
        ours, theirs = socket.socketpair()
        limits = rlimits(request["limits"])
        folder = Folder(scratch)
        self.pid = box.fork()
        if self.pid == 0:
            try:
                box.enter(own_network=request["own_network"], first=True)
                folder.lay_out(request["files"])
                os.chdir(folder.path)
                null = os.open(os.devnull, os.O_RDONLY)  # its own: flags and locks go with it
                channel = become_child((null, output, output), theirs.fileno(), limits)
                os.write(channel, _ENTERED)
                kind(request, channel, folder.path).run()
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(1)
        theirs.close()
        self._socket = ours

    def load(self) -> Message:
        self._expect_entered()
        return super().load()

    def outcome(self) -> Message:
        """How its test ended, or how the program did before that."""
        try:
            return self._outcome()
        finally:
            self.end()

    def _outcome(self) -> Message:
        timed_out = not wait_until(self.pid, self._deadline)
        if timed_out:
            self.kill()
        status, cpu = self.wait()
        self._expect_entered()
        self._socket.setblocking(False)  # or who sent himself the other end would keep us
        loaded = self._left_behind()
        stopped = ended(status, cpu, self._seconds)
        if timed_out:
            stopped = Stopped("timed_out", OVERTIME)
        if loaded is None:
            reason = f"{stopped.message}, while it loaded"
            return {"ending": stopped.status, "reason": reason}
        loaded = load_report(loaded)
        if "ending" in loaded:
            return loaded
        result = self._left_behind()
        own = result is not None and result.get("token") == self._token
        return test_report(result) if result and own else stopped.result()

    def _expect_entered(self) -> None:
        """The first word, which the process says before any candidate code is near it."""
        if self._socket.recv(len(_ENTERED)) != _ENTERED:
            raise NotEntered("a process could not be confined; the zygote's own output tells why")

    def _left_behind(self) -> Optional[Message]:
        """The next message of a process that has ended."""
        try:
            return frames.receive(self._socket.fileno(), None, RESULT_BYTES)
        except (OSError, frames.Broken):
            return None

    def end(self) -> None:
        self.kill()
        if not self._reaped:
            self.wait()
        self._socket.close()

    def kill(self) -> None:
        """With the first process go all others of its namespace."""
        if not self._reaped:
            os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> "tuple[int, float]":
        _, status, usage = os.wait4(self.pid, 0)
        self._reaped = True
        self.cpu_seconds = cpu_of(usage)
        return status, self.cpu_seconds


def judge_solo(request: Message, scratch: str, box: confine.Confinement) -> Message:
    """What a supervisor of its own would reply.

    A child is told everything at once and read when it has ended: each word in between would
    wake this process, and cost both of them copies of the pages that it touches.
    """
    deadline = time.monotonic() + request["limits"]["total_seconds"]
    output = os.memfd_create("output")
    results: List[Message] = []
    reply: Message = {"results": results, "cpu_seconds": 0.0}
    try:
        for test in request["tests"]:
            found = {"status": "not_run", "message": NO_TIME}
            if time.monotonic() < deadline:
                alone = {**request, "tests": [{**test, "token": os.urandom(8).hex()}]}
                process = SoloProcess(alone, scratch, output, box, SoloChild, deadline)
                found = process.outcome()
                reply["cpu_seconds"] += process.cpu_seconds
            if "ending" in found and not results:
                reply.update(found)
                break
            if "ending" in found:  # though it has loaded before
                found = {"status": found["ending"], "message": found["reason"]}
            results.append({**found, "name": test["name"], "function": ""})
        return {**reply, "output": _text(output)}
    finally:
        os.close(output)


def _text(output: int) -> str:
    return os.pread(output, OUTPUT_BYTES, 0).decode("utf-8", "replace")


class SoloWork(WorkSupervisor):
    """A worker for each test."""

    def __init__(
        self, request: Message, scratch: str, streams: "tuple[int, int]", box: confine.Confinement
    ) -> None:
        super().__init__(request, scratch, *streams, output=os.memfd_create("output"))
        self._scratch, self._box = scratch, box
        self.cpu_seconds = 0.0

    def run(self) -> Message:
        try:
            return {**super().run(), "cpu_seconds": self.cpu_seconds}
        finally:
            self._stop()
            os.close(self._output)

    def _load(self) -> None:
        self._process = SoloProcess(
            self._request, self._scratch, self._output, self._box, SoloWorker, self._deadline
        )
        self._loaded = self._process.load()
        if "ending" in self._loaded:
            self._stop()

    def _hand_over(self, process: Process, *, last: bool) -> None:
        self._here = True  # it has begun already, and has no other test

    def _stop(self) -> None:
        process = self._process
        super()._stop()
        if isinstance(process, SoloProcess):
            self.cpu_seconds += process.cpu_seconds
