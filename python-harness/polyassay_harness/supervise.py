"""The first process of a candidate's namespaces: starts, limits, watches and ends the others.

It never executes candidate code. Whatever a test leaves running is killed before the next one
starts, and when this process ends the kernel kills whatever is left.
"""

import json
import os
import socket
import time
from typing import Any, Callable, Dict, List, NoReturn, Optional, Tuple

from polyassay_harness import frames
from polyassay_harness.child import TestingChild, become_child
from polyassay_harness.folders import Folder, nameless_file
from polyassay_harness.forks import single_fork
from polyassay_harness.limits import cpu_of, rlimits
from polyassay_harness.processes import (
    Stopped,
    ended,
    has_ended,
    kill_all,
    kill_all_but,
    reap_all,
    told_to_have_ended,
    wait_until,
)

RESULT_BYTES = 1 << 20
VALUE_BYTES = 12 << 20  # below what the runner takes for a frame
_FORK_ENDED = b'{"status"'  # what a child says when its fork has ended
OUTPUT_BYTES = 64 << 10
NO_TIME, OVERTIME = "no time was left", "used up the time that all tests have together"
# A process' own word, and what is seen of one that ended without a word.
LOAD_ENDINGS = ("unbuilt", "out_of_memory", "timed_out", "crashed")
TEST_STATUSES = ("passed", "failed", "error", "out_of_memory")

Message = Dict[str, Any]


def _run_tests(request: Message, channel: int, work: str) -> NoReturn:
    TestingChild(request, channel, work).run()


def load_report(message: Message) -> Message:
    """What a child may say of its loading, and nothing else that a forged message may hold."""
    if "ending" in message:
        ending = message["ending"]
        if type(ending) is str and ending in LOAD_ENDINGS:
            return {"ending": ending, "reason": str(message.get("reason", ""))}
        return {"ending": "crashed", "reason": "told nonsense while it loaded"}
    names = message.get("functions")
    functions = [name for name in names if type(name) is str] if type(names) is list else []
    return {"functions": functions, "threads": message.get("threads") is not False}


def test_report(message: Message) -> Message:
    """The same for a test's result, where tests and program share the process that sends it."""
    status, seconds = message.get("status"), message.get("seconds")
    return {
        "status": status if type(status) is str and status in TEST_STATUSES else "error",
        "type": str(message.get("type", "")),
        "message": str(message.get("message", "")),
        "seconds": seconds if type(seconds) is float else 0.0,
    }


