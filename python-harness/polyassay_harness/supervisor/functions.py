"""Judges functions and classes together with their tests: loads once, and forks for each test.

Whatever a test leaves running is killed before the next one starts, and when this process ends the
kernel kills whatever is left. It never executes candidate code itself.
"""

import os
from typing import List, Optional

from polyassay_harness.process.budget import NO_TIME, Budget
from polyassay_harness.process.endings import Stopped, has_ended, kill_all_but
from polyassay_harness.process.folders import Folder, nameless_file
from polyassay_harness.supervisor.child_process import ChildProcess, Message
from polyassay_harness.wire.messages import Judged, LoadReport, Test, TestResult, Work
from polyassay_harness.wire.reports import OUTPUT_BYTES, output_text, test_report
from polyassay_harness.worker.together import TestingChild


class TestingProcess(ChildProcess):
    """Runs the tests itself."""

    __test__ = False

    def run(self, test: Test, *, here: bool) -> TestResult:
        """The result of one test; where it ran in the process itself, that is used up."""
        token = os.urandom(8).hex()
        self._budget.begin_test(self._seconds)
        self.send({"tests": [{**test, "token": token, "spare": 0}], "here": here})
        result = self._result()
        if result.get("token") == token:
            if not here:
                self._frame()  # the fork's end
            return test_report(result)
        raise self._broken_off()

    def run_all(self, tests: List[Test]) -> List[TestResult]:
        """Results of tests that build on each other; nothing runs after one that broke off."""
        spare = self._seconds + 1
        sent = [
            {**test, "token": os.urandom(8).hex(), "spare": spare * (len(tests) - number)}
            for number, test in enumerate(tests)
        ]
        results: List[TestResult] = []
        try:
            self.send({"tests": sent, "here": True})
            for test in sent:
                self._budget.begin_test(self._seconds)
                result = self._result()
                if result.get("token") != test["token"]:
                    raise self._broken_off()
                results.append(test_report(result))
        except Stopped as stopped:
            results.append(stopped.result())
        for _ in tests[len(results) :]:
            results.append({"status": "not_run", "message": "one before it broke off"})
        return results

    def _result(self) -> Message:
        return self._parsed(self._said())


class FunctionSupervisor:
    """Runs a candidate against its tests in one tree of processes."""

    def __init__(self, work: Work, scratch: str, budget: Budget) -> None:
        self._work = work
        self._budget = budget
        self._folder = Folder(scratch)
        self._output = nameless_file(scratch)
        self._process: Optional[TestingProcess] = None
        self._loaded: LoadReport = {}
        self._idled = False

    def judge(self) -> Judged:
        self._start()
        if self._process is None:
            return {
                "ending": self._loaded["ending"],
                "reason": self._loaded["reason"],
                "results": [],
                "output": self._printed(),
                "suspect": self._loaded.get("killed", False),
            }
        tests = self._tests()
        if self._work["build_on_each_other"]:
            results = self._process.run_all(tests)
        else:
            results = [self._test(test, last=test is tests[-1]) for test in tests]
        for test, result in zip(tests, results):
            result["name"], result["function"] = test["name"], test.get("function", "")
        return {"results": results, "output": self._printed(), "idled": self._idled}

    def _tests(self) -> List[Test]:
        tests = self._work["tests"]
        if self._work["style"] != "sets":
            return tests
        names = self._loaded["functions"]
        return [{**test, "function": name} for name in names for test in tests]

    def _printed(self) -> str:
        return output_text(os.pread(self._output, OUTPUT_BYTES, 0))

    def _start(self) -> None:
        self._folder.lay_out(self._work["files"])
        self._process = TestingProcess(
            self._work, self._folder.path, self._output, self._budget, TestingChild.start
        )
        self._loaded = self._process.load()
        if "ending" in self._loaded:
            self._stop()
        else:
            self._folder.keep()

    def _stop(self) -> None:
        if self._process:
            self._process.end()
            self._process = None

    def _test(self, test: Test, *, last: bool) -> TestResult:
        if self._budget.used_up:
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
            self._idled = self._idled or stopped.idled
            usable = usable and not stopped.of_candidate and not has_ended(self._process.pid)
        if usable and kill_all_but({self._process.pid}):
            self._folder.renew()
        else:
            self._stop()
        return result
