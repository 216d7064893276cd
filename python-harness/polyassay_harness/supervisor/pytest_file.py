"""Runs a suite's pytest file with the suite's own pytest, against the answer as a module.

Candidate and tests share a process: judged together. One process runs all tests in their order, as
pytest does, and tells each result as soon as it is known. Where that process breaks off, the test
that was running has lost, and another process goes on with the tests after it.
"""

import os
from typing import Any, Dict, List, Optional

from polyassay_harness.process.budget import NO_TIME, Budget
from polyassay_harness.process.endings import Stopped
from polyassay_harness.process.folders import Folder, nameless_file
from polyassay_harness.supervisor.child_process import ChildProcess
from polyassay_harness.wire.messages import Judged, Test, TestResult, Work
from polyassay_harness.wire.reports import OUTPUT_BYTES, load_report, output_text, test_report
from polyassay_harness.worker.pytest_child import run_pytest

_NOT_COLLECTED = "pytest does not find this test when it runs with this answer"


class PytestSupervisor:
    def __init__(self, work: Work, scratch: str, budget: Budget) -> None:
        self._work = work
        self._folder = Folder(scratch)
        self._output = nameless_file(scratch)
        self._budget = budget
        self._results: Dict[str, TestResult] = {}
        self._running = ""  # the test that began and has not ended
        self._idled = False

    def judge(self) -> Judged:
        """A result for each test; or the names that pytest collects, where only they are wanted."""
        judged = self._collect() if self._work.get("collect") else self._judge()
        judged["output"] = output_text(os.pread(self._output, OUTPUT_BYTES, 0))
        judged["idled"] = self._idled
        return judged

    def _collect(self) -> Judged:
        process = self._start(self._work["tests"])
        message = process.first_word()
        process.end()
        report = load_report(message)
        if "ending" in report:
            return {"results": [], "ending": report["ending"], "reason": report["reason"]}
        names, disabled = _texts(message.get("collected")), _texts(message.get("disabled"))
        return {"results": [], "collected": names, "disabled": disabled}

    def _judge(self) -> Judged:
        tests = self._work["tests"]
        while len(self._results) < len(tests):
            left = [test for test in tests if test["name"] not in self._results]
            if self._budget.used_up:
                self._give_up(left, "not_run", NO_TIME)
                break
            ending = self._round(left)
            if ending is not None and not self._results:
                return {"results": [], "ending": ending.status, "reason": ending.message}
            if ending is not None:  # though it has loaded before
                self._give_up(left, ending.status, ending.message)
        for test in tests:
            self._results[test["name"]]["name"] = test["name"]
        return {"results": [self._results[test["name"]] for test in tests]}

    def _round(self, left: List[Test]) -> Optional[Stopped]:
        """One process for the tests that are left; how it ended, where it ran none."""
        process = self._start(left)
        try:
            message = process.first_word()
            report = load_report(message)
            if "ending" in report:
                return Stopped(report["ending"], report["reason"])
            found = set(_texts(message.get("collected")))
            missing = [test for test in left if test["name"] not in found]
            self._give_up(missing, "error", _NOT_COLLECTED)
            waiting = {test["name"]: test for test in left if test["name"] in found}
            self._listen(process, waiting)
        finally:
            process.end()
        return None

    def _listen(self, process: ChildProcess, waiting: Dict[str, Test]) -> None:
        """Takes results as they come; a process that breaks off costs the test that it was at."""
        self._running = ""
        try:
            while waiting:
                self._take(process.receive(), waiting)
        except Stopped as stopped:
            lost = self._running if self._running in waiting else next(iter(waiting))
            self._results[lost] = stopped.result()
            self._idled = self._idled or stopped.idled

    def _take(self, message: Dict[str, Any], waiting: Dict[str, Test]) -> None:
        name = message.get("name")
        if type(name) is not str or name not in waiting:
            raise Stopped("crashed", "told nonsense instead of a test's result")
        if message.get("begins") is True:
            if name != self._running:
                self._budget.begin_test(self._work["limits"]["seconds"])
            self._running = name
        elif message.get("token") == waiting[name]["token"]:
            self._results[name] = test_report(message)
            del waiting[name]
        else:
            raise Stopped("crashed", "told nonsense instead of a test's result")

    def _give_up(self, tests: List[Test], status: str, why: str) -> None:
        for test in tests:
            self._results[test["name"]] = {"status": status, "message": why}

    def _start(self, tests: List[Test]) -> ChildProcess:
        self._folder.lay_out(self._work["files"])
        work: Work = {**self._work, "tests": tests}
        return ChildProcess(work, self._folder.path, self._output, self._budget, run_pytest)


def _texts(value: Any) -> List[str]:
    """The names in a message that a candidate may have written."""
    return [name for name in value if type(name) is str] if type(value) is list else []
