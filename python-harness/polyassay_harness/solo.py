"""A candidate with few tests, which the zygote itself supervises.

Its tests have a process each, which loads the program for this test alone. The first process of
their namespaces forks for all of them but the last, and runs that itself. A supervisor's forks are
saved, which cost more than to load a program again; but there is nobody who could clean up: after
a test that left something behind, others go on in namespaces of their own. What it means to be
process 1: see signals.py.
"""

import os
import signal
import socket
import time
import traceback
from typing import Any, Callable, Dict, List, Optional, Tuple

from polyassay_harness import confine, frames
from polyassay_harness.child import ENDED, LOADED, RESULT, Child, SoloChild, become_child
from polyassay_harness.folders import Folder
from polyassay_harness.limits import cpu_of, rlimits
from polyassay_harness.processes import Stopped, ended, told_to_have_ended, wait_until
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

    def outcomes(self, tests: List[Message]) -> List[Message]:
        """How its tests ended, as many as it ran, and how loading did where it ended there."""
        try:
            timed_out = not wait_until(self.pid, self._deadline)
            if timed_out:
                self.kill()
            status, cpu = self.wait()
            self._expect_entered()
            self._socket.setblocking(False)  # or who sent himself the other end would keep us
            messages = list(iter(self._left_behind, None))
        finally:
            self.end()
        cpu -= sum(said["cpu"] for said in messages if type(said.get("cpu")) is float)  # of forks
        stopped = ended(status, cpu, self._seconds)
        if timed_out:
            stopped = Stopped("timed_out", OVERTIME)
        return outcomes(messages, tests, stopped, self._seconds)

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
    rest = [{**test, "token": os.urandom(8).hex()} for test in request["tests"]]
    results: List[Message] = []
    reply: Message = {"results": results, "cpu_seconds": 0.0}
    try:
        while rest:
            found: List[Message] = [{"status": "not_run", "message": NO_TIME}]
            if time.monotonic() < deadline:
                left = {**request, "tests": rest}
                process = SoloProcess(left, scratch, output, box, SoloChild, deadline)
                found = process.outcomes(rest)
                reply["cpu_seconds"] += process.cpu_seconds
            if "ending" in found[0] and not results:
                reply.update(found[0])
                break
            for test, result in zip(rest, found):
                if "ending" in result:  # though it has loaded before
                    result = {"status": result["ending"], "message": result["reason"]}
                results.append({**result, "name": test["name"], "function": ""})
            rest = rest[len(found) :]
        return {**reply, "output": _text(output)}
    finally:
        os.close(output)


def outcomes(
    messages: List[Message], tests: List[Message], stopped: Stopped, seconds: float
) -> List[Message]:
    """What a process said of these tests; one at least, the rest is for others to run.

    Each message names its test, because a test may fork and speak twice: the first word counts.
    """
    told: Dict[Tuple[str, str], Message] = {}
    for message in messages:
        kinds = [kind for kind in (LOADED, RESULT, ENDED) if type(message.get(kind)) is str]
        if not kinds:
            return [load_report({"ending": None})]
        told.setdefault((kinds[0], message[kinds[0]]), message)
    found: List[Message] = []
    for test in tests:
        loaded, result, end = (told.get((kind, test["token"])) for kind in (LOADED, RESULT, ENDED))
        if found and not (loaded or end) and stopped.code == 0:
            break  # it stopped before this one
        how = told_to_have_ended(end, seconds) if end else stopped
        found.append(_outcome(loaded, result, how))
        if not end:
            break  # it was the process' own
    return found


def _outcome(loaded: Optional[Message], result: Optional[Message], stopped: Stopped) -> Message:
    if loaded is None:
        return {"ending": stopped.status, "reason": f"{stopped.message}, while it loaded"}
    report = load_report(loaded)
    if "ending" in report:
        return report
    return test_report(result) if result else stopped.result()


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
