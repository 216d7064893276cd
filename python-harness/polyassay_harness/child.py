"""The process that holds a candidate: loads the program, then does what it is told.

It is a fork of the supervisor and talks to it over one socket. Each command is obeyed in a fork of
this process, which finds the program as it was loaded, or in this process itself where it is the
last command, or where the program left threads behind, which a fork would lose.
"""

import os
import sys
import time
from typing import Any, Dict, List, NoReturn, Tuple

from polyassay_harness import confine, frames, load
from polyassay_harness.checks import describe
from polyassay_harness.forks import single_fork, threads
from polyassay_harness.limits import allow_cpu, cpu_of, set_rlimits
from polyassay_harness.testing import TestRunner

_wait4, _exit, _chdir, _clock = os.wait4, os._exit, os.chdir, time.perf_counter
_BaseException, _MemoryError = BaseException, MemoryError
_ChildProcessError = ChildProcessError
_PACKAGE = "polyassay_harness"
# What is mostly said, in JSON: to pack it costs a child copies of some 40 pages.
_LOADED = b'{"functions": [], "threads": false}'
_PASSED = {"status": "passed"}
_PASSED_JSON = '{"status": "passed", "seconds": %r, "token": "%s"}'


class Child:
    """Loads; a subclass obeys."""

    forks = True  # which only a program without threads can be asked to do

    def __init__(self, request: Dict[str, Any], channel: int, work: str) -> None:
        self.request = request
        self.channel = channel
        self.namespace: Dict[str, Any] = {}
        self._work = work

    def run(self) -> NoReturn:
        """Loads, then obeys until the supervisor goes away."""
        frames.send(self.channel, self.load())
        while True:
            command = frames.receive(self.channel)
            if command["here"]:
                _chdir(self._work)
                self.obey(command)
                _exit(0)
            self._obey_in_fork(command)

    def obey(self, command: Dict[str, Any]) -> None:
        raise NotImplementedError

    def prepare(self) -> None:
        """Called once the program has loaded."""
        raise NotImplementedError

    def load(self) -> Dict[str, Any]:
        """How that went, for the supervisor."""
        loaded = self._load()
        if "ending" in loaded:
            flush()  # nobody else will
        return loaded

    def _load(self) -> Dict[str, Any]:
        request = self.request
        seconds, tests = request["limits"]["seconds"], len(request.get("tests", ()))
        allow_cpu(seconds, spare=(seconds + 1) * (tests + 1))
        try:
            self.namespace = load.load(request["source"])
        except _MemoryError:
            return {"ending": "out_of_memory", "reason": "out of memory while it loaded"}
        except _BaseException as error:
            problem = describe(error, load.FILENAME, request["first_line"])
            return {"ending": "unbuilt", "reason": problem}
        load.restore_builtins()
        names: List[str] = []
        if request["style"] == "sets":
            names = load.functions(request["source"], self.namespace)
            if not names:
                return {"ending": "unbuilt", "reason": "defines no function"}
        elif request["entry"] and request["entry"] not in self.namespace:
            return {"ending": "unbuilt", "reason": f'defines no "{request["entry"]}"'}
        self.prepare()
        return {"functions": names, "threads": self.forks and threads() > 1}

    def _obey_in_fork(self, command: Dict[str, Any]) -> None:
        flush()
        pid = single_fork()
        if pid == 0:
            try:
                _chdir(self._work)
                self.obey(command)
            finally:
                _exit(0)
        try:
            _, status, usage = _wait4(pid, 0)
            end = {"status": status, "cpu": cpu_of(usage)}
        except _ChildProcessError:  # the program leaves its children to the kernel
            end = {"status": 0, "cpu": 0.0}
        frames.send(self.channel, end)


class TestingChild(Child):
    """Runs the tests itself: candidate and tests together."""

    __test__ = False

    def prepare(self) -> None:
        careful = load.may_lie()
        self._runner = TestRunner(self.request, load.restore_builtins, careful=careful)
        self._runner.prepare(self.namespace)

    def obey(self, command: Dict[str, Any]) -> None:
        for test in command["tests"]:
            allow_cpu(self.request["limits"]["seconds"], spare=test["spare"])
            started = _clock()
            result = self._runner.run(test, self.namespace.get(test.get("function", "")))
            seconds = _clock() - started
            flush()
            if result == _PASSED:
                packed = _PASSED_JSON % (seconds, test["token"])
                frames.write_frame(self.channel, packed.encode())
            else:
                result.update(seconds=seconds, token=test["token"])
                frames.send(self.channel, result)


class SoloChild(TestingChild):
    """Runs its one test as soon as the program has loaded."""

    forks = False

    def run(self) -> NoReturn:
        loaded = self.load()
        if "ending" in loaded:
            frames.send(self.channel, loaded)
        else:
            frames.write_frame(self.channel, _LOADED)
            self.obey({"tests": [{**self.request["tests"][0], "spare": 0}]})
        _exit(0)


def flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except _BaseException:  # the answer may have put anything there
            continue


def become_child(streams: Tuple[int, int, int], channel: int, limits: List[Tuple[int, int]]) -> int:
    """Leaves everything of the supervisor behind; returns the channel's new descriptor."""
    os.setsid()
    for target, source in enumerate((*streams, channel)):
        os.dup2(source, target)
    os.closerange(4, 1024)
    set_rlimits(limits)
    confine.unseal()
    forget_harness()
    return 3


def forget_harness() -> None:
    """Candidates find no module of ours; those that are loaded know each other already."""
    if _PACKAGE in sys.modules:
        for name in [name for name in sys.modules if name.startswith(_PACKAGE)]:
            del sys.modules[name]
