"""Runs a candidate as a whole program: standard input in, standard output out.

The expected output is not here: the runner compares, out of the candidate's reach.
"""

import atexit
import base64
import os
import sys
import threading
import time
import traceback
from typing import Any, Dict, NoReturn, Optional

from polyassay_harness import frames, load
from polyassay_harness.checks import describe
from polyassay_harness.child import become_child
from polyassay_harness.folders import Folder, nameless_file
from polyassay_harness.limits import allow_cpu, rlimits
from polyassay_harness.processes import Stopped, kill_all, reap, reap_all, wait_until

STDOUT_BYTES = 4 << 20
_ALL_STDOUT_BYTES = 10 << 20  # of all tests, so that the reply is no longer than a frame may be
_ERROR_BYTES = 64 << 10

Message = Dict[str, Any]


class ProgramSupervisor:
    """Each test is a run of the program in a process and a working folder of its own."""

    def __init__(self, request: Message, scratch: str) -> None:
        self._request = request
        self._seconds = request["limits"]["seconds"]
        self._deadline = time.monotonic() + request["limits"]["total_seconds"]
        self._scratch = scratch
        self._folder = Folder(scratch)
        self._left = _ALL_STDOUT_BYTES

    def judge(self) -> Message:
        results = []
        for test in self._request["tests"]:
            if time.monotonic() >= self._deadline:
                results.append({"status": "not_run", "message": "no time was left"})
                continue
            result = self._run(test["stdin"].encode())
            if "ending" in result:
                return {**result, "results": []}
            results.append(result)
        for test, result in zip(self._request["tests"], results):
            result.update(name=test["name"])
        errors = "".join(result.pop("stderr", "") for result in results)
        return {"results": results, "output": errors[:_ERROR_BYTES]}

    def _run(self, stdin: bytes) -> Message:
        self._folder.lay_out(self._request["files"])
        streams = (self._file(), self._file(), self._file())
        os.write(streams[0], stdin)
        os.lseek(streams[0], 0, os.SEEK_SET)
        problems, theirs = os.pipe()
        limits = rlimits(self._request["limits"])
        started = time.monotonic()
        pid = os.fork()
        if pid == 0:
            try:
                os.chdir(self._folder.path)
                channel = become_child(streams, theirs, limits)
                _run_program(self._request, channel)
            finally:
                os._exit(1)
        os.close(theirs)
        stopped = self._wait(pid)
        seconds = time.monotonic() - started
        try:
            problem = _problem(problems)
            if problem:
                return {"ending": "unbuilt", "reason": problem}
            out = b"" if stopped else os.pread(streams[1], STDOUT_BYTES + 1, 0)
            err = os.pread(streams[2], _ERROR_BYTES, 0).decode("utf-8", "replace")
        finally:
            for descriptor in (problems, *streams):
                os.close(descriptor)
        result = {"stderr": err, "seconds": seconds}
        self._left -= len(out)
        if stopped:
            return {**result, **_verdict(stopped, err)}
        if self._left < 0:
            return {**result, "status": "error", "message": "printed more than is kept"}
        return {**result, "status": "ended", "stdout": base64.b64encode(out).decode()}

    def _file(self) -> int:
        return nameless_file(self._scratch)

    def _wait(self, pid: int) -> Optional[Stopped]:
        in_time = wait_until(pid, self._deadline)
        if not in_time:
            kill_all(pid)
        stopped = reap(pid, self._seconds)
        kill_all(pid)
        reap_all()
        return stopped if in_time else Stopped("timed_out", "no time was left")


def _verdict(stopped: Stopped, errors: str) -> Message:
    if stopped.code is None:
        return stopped.result()
    last = (errors.strip().splitlines() or [""])[-1]
    return {"status": "error", "message": f"exit status {stopped.code}: {last}".strip(": ")}


def _problem(descriptor: int) -> str:
    os.set_blocking(descriptor, False)
    try:
        return str(frames.receive(descriptor)["problem"])
    except (OSError, frames.Broken, KeyError):
        return ""


def _run_program(request: Message, channel: int) -> NoReturn:
    """As the interpreter runs a script, to the end of its exit handlers."""
    source = request["source"]
    try:
        compile(source, load.FILENAME, "exec", dont_inherit=True)
    except BaseException as error:
        problem = describe(error, load.FILENAME, request["first_line"])
        frames.send(channel, {"problem": problem})
        os._exit(1)
    os.close(channel)
    allow_cpu(request["limits"]["seconds"])
    sys.argv[:] = [load.FILENAME]
    status = 0
    try:
        load.load(source, "__main__")
    except SystemExit as leaving:
        status = _exit_status(leaving)
    except BaseException:
        traceback.print_exc()
        status = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(status)


def _exit_status(leaving: SystemExit) -> int:
    if leaving.code is None or isinstance(leaving.code, int):
        return (leaving.code or 0) & 0xFF
    print(leaving.code, file=sys.stderr)  # noqa: T201 - as the interpreter does
    return 1