class Process:
    """One child that has loaded, or tries to load, the candidate's program."""

    def __init__(
        self,
        request: Message,
        work: str,
        output: int,
        deadline: float,
        errors: Optional[int] = None,
        body: Optional[Callable[[Message, int, str], NoReturn]] = None,
    ) -> None:
        self._seconds = request["limits"]["seconds"]
        self._deadline = deadline
        ours, theirs = socket.socketpair()
        limits = rlimits(request["limits"])
        self.pid = single_fork()
        if self.pid == 0:
            try:
                os.chdir(work)
                null = os.open(os.devnull, os.O_RDONLY)
                streams = (null, output, output if errors is None else errors)
                channel = become_child(streams, theirs.fileno(), limits)
                (body or _run_tests)(request, channel, work)
            finally:
                os._exit(1)
        theirs.close()
        self._socket = ours

    def load(self) -> Message:
        """How the program loaded; the program may have written that word itself."""
        return load_report(self.first_word())

    def first_word(self) -> Message:
        try:
            return self._receive()
        except Stopped as stopped:
            reason = f"{stopped.message}, while it loaded"
            return {"ending": stopped.status, "reason": reason}

    def run(self, test: Message, *, here: bool) -> Message:
        """The result of one test; where it ran in the process itself, that is used up."""
        test = {**test, "token": os.urandom(8).hex(), "spare": 0}
        self.send({"tests": [test], "here": here})
        result = self._receive()
        if result.get("token") == test["token"]:
            if not here:
                self._receive()  # the fork's end
            return test_report(result)
        if type(result.get("status")) is not int or here:
            raise self._broken_off()
        raise told_to_have_ended(result, self._seconds)

    def run_all(self, tests: List[Message]) -> List[Message]:
        """Results of tests that build on each other; nothing runs after one that broke off."""
        spare = self._seconds + 1
        tests = [
            {**test, "token": os.urandom(8).hex(), "spare": spare * (len(tests) - number)}
            for number, test in enumerate(tests)
        ]
        results: List[Message] = []
        try:
            self.send({"tests": tests, "here": True})
            for test in tests:
                result = self._receive()
                if result.get("token") != test["token"]:
                    raise self._broken_off()
                results.append(test_report(result))
        except Stopped as stopped:
            results.append(stopped.result())
        missing = len(tests) - len(results)
        return results + [{"status": "not_run", "message": "one before it broke off"}] * missing

    def exchange(self, payload: bytes) -> bytes:
        """The reply of a worker to one call."""
        try:
            self._write(payload)
            reply = frames.read_frame(self._socket.fileno(), self._deadline, VALUE_BYTES)
        except (frames.Late, socket.timeout):
            raise Stopped("timed_out", OVERTIME) from None
        except (OSError, frames.Broken) as error:
            raise self._lost(error) from None
        if not reply.startswith(_FORK_ENDED):
            return reply
        try:
            message = json.loads(reply)
        except (ValueError, RecursionError):
            raise self._broken_off() from None
        raise told_to_have_ended(message, self._seconds)

    def _write(self, payload: bytes) -> None:
        """Who does not take it in time is late."""
        self._socket.settimeout(max(self._deadline - time.monotonic(), 0.01))
        self._socket.sendall(len(payload).to_bytes(4, "big") + payload)
        self._socket.settimeout(None)

    def finished(self) -> None:
        """Waits for a process that ends by itself, and with status 0."""
        if not wait_until(self.pid, self._deadline):
            raise Stopped("timed_out", OVERTIME)
        status, cpu = self.wait()
        if status:
            raise ended(status, cpu, self._seconds)

    def forked_end(self) -> None:
        """Takes the word of the end of a fork that was killed; and of nothing else."""
        self._receive()

    def end(self) -> None:
        kill_all(self.pid)
        reap_all()
        self._socket.close()

    def send(self, message: Message) -> None:
        try:
            frames.send(self._socket.fileno(), message)
        except OSError:
            raise self._broken_off() from None

    def _receive(self) -> Message:
        try:
            return frames.receive(self._socket.fileno(), self._deadline, RESULT_BYTES)
        except frames.Late:
            raise Stopped("timed_out", OVERTIME) from None
        except (OSError, frames.Broken) as error:
            raise self._lost(error) from None

    def _lost(self, error: Exception) -> Stopped:
        # An ending process closes its streams, and so may one that means to go on.
        if isinstance(error, frames.Ended) and not wait_until(self.pid, self._deadline):
            return Stopped("timed_out", OVERTIME)
        return self._broken_off()

    def kill(self) -> None:
        kill_all(self.pid)

    def wait(self) -> Tuple[int, float]:
        """Its wait status and the CPU time that it used."""
        _, status, usage = os.wait4(self.pid, 0)
        return status, cpu_of(usage)

    def _broken_off(self) -> Stopped:
        # A test's fork may hold the socket open, so the stream's end is not the process' end.
        by_itself = has_ended(self.pid)
        self.kill()
        status, cpu = self.wait()
        if by_itself:
            return ended(status, cpu, self._seconds)
        return Stopped("crashed", "broke off without a result")


class Supervisor:
    """Runs a candidate against its tests in one tree of processes: judged together."""

    def __init__(self, request: Message, scratch: str) -> None:
        self._request = request
        self._deadline = time.monotonic() + request["limits"]["total_seconds"]
        self._folder = Folder(scratch)
        self._output = nameless_file(scratch)
        self._process: Optional[Process] = None
        self._loaded: Message = {}

    def judge(self) -> Message:
        tests = self._request["tests"]
        self._start()
        if self._process is None:
            return dict(self._loaded, results=[], output=self.output())
        if self._request["style"] == "sets":
            names = self._loaded["functions"]
            tests = [dict(test, function=name) for name in names for test in tests]
        if self._request["build_on_each_other"]:
            results = self._process.run_all(tests)
        else:
            results = [self._test(test, last=test is tests[-1]) for test in tests]
        for test, result in zip(tests, results):
            result.update(name=test["name"], function=test.get("function", ""))
        return {"results": results, "output": self.output()}

    def output(self) -> str:
        return os.pread(self._output, OUTPUT_BYTES, 0).decode("utf-8", "replace")

    def _start(self) -> None:
        self._folder.lay_out(self._request["files"])
        self._process = Process(self._request, self._folder.path, self._output, self._deadline)
        self._loaded = self._process.load()
        if "ending" in self._loaded:
            self._stop()
        else:
            self._folder.keep()

    def _stop(self) -> None:
        if self._process:
            self._process.end()
            self._process = None

    def _test(self, test: Message, *, last: bool) -> Message:
        if time.monotonic() >= self._deadline:
            self._stop()
            return {"status": "not_run", "message": NO_TIME}
        if self._process is None:
            self._start()
            if self._process is None:
                return {"status": self._loaded["ending"], "message": self._loaded["reason"]}
        here = last or self._loaded["threads"]
        usable = not here
        try:
            result = self._process.run(test, here=here)
        except Stopped as stopped:
            result = stopped.result()
            usable = usable and stopped.message != OVERTIME and not has_ended(self._process.pid)
        if usable and kill_all_but({self._process.pid}):
            self._folder.renew()
        else:
            self._stop()
        return result
