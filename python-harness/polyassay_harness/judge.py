"""Runs a suite's tests with a stub in the candidate's place; never sees candidate code.

A sandboxed zygote as well, because a suite's test code is not trusted with the machine; and a fork
for each request, so that no test finds what another one left behind. Only the very same tests may
come again in the same process, for another candidate, with a namespace of their own: they find at
most what they did themselves. Frames to the runner: N says that another test begins, C is a call
for the worker, T is a test's result, F ends the request.
"""

import gc
import json
import os
import resource
import sys
import time
import traceback
from typing import Any, Dict, List, NoReturn, Optional, Tuple

from polyassay_harness import frames, load
from polyassay_harness.checks import compiled
from polyassay_harness.folders import nameless_file
from polyassay_harness.forks import reseed, single_fork
from polyassay_harness.limits import allow_cpu, cpu_of, rlimits, set_rlimits
from polyassay_harness.processes import ended
from polyassay_harness.stub import Link
from polyassay_harness.testing import Result, TestRunner, rehearse
from polyassay_harness.zygote import READY, import_libraries, take_streams

_SERVES = 100  # candidates a process, if their tests are the same
_LONG = 1e6  # seconds

Message = Dict[str, Any]


def main(libraries: List[str]) -> None:
    requests, replies = take_streams()
    import_libraries(libraries)
    rehearse()
    gc.collect()
    gc.freeze()
    frames.send(replies, READY)
    request: Optional[Message] = None
    while True:
        try:
            request = request or frames.receive(requests)
        except frames.Broken:
            return
        request = _serve(request, requests, replies)


def _serve(request: Message, requests: int, replies: int) -> Optional[Message]:
    """Judges in a fork, which goes on while the same tests come; returns what came instead."""
    limits = rlimits(request["limits"])
    reseed()
    instead = nameless_file(os.getcwd())
    try:
        pid = single_fork()
        if pid == 0:
            _judge(request, limits, (requests, replies), instead)
        _, status, usage = os.wait4(pid, 0)
        if status:
            ending = ended(status, cpu_of(usage), request["limits"]["seconds"]).result()
            _tell(replies, b"F", {"cpu": cpu_of(usage), **ending})
        size = os.fstat(instead).st_size
        return json.loads(os.pread(instead, size, 0)) if size else None
    finally:
        os.close(instead)


def _judge(
    request: Message, limits: List[Tuple[int, int]], streams: Tuple[int, int], instead: int
) -> NoReturn:
    try:
        set_rlimits(limits)
        tests, frame = request["again"], b""
        for left in reversed(range(_SERVES if tests else 1)):
            Judge(request, *streams, spare=_LONG if tests else 0).run()
            if left:
                reseed()
                frame = frames.read_frame(streams[0])
                request = json.loads(frame)
                if request["again"] != tests:
                    os.write(instead, frame)
                    break
        os._exit(0)
    except frames.Ended:
        os._exit(0)  # nobody wants anything any more
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(1)


def _tell(replies: int, kind: bytes, message: Message) -> None:
    frames.write_frame(replies, kind + json.dumps(message).encode())


class Judge:
    def __init__(self, request: Message, requests: int, replies: int, spare: float) -> None:
        self._request = request
        self._spare = spare  # of CPU time, for other candidates
        self._requests, self._replies = requests, replies
        self._runner = TestRunner(request, self._end_test, careful=False, records=True)
        self._namespace: Dict[str, Any] = {"__name__": load.MODULE}

    def run(self) -> None:
        tests = self._request["tests"]
        seconds = self._request["limits"]["seconds"]
        before = cpu_of(resource.getrusage(resource.RUSAGE_SELF))
        allow_cpu(seconds, spare=(seconds + 1) * len(tests) + self._spare)
        exec(compiled(self._request["preamble"], "<task>"), self._namespace)
        self._runner.prepare(self._namespace)
        for number, test in enumerate(tests):
            allow_cpu(seconds, spare=(seconds + 1) * (len(tests) - number) + self._spare)
            if number:
                frames.write_frame(self._replies, b"N")
            started = time.perf_counter()
            result = self._test(test)
            result["seconds"] = time.perf_counter() - started
            result.update(name=test["name"], function=test.get("function", ""))
            _tell(self._replies, b"T", result)
        used = cpu_of(resource.getrusage(resource.RUSAGE_SELF)) - before
        _tell(self._replies, b"F", {"cpu": used})

    def _test(self, test: Message) -> Result:
        self._broken: Message = {}
        self._link = Link(
            self._exchange,
            objects=self._request["style"] == "class",
            source=test["code"],
            filename=f"<{test['name']}>",
            entry=self._request["entry"],
        )
        entry = self._link.entry(test.get("function") or self._request["entry"])
        if self._request["entry"]:
            self._namespace[self._request["entry"]] = entry
        self._namespace.update(self._link.definitions(self._namespace))
        result = self._runner.run(test, entry)
        self._link.gone = self._link.gone or {}  # lest something left behind goes on talking
        # Whatever the test made of it: a worker that ended did not pass.
        return self._broken or result

    def _end_test(self) -> None:
        """The test's code has ended; what comes is its message."""
        link = self._link
        link.over = True
        self._broken = dict(link.gone or {})
        if link.failed is not None and not self._broken:
            raise link.failed  # in a function that the answer was lent, and swallowed there

    def _exchange(self, frame: bytes) -> bytes:
        frames.write_frame(self._replies, frame)
        return frames.read_frame(self._requests)
