"""A candidate with a single test, which the zygote itself supervises.

Nothing runs after that test that would have to be kept apart from it, so the process that loads
the program is the first of its namespaces, and a fork is saved. As process 1 it does not see
signals that it sent itself and does not handle; its limits, and the zygote, end it all the same.
"""

import os
import signal
import socket
import time
import traceback
from typing import Any, Callable, Dict

from polyassay_harness import confine
from polyassay_harness.child import Child, TestingChild, become_child
from polyassay_harness.folders import Folder
from polyassay_harness.limits import cpu_of
from polyassay_harness.processes import Stopped
from polyassay_harness.supervise import OUTPUT_BYTES, Process
from polyassay_harness.work import WorkSupervisor
from polyassay_harness.worker import Worker

Message = Dict[str, Any]


class SoloProcess(Process):
    def __init__(
        self,
        request: Message,
        scratch: str,
        output: int,
        limits: confine.Limits,
        kind: Callable[[Message, int, str], Child],
    ) -> None:
        self._seconds = request["limits"]["seconds"]
        self._deadline = time.monotonic() + request["limits"]["total_seconds"]
        self.cpu_seconds = 0.0
        self._reaped = False
        ours, theirs = socket.socketpair()
        self.pid = confine.fork()
        if self.pid == 0:
            try:
                confine.enter(limits)
                folder = Folder(scratch)
                folder.lay_out(request["files"])
                os.chdir(folder.path)
                null = os.open(os.devnull, os.O_RDONLY)
                channel = become_child((null, output, output), theirs.fileno(), request["limits"])
                kind(request, channel, folder.path).run()
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(1)
        theirs.close()
        self._socket = ours

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


def judge_solo(request: Message, scratch: str, limits: confine.Limits) -> Message:
    """What a supervisor of its own would reply."""
    output = os.memfd_create("output")
    process = SoloProcess(request, scratch, output, limits, TestingChild)
    try:
        loaded = process.load()
        if "ending" in loaded:
            reply = {**loaded, "results": []}
        else:
            (test,) = request["tests"]
            try:
                result = process.run(test, here=True)
            except Stopped as stopped:
                result = stopped.result()
            result.update(name=test["name"], function="")
            reply = {"results": [result]}
    finally:
        process.end()
        text = os.pread(output, OUTPUT_BYTES, 0).decode("utf-8", "replace")
        os.close(output)
    return {**reply, "output": text, "cpu_seconds": process.cpu_seconds}


class SoloWork(WorkSupervisor):
    """A worker of which only one test has need."""

    def __init__(
        self, request: Message, scratch: str, streams: "tuple[int, int]", limits: confine.Limits
    ) -> None:
        super().__init__(request, scratch, *streams, output=os.memfd_create("output"))
        self._scratch, self._confined = scratch, limits
        self.cpu_seconds = 0.0

    def run(self) -> Message:
        try:
            return {**super().run(), "cpu_seconds": self.cpu_seconds}
        finally:
            self._stop()
            os.close(self._output)

    def _load(self) -> None:
        self._process = SoloProcess(
            self._request, self._scratch, self._output, self._confined, Worker
        )
        self._loaded = self._process.load()
        if "ending" in self._loaded:
            self._stop()

    def _stop(self) -> None:
        process = self._process
        super()._stop()
        if isinstance(process, SoloProcess):
            self.cpu_seconds += process.cpu_seconds
