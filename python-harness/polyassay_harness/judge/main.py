"""Runs a suite's tests with a stub in the candidate's place; never sees candidate code.

The judge is in a sandbox too, because a suite's test code is not trusted with the machine. It forks
for each request, so that no test finds what another test left behind. A fork is used again only to
run the very same tests for another candidate, with a namespace of their own: so these find at most
what they did themselves. The messages are those of wire/messages.py.
"""

import gc
import json
import os
import resource
import time
from typing import Any, Dict, List, Optional, Tuple

from polyassay_harness.judge.link import Link, Operation
from polyassay_harness.process.endings import ended
from polyassay_harness.process.folders import nameless_file
from polyassay_harness.process.forks import last_act, reseed, single_fork
from polyassay_harness.process.libraries import import_libraries
from polyassay_harness.process.limits import allow_cpu, cpu_of, data_bytes, rlimits, set_rlimits
from polyassay_harness.testing.describe import MODULE
from polyassay_harness.testing.rewriting import compiled
from polyassay_harness.testing.runner import Result, TestRunner
from polyassay_harness.wire import frames
from polyassay_harness.wire.frames import Streams, take_streams
from polyassay_harness.wire.messages import (
    NEXT_TEST,
    READY,
    TEST_RESULT,
    TESTS_FINISHED,
    Test,
    Work,
    unpack,
)

_SERVES = 100  # candidates a process, if their tests are the same
_LONG = 1e6  # seconds
_RUNNER_GONE = 3  # an exit code


def main(libraries: List[str]) -> None:
    streams = take_streams()
    import_libraries(libraries)
    gc.collect()
    gc.freeze()
    streams.send(READY)
    work: Optional[Work] = None
    while True:
        try:
            work = work or _receive(streams)
        except frames.Broken:
            return
        work = _serve(work, streams)


def _receive(streams: Streams) -> Work:
    work: Work = json.loads(unpack(frames.read_frame(streams.requests))[1])
    return work


def _serve(work: Work, streams: Streams) -> Optional[Work]:
    """Judges in a fork, which goes on while the same tests come; returns what came instead."""
    limits = rlimits(work["limits"])
    reseed()
    instead = nameless_file(os.getcwd())
    try:
        pid = single_fork()
        if pid == 0:
            with last_act():
                _judge(work, limits, streams, instead)
        _, status, usage = os.wait4(pid, 0)
        if status and os.waitstatus_to_exitcode(status) != _RUNNER_GONE:
            ending = ended(status, cpu_of(usage), work["limits"]["seconds"]).result()
            streams.send(TESTS_FINISHED, {"cpu_seconds": cpu_of(usage), **ending})
        size = os.fstat(instead).st_size
        return json.loads(os.pread(instead, size, 0)) if size else None
    finally:
        os.close(instead)


def _judge(work: Work, limits: List[Tuple[int, int]], streams: Streams, instead: int) -> None:
    """Returns when the last request was answered to its end."""
    set_rlimits(limits)
    tests, room = work["again"], work["limits"]["memory_mb"] << 18  # a quarter of it
    mapped = data_bytes()
    for left in reversed(range(_SERVES if tests else 1)):
        Judge(work, streams, spare=_LONG if tests else 0).run()
        gc.collect()  # or what one candidate sent would be held against the next
        if not left or data_bytes() - mapped > room:
            return
        reseed()
        try:
            work = _receive(streams)
        except frames.Broken:
            os._exit(_RUNNER_GONE)
        if work["again"] != tests:
            os.write(instead, json.dumps(work).encode())
            return


class Judge:
    def __init__(self, work: Work, streams: Streams, spare: float) -> None:
        self._work = work
        self._spare = spare  # of CPU time, for other candidates
        self._streams = streams
        self._runner = TestRunner(
            work, self._end_test, careful=False, records=True, operate=self._operate
        )
        self._link: Optional[Link] = None
        self._namespace: Dict[str, Any] = {"__name__": MODULE}

    def run(self) -> None:
        tests, seconds = self._work["tests"], self._work["limits"]["seconds"]
        before = cpu_of(resource.getrusage(resource.RUSAGE_SELF))
        allow_cpu(seconds, spare=(seconds + 1) * len(tests) + self._spare)
        exec(compiled(self._work["preamble"], "<task>"), self._namespace)
        self._runner.prepare(self._namespace)
        for number, test in enumerate(tests):
            allow_cpu(seconds, spare=(seconds + 1) * (len(tests) - number) + self._spare)
            if number:
                self._streams.send(NEXT_TEST)
            started = time.perf_counter()
            result = self._test(test)
            result["seconds"] = time.perf_counter() - started
            result.update(name=test["name"], function=test.get("function", ""))
            self._streams.send(TEST_RESULT, result)
        used = cpu_of(resource.getrusage(resource.RUSAGE_SELF)) - before
        self._streams.send(TESTS_FINISHED, {"cpu_seconds": used})

    def _test(self, test: Test) -> Result:
        self._broken: Result = {}
        link = self._link = self._link_of(test)
        entry = link.entry(test.get("function") or self._work["entry"])
        if self._work["entry"]:
            self._namespace[self._work["entry"]] = entry
        self._namespace.update(link.definitions(self._namespace))
        result = self._runner.run(test, entry)
        if not self._work["build_on_each_other"]:
            link.gone = link.gone or {}  # lest something left behind goes on talking
        # Whatever the test made of it: a worker that ended did not pass.
        return self._broken or result

    def _link_of(self, test: Test) -> Link:
        """A new one, unless the test goes on with objects of those before it."""
        filename = f"<{test['name']}>"
        if self._link is not None and self._work["build_on_each_other"]:
            self._link.next_test(test["code"], filename)
            return self._link
        objects = self._work["style"] == "class"
        return Link(self._streams.call, objects=objects, source=test["code"], filename=filename)

    def _operate(self, name: str, how: Operation, left: Any, right: Any) -> Any:
        assert self._link is not None
        return self._link.operate(name, how, left, right)

    def _end_test(self) -> None:
        """The test's code has ended; what comes is its message."""
        link = self._link
        assert link is not None
        link.over = True
        self._broken = dict(link.gone or {})
        if link.failed is not None and not self._broken:
            raise link.failed  # in a function that the answer borrowed, and swallowed there
