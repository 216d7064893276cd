"""A candidate judged together: the process that holds it runs the tests as well."""

import os
import time
from typing import Any, Dict, NoReturn

from polyassay_harness.process.limits import allow_cpu
from polyassay_harness.testing.runner import TestRunner
from polyassay_harness.wire import frames
from polyassay_harness.worker import load
from polyassay_harness.worker.load import flush
from polyassay_harness.worker.worker import Child

_exit, _clock = os._exit, time.perf_counter
DID_NOT_LOAD = 112  # the exit code that spares the zygote a fork for each of the other tests


class TestingChild(Child):
    """Runs the tests itself: candidate and tests together."""

    __test__ = False

    def prepare(self) -> None:
        careful = load.may_lie() and not self.work["believes"]
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
