"""A supervisor's end of the process that holds a candidate.

Whatever that process sends may have been written by the candidate, so it is read as data.
"""

import os
import socket
from typing import Any, Callable, Dict, NoReturn, Optional

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
from polyassay_harness.wire.messages import FORK_ENDED, LoadReport, Work, unpack
from polyassay_harness.wire.reports import RESULT_BYTES, load_report
from polyassay_harness.worker.load import become_child

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
        body: Body,
        errors: Optional[int] = None,
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

    def end(self) -> None:
        kill_all(self.pid)
        reap_all()
        self._socket.close()

    def send(self, message: Message) -> None:
        try:
            frames.send(self._socket.fileno(), message)
        except OSError:
            raise self._broken_off() from None

    def receive(self) -> Message:
        return self._parsed(self._frame())

    def _parsed(self, frame: bytes) -> Message:
        try:
            return frames.parse(frame)
        except frames.Broken:
            raise self._broken_off() from None

    def _said(self, limit: int = RESULT_BYTES) -> bytes:
        """The next frame; raises how the fork ended, of which only its parent can tell."""
        frame = self._frame(limit)
        if frame.startswith(_FORK_ENDED):
            raise told_to_have_ended(self._parsed(unpack(frame)[1]), self._seconds)
        return frame

    def _frame(self, limit: int = RESULT_BYTES) -> bytes:
        try:
            return frames.read_frame(self._socket.fileno(), self._budget.readable, limit)
        except (OSError, frames.Broken) as error:
            raise self._lost(error) from None

    def _lost(self, error: Exception) -> Stopped:
        # An ending process closes its streams, and so may one that means to go on.
        if isinstance(error, frames.StreamEnded):
            try:
                self._budget.wait_for_end(self.pid)
            except Stopped as stopped:
                return stopped
        return self._broken_off()

    def _broken_off(self) -> Stopped:
        # A test's fork may hold the socket open, so the stream's end is not the process' end.
        by_itself = has_ended(self.pid)
        kill_all(self.pid)
        _, status, usage = os.wait4(self.pid, 0)
        if by_itself:
            return ended(status, cpu_of(usage), self._seconds)
        return Stopped("crashed", "broke off without a result")
