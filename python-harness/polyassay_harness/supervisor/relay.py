"""The supervisor of a worker: loads the program once, and forks it for each test.

It carries calls and replies between the runner and the worker and looks into none of them; the
messages are those of wire/messages.py.
"""

import json
import os
import select
from typing import Optional

from polyassay_harness.process.budget import NO_TIME, Budget
from polyassay_harness.process.endings import Stopped, kill_all_but, signal_all_but
from polyassay_harness.process.folders import Folder, nameless_file
from polyassay_harness.supervisor.child_process import ChildProcess
from polyassay_harness.wire import frames
from polyassay_harness.wire.frames import Streams
from polyassay_harness.wire.messages import (
    BEGIN_TEST,
    CALL,
    GONE,
    LOADED,
    REPLY,
    LoadReport,
    Work,
    unpack,
)
from polyassay_harness.wire.reports import OUTPUT_BYTES, VALUE_BYTES
from polyassay_harness.worker.worker import Worker


class WorkerProcess(ChildProcess):
    """A worker: answers the calls of one test after the other."""

    def begin(self, *, here: bool) -> None:
        """Lets a worker have the next test, in the process itself or in a fork of it."""
        self._budget.begin_test(self._seconds)
        self.send({"here": here})

    def exchange(self, payload: bytes) -> bytes:
        """The reply of a worker to one call."""
        try:
            self._write(payload)
        except OSError as error:
            raise self._lost(error) from None
        return self._said(VALUE_BYTES)

    def _write(self, payload: bytes) -> None:
        """A worker that does not read is stopped as one that does not answer."""
        rest = memoryview(frames.framed(payload))
        self._socket.setblocking(False)
        try:
            while rest:
                try:
                    rest = rest[self._socket.send(rest) :]
                except BlockingIOError:
                    self._budget.wait(self._socket.fileno(), select.POLLOUT)
        finally:
            self._socket.setblocking(True)

    def forked_end(self) -> None:
        """Takes the message about the end of a fork that was killed; and nothing else."""
        self._frame()


class Relay:
    def __init__(self, work: Work, scratch: str, streams: Streams, budget: Budget) -> None:
        self._work = work
        self._streams = streams
        self._budget = budget
        self._folder = Folder(scratch)
        self._output = nameless_file(scratch)
        self._process: Optional[WorkerProcess] = None
        self._loaded: LoadReport = {}
        self._here = False
        self._first = True
        self._begun = False  # whether a test has the process, or a fork of it
        self._gone: Optional[Stopped] = None

    def run(self) -> bytes:
        """Serves until the runner has no more tests; returns what the candidate printed."""
        self._load()
        self._report(self._loaded)
        while self._process is not None or self._gone is not None:
            name, body = unpack(frames.read_frame(self._streams.requests))
            if name == CALL:
                self._call(frames.read_frame(self._streams.requests))
            elif name == BEGIN_TEST:
                self._begin(last=json.loads(body)["last"])
            else:
                break
        self._stop()
        return os.pread(self._output, OUTPUT_BYTES, 0)

    def _load(self) -> None:
        self._folder.lay_out(self._work["files"])
        self._process = WorkerProcess(
            self._work, self._folder.path, self._output, self._budget, Worker.start
        )
        self._loaded = self._process.load()
        if "ending" in self._loaded:
            self._stop()
        else:
            self._folder.keep()

    def _report(self, loaded: LoadReport) -> None:
        """Once when the program has loaded, and for every test but the first."""
        self._streams.send_with_payload(LOADED, b"", json.dumps(loaded).encode())

    def _begin(self, *, last: bool) -> None:
        """Hands the next test a worker that no earlier test has touched."""
        first, self._first = self._first, False
        self._end_test()
        self._gone = None
        if self._budget.used_up:
            self._lose(Stopped("not_run", NO_TIME))
        elif self._process is None:
            self._load()
            if self._process is None:
                self._gone = Stopped(self._loaded["ending"], self._loaded["reason"])
        if not first:
            gone = self._gone
            ending: LoadReport = {"ending": gone.status, "reason": gone.message} if gone else {}
            self._report(ending or self._loaded)
        if self._process is None:
            return
        self._begun = True
        self._here = last or self._loaded["threads"]
        try:
            self._process.begin(here=self._here)
        except Stopped as stopped:
            self._lose(stopped)

    def _call(self, payload: bytes) -> None:
        if self._process is not None and self._gone is None:
            try:
                reply = self._process.exchange(payload)
                self._streams.send_with_payload(REPLY, {"more": False}, reply)
                return
            except Stopped as stopped:
                self._lose(stopped)
        if self._gone is None:
            self._gone = Stopped("crashed", "there is no worker")
        self._streams.send(GONE, {**self._gone.result(), "idled": self._gone.idled})

    def _lose(self, stopped: Stopped) -> None:
        self._gone = stopped
        self._stop()

    def _end_test(self) -> None:
        if self._process is None or not self._begun:
            return
        self._begun = False
        # Without a namespace of its own a test's fork cannot be told from what it left running.
        nested = os.getpid() == 1
        if self._here or not nested or not self._ends_fork(self._process):
            self._stop()
        else:
            self._folder.renew()

    def _ends_fork(self, process: WorkerProcess) -> bool:
        """Ends the test's fork and all that it left behind; False if that failed."""
        signal_all_but({process.pid})
        try:
            process.forked_end()
        except Stopped:
            return False
        return kill_all_but({process.pid})

    def _stop(self) -> None:
        if self._process is not None:
            self._process.end()
            self._process = None
