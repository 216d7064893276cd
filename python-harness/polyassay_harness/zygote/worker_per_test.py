"""The same trick as fork_per_test.py for a candidate judged apart: a worker for each test.

Calls and replies go through this process without being read by it.
"""

import json
import select
import socket
import time
from typing import Optional

from polyassay_harness.process.budget import NO_TIME
from polyassay_harness.process.endings import Stopped
from polyassay_harness.wire import frames
from polyassay_harness.wire.messages import (
    BEGIN_TEST,
    CALL,
    GONE,
    LOADED,
    REPLY,
    LoadReport,
    unpack,
)
from polyassay_harness.wire.reports import VALUE_BYTES
from polyassay_harness.worker.worker import SingleTestWorker
from polyassay_harness.zygote.fork_per_test import ForkPerTest, TestProcess

_LOAD_REPORT_BYTES = 1 << 16
_PART = 1 << 16
_PAUSE = 0.005  # seconds, for a process that sends a few bytes at a time


class WorkerPerTest(ForkPerTest):
    _process: Optional[TestProcess] = None
    _socket: socket.socket
    _gone: Optional[Stopped] = None
    _begun = False

    def _serve(self) -> None:
        """Until the runner has no more tests."""
        try:
            self._load()
            while True:
                name, _ = unpack(frames.read_frame(self.streams.requests))
                if name == CALL:
                    self._call()
                elif name == BEGIN_TEST:
                    self._begin()
                else:
                    return
        finally:
            self._stop()

    def _load(self) -> None:
        """Starts a worker, and passes on what it says of how it loaded."""
        self._gone = None
        self._socket, theirs = socket.socketpair()
        self._process = self.start(0, SingleTestWorker, theirs.fileno())
        theirs.close()
        self.begin_test()  # to load, it has as much
        try:
            self._process.expect_entered()
            length = self._length()
            if length > _LOAD_REPORT_BYTES:
                raise Stopped("crashed", "told nonsense")
            while frames.waiting(self._socket.fileno()) < length:
                self._await_reply()
                time.sleep(_PAUSE)
        except Stopped as stopped:
            self._lose(stopped)
            self._report_load(stopped, f"{stopped.message}, while it loaded")
            return
        self.begin_test()
        self.streams.send(LOADED)
        frames.forward(self._socket.fileno(), self.streams.replies, length)

    def _report_load(self, stopped: Stopped, reason: str) -> None:
        report: LoadReport = {
            "ending": stopped.status,
            "reason": reason,
            "killed": stopped.killed,
        }
        self.streams.send_with_payload(LOADED, b"", json.dumps(report).encode())

    def _begin(self) -> None:
        """Every test but the first needs another worker, and the runner hears how it loaded."""
        if not self._begun:
            self._begun = True
            return
        self._stop()
        if self.budget.used_up:
            self._gone = Stopped("not_run", NO_TIME)
            self._report_load(self._gone, self._gone.message)
        else:
            self._load()

    def _call(self) -> None:
        try:
            if self._gone is not None or self._process is None:
                frames.discard(self.streams.requests)
            else:
                self._pass_call()
                self._pass_reply()
                return
        except Stopped as stopped:
            self._lose(stopped)
        gone = self._gone or Stopped("crashed", "there is no worker")
        self.streams.send(GONE, {**gone.result(), "idled": gone.idled})

    def _pass_call(self) -> None:
        def writable(descriptor: int) -> None:
            self.budget.wait(descriptor, select.POLLOUT)

        try:
            frames.pass_on(self.streams.requests, self._socket.fileno(), writable)
        except frames.Lost:
            raise self._ended() from None

    def _pass_reply(self) -> None:
        """Passes a reply on in parts, because it may be longer than the kernel's buffer."""
        left = self._length()
        while True:
            self._await_reply()
            count = min(frames.waiting(self._socket.fileno()), left, _PART)
            left -= count
            self.streams.send(REPLY, {"more": left > 0})
            frames.forward(self._socket.fileno(), self.streams.replies, count)
            if not left:
                return

    def _length(self) -> int:
        try:
            return frames.read_length(self._socket.fileno(), self.budget.readable, VALUE_BYTES)
        except (OSError, frames.StreamEnded):
            raise self._ended() from None
        except frames.Broken:
            raise Stopped("crashed", "gave a value that is too long") from None

    def _await_reply(self) -> None:
        self.budget.readable(self._socket.fileno())
        if not frames.waiting(self._socket.fileno()):
            raise self._ended()

    def _ended(self) -> Stopped:
        """Why a worker says no more; one that closed its channel may mean to go on."""
        assert self._process is not None
        try:
            self.budget.wait_for_end(self._process.pid)
        except Stopped as stopped:
            return stopped
        self.end(self._process)
        return self._process.stopped()

    def _lose(self, stopped: Stopped) -> None:
        self._gone = stopped
        self._stop()

    def _stop(self) -> None:
        if self._process is not None:
            self.end(self._process)
            self._process = None
            self._socket.close()
