"""Runs a suite's tests with a stub in the candidate's place; never sees candidate code.

A sandboxed zygote as well, because a suite's test code is not trusted with the machine; and a fork
for each request, so that no test finds what another one left behind. Frames to the runner: N says
that another test begins, C is a call for the worker, T is a test's result, F ends the request.
"""

import gc
import json
import os
import platform
import sys
import time
import traceback
from typing import Any, Dict, List, NoReturn, Tuple

from polyassay_harness import frames, load
from polyassay_harness.forks import reseed, single_fork
from polyassay_harness.limits import allow_cpu, cpu_of, rlimits, set_rlimits
from polyassay_harness.processes import ended
from polyassay_harness.stub import Link
from polyassay_harness.testing import Result, TestRunner
from polyassay_harness.zygote import import_libraries, take_streams

Message = Dict[str, Any]


def main(libraries: List[str]) -> None:
    requests, replies = take_streams()
    missing = import_libraries(libraries)
    gc.collect()
    gc.freeze()
    frames.send(replies, {"python": platform.python_version(), "missing": missing})
    while True:
        try:
            request = frames.receive(requests)
        except frames.Broken:
            return
        limits = rlimits(request["limits"])
        reseed()
        pid = single_fork()
        if pid == 0:
            _judge(request, limits, requests, replies)
        _, status, usage = os.wait4(pid, 0)
        message: Message = {"cpu": cpu_of(usage)}
        if status:
            message.update(ended(status, cpu_of(usage), request["limits"]["seconds"]).result())
        frames.write_frame(replies, b"F" + json.dumps(message).encode())


def _judge(
    request: Message, limits: List[Tuple[int, int]], requests: int, replies: int
) -> NoReturn:
    try:
        set_rlimits(limits)
        Judge(request, requests, replies).run()
        os._exit(0)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(1)


class Judge:
    def __init__(self, request: Message, requests: int, replies: int) -> None:
        self._request = request
        self._requests, self._replies = requests, replies
        self._runner = TestRunner(request, self._end_test, careful=False)
        self._namespace: Dict[str, Any] = {"__name__": load.MODULE}

    def run(self) -> None:
        tests = self._request["tests"]
        seconds = self._request["limits"]["seconds"]
        allow_cpu(seconds, spare=(seconds + 1) * len(tests))
        exec(compile(self._request["preamble"], "<task>", "exec"), self._namespace)
        self._runner.prepare(self._namespace)
        for number, test in enumerate(tests):
            allow_cpu(seconds, spare=(seconds + 1) * (len(tests) - number))
            if number:
                frames.write_frame(self._replies, b"N")
            started = time.perf_counter()
            result = self._test(test)
            result["seconds"] = time.perf_counter() - started
            result.update(name=test["name"], function=test.get("function", ""))
            self._tell(b"T", result)

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

    def _tell(self, kind: bytes, message: Message) -> None:
        frames.write_frame(self._replies, kind + json.dumps(message).encode())
