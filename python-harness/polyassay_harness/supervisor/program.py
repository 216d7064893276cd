"""Runs a candidate as a whole program: standard input in, standard output out.

The expected output is not here: the runner compares, out of the candidate's reach.
"""

import base64
import os
import time
from typing import Any, List, Optional

from polyassay_harness.process.budget import NO_TIME, Budget
from polyassay_harness.process.endings import Stopped, kill_all, reap, reap_all
from polyassay_harness.process.folders import Folder, nameless_file
from polyassay_harness.process.limits import rlimits
from polyassay_harness.wire import frames
from polyassay_harness.wire.messages import Json, Judged, Work
from polyassay_harness.worker.load import become_child
from polyassay_harness.worker.script import run_script

STDOUT_BYTES = 4 << 20
_ALL_STDOUT_BYTES = 10 << 20  # of all tests, so that the reply is no longer than a frame may be
_ERROR_BYTES = 64 << 10


class ProgramSupervisor:
    """Each test is a run of the program in a process and a working folder of its own."""

    def __init__(self, work: Work, scratch: str, budget: Budget) -> None:
        self._work = work
        self._seconds = work["limits"]["seconds"]
        self._budget = budget
        self._scratch = scratch
        self._folder = Folder(scratch)
        self._left = _ALL_STDOUT_BYTES
        self._idled = False

    def judge(self) -> Judged:
        results: List[Any] = []
        for test in self._work["tests"]:
            if self._budget.used_up:
                results.append({"status": "not_run", "message": NO_TIME})
                continue
            result = self._run(test["stdin"].encode())
            if "ending" in result:
                return {"ending": result["ending"], "reason": result["reason"], "results": []}
            results.append(result)
        for test, result in zip(self._work["tests"], results):
            result["name"] = test["name"]
        errors = "".join(result.pop("stderr", "") for result in results)
        return {"results": results, "output": errors[:_ERROR_BYTES], "idled": self._idled}

    def _run(self, stdin: bytes) -> Json:
        self._folder.lay_out(self._work["files"])
        streams = (self._file(), self._file(), self._file())
        os.write(streams[0], stdin)
        os.lseek(streams[0], 0, os.SEEK_SET)
        problems, theirs = os.pipe()
        limits = rlimits(self._work["limits"])
        started = time.monotonic()
        self._budget.begin_test(self._seconds)
        pid = os.fork()
        if pid == 0:
            try:
                os.chdir(self._folder.path)
                channel = become_child(streams, theirs, limits)
                run_script(self._work, channel)
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
        late: Optional[Stopped] = None
        try:
            self._budget.wait_for_end(pid)
        except Stopped as found:
            late = found
            self._idled = self._idled or late.idled
            kill_all(pid)
        stopped = reap(pid, self._seconds)
        kill_all(pid)
        reap_all()
        return late or stopped


def _verdict(stopped: Stopped, errors: str) -> Json:
    if stopped.code is None:
        return dict(stopped.result())
    last = (errors.strip().splitlines() or [""])[-1]
    return {"status": "error", "message": f"exit status {stopped.code}: {last}".strip(": ")}


def _problem(descriptor: int) -> str:
    os.set_blocking(descriptor, False)
    try:
        return str(frames.receive(descriptor)["problem"])
    except (OSError, frames.Broken, KeyError):
        return ""
