"""The supervisor of a worker: loads the program once, and forks it for each test.

It carries frames between the runner and the worker and looks into none of them. Frames from the
runner: B begins a test (J: the last one), C is a call, E is the end. Frames to it: L tells how the
program loaded, R answers a call, X tells that the worker is gone, and Z ends it.
"""

import json
import os
import time
from typing import Any, Dict, NoReturn, Optional

from polyassay_harness import frames
from polyassay_harness.folders import Folder, nameless_file
from polyassay_harness.processes import Stopped, kill_all_but, signal_all_but
from polyassay_harness.supervise import NO_TIME, OUTPUT_BYTES, Process
from polyassay_harness.worker import Worker

Message = Dict[str, Any]


class WorkSupervisor:
    def __init__(
        self,
        request: Message,
        scratch: str,
        requests: int,
        replies: int,
        output: Optional[int] = None,
    ) -> None:
        self._request = request
        self._requests, self._replies = requests, replies
        self._deadline = time.monotonic() + request["limits"]["total_seconds"]
        self._folder = Folder(scratch)
        self._output = nameless_file(scratch) if output is None else output
        self._process: Optional[Process] = None
        self._loaded: Message = {}
        self._here = False
        self._begun = False  # whether a test has the process, or a fork of it
        self._gone: Optional[Stopped] = None

    def run(self) -> Message:
        """Serves until the runner has no more tests; returns what is left to tell."""
        self._load()
        self._tell(b"L", self._loaded)
        while self._process is not None or self._gone is not None:
            frame = frames.read_frame(self._requests)
            kind, payload = frame[:1], frame[1:]
            if kind == b"C":
                self._call(payload)
            elif kind in (b"B", b"J"):
                self._begin(last=kind == b"J")
            else:
                break
        self._stop()
        output = os.pread(self._output, OUTPUT_BYTES, 0).decode("utf-8", "replace")
        return {"output": output}

    def _load(self) -> None:
        self._folder.lay_out(self._request["files"])
        self._process = Process(
            self._request, self._folder.path, self._output, self._deadline, body=_run_worker
        )
        self._loaded = self._process.load()
        if "ending" in self._loaded:
            self._stop()
        else:
            self._folder.keep()

    def _begin(self, *, last: bool) -> None:
        """A worker that no earlier test has touched."""
        self._end_test()
        self._gone = None
        if time.monotonic() >= self._deadline:
            self._lose(Stopped("not_run", NO_TIME))
            return
        if self._process is None:
            self._load()
            if self._process is None:
                self._gone = Stopped(self._loaded["ending"], self._loaded["reason"])
                return
        self._begun = True
        try:
            self._hand_over(self._process, last=last)
        except Stopped as stopped:
            self._lose(stopped)

    def _hand_over(self, process: Process, *, last: bool) -> None:
        self._here = last or self._loaded["threads"]
        process.send({"here": self._here})

    def _call(self, payload: bytes) -> None:
        if self._process is not None and self._gone is None:
            try:
                reply = self._process.exchange(payload)
                frames.write_frame(self._replies, b"R" + reply)
                return
            except Stopped as stopped:
                self._lose(stopped)
        if self._gone is None:
            self._gone = Stopped("crashed", "there is no worker")
        self._tell(b"X", self._gone.result())

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

    def _ends_fork(self, process: Process) -> bool:
        """Whether the program is as alone as when it had loaded."""
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

    def _tell(self, kind: bytes, message: Message) -> None:
        frames.write_frame(self._replies, kind + json.dumps(message).encode())


def _run_worker(request: Message, channel: int, work: str) -> NoReturn:
    Worker(request, channel, work).run()
