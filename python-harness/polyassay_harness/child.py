"""The process that holds a candidate: loads the program, then runs tests that it is sent.

It is a fork of the supervisor and talks to it over one socket. A test runs in a fork of this
process, so that it finds the program as it was loaded, or in this process itself where it is the
last one, where the tests build on each other, or where the program left threads behind, which a
fork would lose.
"""

import contextlib
import os
import resource
import sys
import threading
import time
from typing import Any, Callable, Dict, List, NoReturn, Optional, Tuple

from polyassay_harness import frames, load
from polyassay_harness.checks import NAME, Checker, describe
from polyassay_harness.limits import allow_cpu, cpu_of, limit_resources

_fork, _wait4, _exit, _clock = os.fork, os.wait4, os._exit, time.perf_counter
_BaseException, _AssertionError, _MemoryError = BaseException, AssertionError, MemoryError
_chdir, _getrusage = os.chdir, resource.getrusage

Result = Dict[str, Any]


class Child:
    def __init__(self, request: Dict[str, Any], channel: int, work: str) -> None:
        self._request = request
        self._channel = channel
        self._work = work
        self._namespace: Dict[str, Any] = {}
        self._checks: Dict[str, Any] = {}  # what one-to-many assertions see: setup, not the answer
        self._setup_problem = ""

    def run(self) -> NoReturn:
        """Loads, then answers commands until the supervisor goes away."""
        request = self._request
        seconds = request["limits"]["seconds"]
        allow_cpu(seconds, spare=(seconds + 1) * (len(request["tests"]) + 1))
        frames.send(self._channel, self._load())
        while True:
            command = frames.receive(self._channel)
            if command["here"]:
                _chdir(self._work)
                for test in command["tests"]:
                    self._run_test(test)
                _exit(0)
            self._run_in_fork(command["tests"])

    def _load(self) -> Dict[str, Any]:
        request = self._request
        try:
            self._namespace = load.load(request["source"])
        except _MemoryError:
            return {"ending": "out_of_memory", "reason": "out of memory while it loaded"}
        except _BaseException as error:
            problem = describe(error, load.FILENAME, request["first_line"])
            return {"ending": "unbuilt", "reason": problem}
        load.restore_builtins()
        names: List[str] = []
        if request["style"] == "sets":
            names = load.functions(request["source"], self._namespace)
            if not names:
                return {"ending": "unbuilt", "reason": "defines no function"}
        elif request["entry"] and request["entry"] not in self._namespace:
            return {"ending": "unbuilt", "reason": f'defines no "{request["entry"]}"'}
        self._prepare_tests()
        return {"functions": names, "threads": _threads() > 1}

    def _prepare_tests(self) -> None:
        target = self._checks if self._request["style"] == "sets" else self._namespace
        try:
            exec(compile(self._request["setup"], "<setup>", "exec", dont_inherit=True), target)
        except _BaseException as error:
            self._setup_problem = describe(error, load.FILENAME, self._request["first_line"])

    def _run_in_fork(self, tests: List[Dict[str, Any]]) -> None:
        _flush()
        pid = _fork()
        if pid == 0:
            try:
                _chdir(self._work)
                for test in tests:
                    self._run_test(test)
            finally:
                _exit(0)
        _, status, usage = _wait4(pid, 0)
        frames.send(self._channel, {"status": status, "cpu": cpu_of(usage)})

    def _run_test(self, test: Dict[str, Any]) -> None:
        allow_cpu(self._request["limits"]["seconds"], spare=test["spare"])
        started = _clock()
        result = self._judge(test)
        result["seconds"] = _clock() - started
        result["token"] = test["token"]
        _flush()
        frames.send(self._channel, result)

    def _judge(self, test: Dict[str, Any]) -> Result:
        if self._setup_problem:
            message = f"the tests' setup failed: {self._setup_problem}"
            return {"status": "error", "type": "polyassay.setup", "message": message}
        checker: Optional[Checker] = None
        try:
            sets = self._request["style"] == "sets"
            checker = Checker(test["code"], f"<{test['name']}>", "eval" if sets else "exec")
            if "mock" in self._request["setup"]:
                checker.trust_mocks()
            held = self._evaluate(test, checker) if sets else self._execute(checker)
            return {"status": "passed"} if held else _failed(checker.explain(_AssertionError()))
        except _MemoryError:
            return {"status": "out_of_memory", "message": "out of memory"}
        except _AssertionError as error:
            if checker is None or _raised_by_answer(error):
                return _failed(self._describe(error))
            return _failed(checker.explain(error))
        except _BaseException as error:
            kind = type(error).__name__
            return {"status": "error", "type": kind, "message": self._describe(error)}

    def _execute(self, checker: Checker) -> bool:
        self._namespace[NAME] = checker.compare
        try:
            exec(checker.compiled, self._namespace)
        finally:
            load.restore_builtins()
        return True

    def _evaluate(self, test: Dict[str, Any], checker: Checker) -> bool:
        function: Callable[..., Any] = self._namespace[test["function"]]
        names = {**self._checks, "f": function, NAME: checker.compare}
        try:
            return bool(eval(checker.compiled, names))  # noqa: S307 - the suite's own expression
        finally:
            load.restore_builtins()

    def _describe(self, error: BaseException) -> str:
        return describe(error, load.FILENAME, self._request["first_line"])


def _raised_by_answer(error: BaseException) -> bool:
    filename, traceback = "", error.__traceback__
    while traceback is not None:
        filename = traceback.tb_frame.f_code.co_filename
        traceback = traceback.tb_next
    return filename == load.FILENAME


def _failed(message: str) -> Result:
    return {"status": "failed", "type": "AssertionError", "message": message}


def _threads() -> int:
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:
        return threading.active_count()


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(_BaseException):  # the answer may have put anything there
            stream.flush()


def become_child(streams: Tuple[int, int, int], channel: int, limits: Dict[str, Any]) -> int:
    """Leaves everything of the supervisor behind; returns the channel's new descriptor."""
    os.setsid()
    for target, source in enumerate((*streams, channel)):
        os.dup2(source, target)
    os.closerange(4, 1024)
    limit_resources(limits)
    for name in [name for name in sys.modules if name.startswith("polyassay_harness")]:
        del sys.modules[name]
    return 3
