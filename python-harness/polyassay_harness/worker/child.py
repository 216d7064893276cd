"""The process that holds a candidate: loads the program, then does what it is told.

It is a fork of the supervisor and talks to it over one socket. Each command is obeyed in a fork of
this process, which finds the program as it was loaded, or in this process itself where it is the
last command, or where the program left threads behind, which a fork would lose.
"""

import os
import sys
import time
from typing import Any, Dict, List, NoReturn, Tuple

from polyassay_harness.process import confine
from polyassay_harness.process.forks import single_fork, threads
from polyassay_harness.process.limits import allow_cpu, cpu_of, set_rlimits
from polyassay_harness.testing.describe import FILENAME, describe
from polyassay_harness.testing.runner import TestRunner
from polyassay_harness.wire import frames
from polyassay_harness.wire.messages import FORK_ENDED, LoadReport, Work, pack
from polyassay_harness.worker import load

_wait4, _exit, _chdir, _clock = os.wait4, os._exit, os.chdir, time.perf_counter
_BaseException, _MemoryError = BaseException, MemoryError
_ChildProcessError = ChildProcessError
_PACKAGE = "polyassay_harness"


class Child:
    """Loads; a subclass obeys."""

    forks = True  # which only a program without threads can be asked to do

    def __init__(self, work: Work, channel: int, folder: str) -> None:
        self.work = work
        self.channel = channel
        self.namespace: Dict[str, Any] = {}
        self._folder = folder

    @classmethod
    def start(cls, work: Work, channel: int, folder: str) -> NoReturn:
        cls(work, channel, folder).run()

    def run(self) -> NoReturn:
        """Loads, then obeys until the supervisor goes away."""
        frames.send(self.channel, self.load())
        while True:
            command = frames.receive(self.channel)
            if command["here"]:
                _chdir(self._folder)
                self.obey(command)
                _exit(0)
            self._obey_in_fork(command)

    def obey(self, command: Dict[str, Any]) -> None:
        raise NotImplementedError

    def prepare(self) -> None:
        """Called once the program has loaded."""
        raise NotImplementedError

    def load(self) -> LoadReport:
        """How that went, for the supervisor."""
        loaded = self._load()
        if "ending" in loaded:
            flush()  # no other code will
        return loaded

    def _load(self) -> LoadReport:
        work = self.work
        seconds, tests = work["limits"]["seconds"], len(work.get("tests", ()))
        allow_cpu(seconds, spare=(seconds + 1) * (tests + 1))
        try:
            load.lay_out(work.get("modules", {}), self._folder)
            self.namespace = load.load(work["source"])
        except _MemoryError:
            return {"ending": "out_of_memory", "reason": "out of memory while it loaded"}
        except _BaseException as error:
            problem = describe(error, FILENAME, work["first_line"])
            return {"ending": "unbuilt", "reason": problem}
        load.restore_builtins()
        names: List[str] = []
        if work["style"] == "sets":
            names = load.functions(work["source"], self.namespace)
            if not names:
                return {"ending": "unbuilt", "reason": "defines no function"}
        elif work["entry"] and work["entry"] not in self.namespace:
            return {"ending": "unbuilt", "reason": f'defines no "{work["entry"]}"'}
        self.prepare()
        return {"functions": names, "threads": self.forks and threads() > 1}

    def _obey_in_fork(self, command: Dict[str, Any]) -> None:
        flush()
        pid = single_fork()
        if pid == 0:
            try:
                _chdir(self._folder)
                self.obey(command)
            finally:
                _exit(0)
        try:
            _, status, usage = _wait4(pid, 0)
            end = {"wait_status": status, "cpu_seconds": cpu_of(usage)}
        except _ChildProcessError:  # the program leaves its children to the kernel
            end = {"wait_status": 0, "cpu_seconds": 0.0}
        frames.write_frame(self.channel, pack(FORK_ENDED, end))


class TestingChild(Child):
    """Runs the tests itself: candidate and tests together."""

    __test__ = False

    def prepare(self) -> None:
        careful = load.may_lie()
        self._runner = TestRunner(self.work, load.restore_builtins, careful=careful)
        self._runner.prepare(self.namespace)

    def obey(self, command: Dict[str, Any]) -> None:
        for test in command["tests"]:
            allow_cpu(self.work["limits"]["seconds"], spare=test["spare"])
            started = _clock()
            result = self._runner.run(test, self.namespace.get(test.get("function", "")))
            result.update(seconds=_clock() - started, token=test["token"])
            flush()
            frames.send(self.channel, result)


class SingleTestChild(TestingChild):
    """Runs its one test as soon as the program has loaded (see zygote/fork_per_test.py)."""

    forks = False

    def run(self) -> NoReturn:
        loaded = self.load()
        frames.send(self.channel, loaded)
        if "ending" in loaded:
            _exit(DID_NOT_LOAD)
        self.obey({"tests": [{**self.work["tests"][0], "spare": 0}]})
        _exit(0)


DID_NOT_LOAD = 112  # the exit code that spares the zygote a fork for each of the other tests


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
