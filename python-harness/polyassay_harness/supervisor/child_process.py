"""A supervisor's end of the process that holds a candidate.

Whatever that process sends may have been written by the candidate, so it is read as data.
"""

import os
import select
import socket
from typing import Any, Callable, Dict, List, NoReturn, Optional, Tuple

from polyassay_harness.process.budget import Budget
from polyassay_harness.process.endings import (
    Stopped,
    ended,
    has_ended,
    kill_all,
    reap_all,
    told_to_have_ended,
)
from polyassay_harness.process.forks import single_fork
from polyassay_harness.process.limits import cpu_of, rlimits
from polyassay_harness.wire import frames
from polyassay_harness.wire.messages import FORK_ENDED, LoadReport, Test, TestResult, Work, unpack
from polyassay_harness.wire.reports import RESULT_BYTES, VALUE_BYTES, load_report, test_report
from polyassay_harness.worker.load import become_child
from polyassay_harness.worker.together import TestingChild

Message = Dict[str, Any]
Body = Callable[[Work, int, str], NoReturn]
_FORK_ENDED = FORK_ENDED.encode() + b"\n"


class ChildProcess:
    """One process that has loaded, or tries to load, the candidate's program."""

    def __init__(
        self,
        work: Work,
        folder: str,
        output: int,
        budget: Budget,
        errors: Optional[int] = None,
        body: Body = TestingChild.start,
    ) -> None:
        self._seconds = work["limits"]["seconds"]
        self._budget = budget
        ours, theirs = socket.socketpair()
        limits = rlimits(work["limits"])
        budget.begin_test(self._seconds)  # to load, it has as much
        self.pid = single_fork()
        if self.pid == 0:
            try:
                os.chdir(folder)
                null = os.open(os.devnull, os.O_RDONLY)
                streams = (null, output, output if errors is None else errors)
                body(work, become_child(streams, theirs.fileno(), limits), folder)
            finally:
                os._exit(1)
        theirs.close()
        self._socket = ours

    def load(self) -> LoadReport:
        """How the program loaded."""
        return load_report(self.first_word())

    def first_word(self) -> Message:
        try:
            return self.receive()
        except Stopped as stopped:
            reason = f"{stopped.message}, while it loaded"
            return {"ending": stopped.status, "reason": reason, "killed": stopped.killed}

    def run(self, test: Test, *, here: bool) -> TestResult:
        """The result of one test; where it ran in the process itself, that is used up."""
        token = os.urandom(8).hex()
        self._budget.begin_test(self._seconds)
        self.send({"tests": [{**test, "token": token, "spare": 0}], "here": here})
        result = self._result()
        if result.get("token") == token:
            if not here:
                self._frame()  # the fork's end
            return test_report(result)
        raise self._broken_off()

    def run_all(self, tests: List[Test]) -> List[TestResult]:
        """Results of tests that build on each other; nothing runs after one that broke off."""
        spare = self._seconds + 1
        sent = [
            {**test, "token": os.urandom(8).hex(), "spare": spare * (len(tests) - number)}
            for number, test in enumerate(tests)
        ]
        results: List[TestResult] = []
        try:
            self.send({"tests": sent, "here": True})
            for test in sent:
                self._budget.begin_test(self._seconds)
                result = self._result()
                if result.get("token") != test["token"]:
                    raise self._broken_off()
                results.append(test_report(result))
        except Stopped as stopped:
            results.append(stopped.result())
        for _ in tests[len(results) :]:
            results.append({"status": "not_run", "message": "one before it broke off"})
        return results

    def begin(self, *, here: bool) -> None:
        """Lets a worker have the next test, in the process itself or in a fork of it."""
        self._budget.begin_test(self._seconds)
        self.send({"here": here})

    def exchange(self, payload: bytes) -> bytes:
        """The reply of a worker to one call."""
        try:
            self._write(payload)
            reply = frames.read_frame(self._socket.fileno(), self._budget.readable, VALUE_BYTES)
        except (OSError, frames.Broken) as error:
            raise self._lost(error) from None
        if reply.startswith(_FORK_ENDED):
            raise self._fork_ended(reply)
        return reply

    def _write(self, payload: bytes) -> None:
        """A worker that does not read is stopped as one that does not answer."""
        rest = memoryview(frames.LENGTH.pack(len(payload)) + payload)
        self._socket.setblocking(False)
        try:
            while rest:
                try:
                    rest = rest[self._socket.send(rest) :]
                except BlockingIOError:
                    self._budget.wait(self._socket.fileno(), select.POLLOUT)
        finally:
            self._socket.setblocking(True)

    def finished(self) -> None:
        """Waits for a process that ends by itself, and with status 0."""
        self._budget.wait_for_end(self.pid)
        status, cpu = self.wait()
        if status:
            raise ended(status, cpu, self._seconds)

    def forked_end(self) -> None:
        """Takes the message about the end of a fork that was killed; and nothing else."""
        self._frame()

    def end(self) -> None:
        kill_all(self.pid)
        reap_all()
        self._socket.close()

    def send(self, message: Message) -> None:
        try:
            frames.send(self._socket.fileno(), message)
        except OSError:
            raise self._broken_off() from None

    def _result(self) -> Message:
        frame = self._frame()
        if frame.startswith(_FORK_ENDED):
            raise self._fork_ended(frame)
        return self._parsed(frame)

    def receive(self) -> Message:
        return self._parsed(self._frame())

    def _parsed(self, frame: bytes) -> Message:
        try:
            return frames.parse(frame)
        except frames.Broken:
            raise self._broken_off() from None

    def _fork_ended(self, frame: bytes) -> Stopped:
        """How a fork ended, of which only the process that made it can tell."""
        return told_to_have_ended(self._parsed(unpack(frame)[1]), self._seconds)

    def _frame(self) -> bytes:
        try:
            return frames.read_frame(self._socket.fileno(), self._budget.readable, RESULT_BYTES)
        except (OSError, frames.Broken) as error:
            raise self._lost(error) from None

    def _lost(self, error: Exception) -> Stopped:
        # An ending process closes its streams, and so may one that means to go on.
        if isinstance(error, frames.Ended):
            try:
                self._budget.wait_for_end(self.pid)
            except Stopped as stopped:
                return stopped
        return self._broken_off()

    def kill(self) -> None:
        kill_all(self.pid)

    def wait(self) -> Tuple[int, float]:
        """Its wait status and the CPU time that it used."""
        _, status, usage = os.wait4(self.pid, 0)
        return status, cpu_of(usage)

    def _broken_off(self) -> Stopped:
        # A test's fork may hold the socket open, so the stream's end is not the process' end.
        by_itself = has_ended(self.pid)
        self.kill()
        status, cpu = self.wait()
        if by_itself:
            return ended(status, cpu, self._seconds)
        return Stopped("crashed", "broke off without a result")
