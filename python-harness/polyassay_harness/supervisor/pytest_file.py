"""Runs a suite's own pytest file, with the suite's own pytest, against the answer as a module.

Candidate and tests share a process, and pytest writes the report there: judged together.
"""

import os
import sys
from typing import NoReturn

from polyassay_harness.process.budget import Budget
from polyassay_harness.process.endings import Stopped
from polyassay_harness.process.folders import Folder, nameless_file
from polyassay_harness.process.limits import allow_cpu
from polyassay_harness.supervisor.child_process import ChildProcess
from polyassay_harness.testing.describe import FILENAME, describe
from polyassay_harness.wire.frames import send
from polyassay_harness.wire.messages import Judged, Work
from polyassay_harness.wire.reports import OUTPUT_BYTES, output_text
from polyassay_harness.worker import load
from polyassay_harness.worker.child import flush

_REPORT = "report.xml"
_REPORT_BYTES = 8 << 20


class PytestSupervisor:
    def __init__(self, work: Work, scratch: str, budget: Budget) -> None:
        self._work = work
        self._folder = Folder(scratch)
        self._output = nameless_file(scratch)
        self._budget = budget

    def judge(self) -> Judged:
        """pytest's own report, word for word."""
        self._folder.lay_out(self._work["files"])
        process = ChildProcess(
            self._work, self._folder.path, self._output, self._budget, body=_run_pytest
        )
        loaded = process.load()
        judged: Judged = {"results": []}
        if "ending" in loaded:
            judged["ending"], judged["reason"] = loaded["ending"], loaded["reason"]
        else:
            try:
                judged["xml"] = self._report(process)
            except Stopped as stopped:
                judged["ending"], judged["reason"] = stopped.status, stopped.message
                judged["idled"] = stopped.idled
        process.end()
        judged["output"] = output_text(os.pread(self._output, OUTPUT_BYTES, 0))
        return judged

    def _report(self, process: ChildProcess) -> str:
        process.send({})
        process.finished()
        try:
            with open(os.path.join(self._folder.path, _REPORT), "rb") as file:
                return file.read(_REPORT_BYTES).decode("utf-8", "replace")
        except OSError:
            raise Stopped("crashed", "pytest left no report") from None


def _run_pytest(work: Work, channel: int, folder: str) -> NoReturn:
    allow_cpu(work["limits"]["seconds"] * max(len(work["tests"]), 1))
    sys.path.insert(0, folder)
    try:
        load.lay_out(work.get("modules", {}), folder)
        load.load(work["source"], work["module"])
    except BaseException as error:
        problem = describe(error, FILENAME, work["first_line"])
        send(channel, {"ending": "unbuilt", "reason": problem})
        os._exit(1)
    for path, text in {**work["support"], "test_answer.py": work["test_source"]}.items():
        os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
        with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
            file.write(text)
    import pytest  # the suite's

    send(channel, {"functions": [], "threads": False})
    options = ["-q", "-p", "no:cacheprovider", "--rootdir", folder, "--junitxml", _REPORT]
    pytest.main([*options, "test_answer.py"])
    flush()
    os._exit(0)
