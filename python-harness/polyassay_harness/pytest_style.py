"""Runs a suite's own pytest file, with the suite's own pytest, against the answer as a module.

Candidate and tests share a process, and pytest writes the report there: judged together.
"""

import os
import sys
import time
from typing import Any, Dict, NoReturn

from polyassay_harness import load
from polyassay_harness.checks import describe
from polyassay_harness.child import flush
from polyassay_harness.folders import Folder, nameless_file
from polyassay_harness.frames import send
from polyassay_harness.limits import allow_cpu
from polyassay_harness.processes import Stopped
from polyassay_harness.supervise import OUTPUT_BYTES, Process

_REPORT = "report.xml"
_REPORT_BYTES = 8 << 20

Message = Dict[str, Any]


class PytestSupervisor:
    def __init__(self, request: Message, scratch: str) -> None:
        self._request = request
        self._folder = Folder(scratch)
        self._output = nameless_file(scratch)
        self._deadline = time.monotonic() + request["limits"]["total_seconds"]

    def judge(self) -> Message:
        """pytest's own report, word for word."""
        self._folder.lay_out(self._request["files"])
        process = Process(
            self._request, self._folder.path, self._output, self._deadline, body=_run_pytest
        )
        reply = process.load()
        if "ending" not in reply:
            try:
                reply = {"xml": self._report(process)}
            except Stopped as stopped:
                reply = {"ending": stopped.status, "reason": stopped.message}
        process.end()
        output = os.pread(self._output, OUTPUT_BYTES, 0).decode("utf-8", "replace")
        return {**reply, "results": [], "output": output}

    def _report(self, process: Process) -> str:
        process.send({})
        process.finished()
        try:
            with open(os.path.join(self._folder.path, _REPORT), "rb") as file:
                return file.read(_REPORT_BYTES).decode("utf-8", "replace")
        except OSError:
            raise Stopped("crashed", "pytest left no report") from None


def _run_pytest(request: Message, channel: int, work: str) -> NoReturn:
    tests = request["tests"]
    allow_cpu(request["limits"]["seconds"] * max(len(tests), 1))
    sys.path.insert(0, work)
    try:
        load.load(request["source"], request["module"])
    except BaseException as error:
        problem = describe(error, load.FILENAME, request["first_line"])
        send(channel, {"ending": "unbuilt", "reason": problem})
        os._exit(1)
    for path, text in {**request["support"], "test_answer.py": request["test_source"]}.items():
        os.makedirs(os.path.dirname(os.path.join(work, path)), exist_ok=True)
        with open(os.path.join(work, path), "w", encoding="utf-8") as file:
            file.write(text)
    import pytest  # the suite's

    send(channel, {"functions": [], "threads": False})
    options = ["-q", "-p", "no:cacheprovider", "--rootdir", work, "--junitxml", _REPORT]
    pytest.main([*options, "test_answer.py"])
    flush()
    os._exit(0)
