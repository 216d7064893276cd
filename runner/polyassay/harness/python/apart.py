"""Judges apart: joins a worker, which holds the candidate, and a judge, which holds the tests.

Both are sandboxed, in sandboxes of their own; all that passes between them passes here, as the
messages of polyassay_harness/wire/messages.py, and nothing of it is looked into here.
"""

import json
from collections.abc import Sequence
from typing import Any, cast

from polyassay.harness.python.preload import ZygoteSpec
from polyassay.harness.python.report import Reply, ended_reply
from polyassay.harness.python.requests import judge_request, without_tests
from polyassay.harness.python.zygote import Zygote, ZygotePool, parsed, patience
from polyassay.sandbox import Ended
from polyassay.sandbox.patience import Patience
from polyassay_harness.wire import frames, messages
from polyassay_harness.wire.messages import Gone, LoadReport, Test, TestResult, Work
from polyassay_harness.wire.reports import load_report, output_text

_LOST: Gone = {"status": "crashed", "message": "the worker's supervisor ended"}
_LONGEST_REPLY = 16 << 20


def judge_apart(pool: ZygotePool, spec: ZygoteSpec, work: Work, *, fresh: bool) -> Reply:
    """One candidate; whatever ends meanwhile, there is a reply."""
    of_judge = spec._replace(judge=True)
    try:
        with pool.borrow(of_judge, fresh=fresh) as judge, pool.borrow(spec, fresh=fresh) as worker:
            return Exchange(worker, judge, work).run()
    except OursFailed as failed:
        return {"failed": str(failed)}
    except Ended as ended:
        return ended_reply(ended)


class OursFailed(Exception):
    """A process of ours could not do its part before any candidate code ran."""


class WorkerEnd:
    """The end of the worker's zygote or supervisor, for one candidate."""

    def __init__(self, zygote: Zygote, work: Work, allowed: Patience) -> None:
        self._zygote, self._patience = zygote, allowed
        self._begun = False
        self._gone: Gone | None = None
        self._finished: dict[str, Any] | None = None
        self.idled = False
        self.doubtful = False  # something else may have ended the worker, or its supervisor
        told = judge_request(work, apart=True, nests=zygote.reusable)
        zygote.limit_cpu(work["limits"]["total_seconds"])
        zygote.tell(messages.JUDGE, told, json.dumps(without_tests(work)).encode())
        self.loaded = self._hear_load()

    def begin_test(self, *, last: bool) -> None:
        """Gets a worker that no earlier test has touched."""
        if self._finished is not None:
            return
        self._gone = None
        self._zygote.tell(messages.BEGIN_TEST, {"last": last})
        if self._begun:  # or it is the one whose report has come already
            loaded = self._hear_load()
            if "ending" in loaded:
                self._gone = {"status": loaded["ending"], "message": loaded["reason"]}
        self._begun = True

    def call(self, payload: bytes) -> tuple[str, messages.Body]:
        """The worker's reply, or why there is none."""
        if self._finished is None and self._gone is None:
            self._zygote.tell(messages.CALL, payload=payload)
            reply = self._hear_reply()
            if reply is not None:
                return messages.REPLY, reply
        return messages.GONE, cast(dict[str, Any], self._gone or _LOST)

    def finish(self) -> Reply:
        """The candidate's output and the time that it used in all."""
        if self._finished is None:
            self._zygote.tell(messages.NO_MORE_TESTS)
            self._hear()
        assert self._finished is not None
        return self._finished

    def _hear_load(self) -> LoadReport:
        name, _ = self._hear()
        if name != messages.LOADED:
            found = self._finished or {}
            reason = str(found.get("reason", _LOST["message"]))
            return {"ending": "crashed", "reason": reason}
        try:
            loaded = load_report(frames.parse(self._payload()), again=self._begun)
            self.doubtful = self.doubtful or loaded.pop("killed", False)
            return loaded
        except frames.Broken:
            return {"ending": "crashed", "reason": "told nonsense while it loaded"}

    def _hear_reply(self) -> bytes | None:
        parts: list[bytes] = []
        while True:
            name, body = self._hear()
            if name != messages.REPLY:
                return None
            parts.append(self._payload())
            if not parsed(body)["more"]:
                return b"".join(parts)
            if sum(map(len, parts)) > _LONGEST_REPLY:
                raise Ended("sent more than it may")

    def _hear(self) -> tuple[str, bytes]:
        name, body = self._zygote.hear(self._patience)
        if name == messages.FAILED:
            raise OursFailed(parsed(body)["reason"])
        if name == messages.GONE:
            found = parsed(body)
            self.idled = self.idled or bool(found.pop("idled", False))
            self.doubtful = self.doubtful or bool(found.pop("killed", False))
            self._gone = cast(Gone, found)
        elif name == messages.FINISHED:
            self._finished = {**parsed(body), "output": output_text(self._payload())}
        elif name == messages.JUDGED:  # the zygote's word on a supervisor that ended
            self._finished = parsed(body)
            self.doubtful = True
        return name, body

    def _payload(self) -> bytes:
        return self._zygote.hear_payload(self._patience)


class Exchange:
    """One candidate before one judge."""

    def __init__(self, worker: Zygote, judge: Zygote, work: Work) -> None:
        self._judge = judge
        self._work = work
        self._patience = patience(work["limits"]["total_seconds"])  # with both of them together
        self._worker = WorkerEnd(worker, work, self._patience)
        self._judge_cpu = 0.0
        self._judge_killed = False

    def run(self) -> Reply:
        """The report, in the form that a candidate judged together gets."""
        loaded = self._worker.loaded
        if "ending" in loaded:
            return self._report({**loaded, "results": []})
        results: list[TestResult] = []
        runs = self._runs(loaded)
        # The judge that had the same tests of the candidate before may have them again.
        again = self._work["task"] if len(runs) == 1 else ""
        for number, tests in enumerate(runs):
            results += self._run_tests(tests, again, last=number == len(runs) - 1)
        return self._report({"results": results})

    def _runs(self, loaded: LoadReport) -> list[list[Test]]:
        """Tests that may follow each other in one process of the judge's."""
        tests: Sequence[Test] = self._work["tests"]
        if self._work["style"] == "sets":
            names = loaded["functions"]
            return [[{**test, "function": name} for name in names for test in tests]]
        if self._work["build_on_each_other"]:
            return [list(tests)]
        return [[test] for test in tests]

    def _run_tests(self, tests: list[Test], again: str, *, last: bool) -> list[TestResult]:
        results: list[TestResult] = []
        while len(results) < len(tests):
            results += self._ask_judge(tests[len(results) :], again, last=last)
            again = ""
            if self._work["build_on_each_other"]:
                return _until_broken_off(tests, results)
        return results

    def _ask_judge(self, tests: list[Test], again: str, *, last: bool) -> list[TestResult]:
        """Results of these tests, or of the first of them where the judge broke off."""
        work = {**self._work, "source": "", "modules": {}, "tests": tests, "again": again}
        self._judge.tell(messages.JUDGE_TESTS, work)
        results: list[TestResult] = []
        begun = False
        while True:
            name, body = self._judge.hear(self._patience)
            if name == messages.CALL:
                if not begun:
                    self._worker.begin_test(last=last and len(results) == len(tests) - 1)
                    begun = True
                self._judge.tell(*self._worker.call(body))
            elif name == messages.NEXT_TEST:
                begun = begun and self._work["build_on_each_other"]
            elif name == messages.TEST_RESULT:
                results.append(cast(TestResult, parsed(body)))
            else:
                end = parsed(body)
                self._judge_cpu += end.pop("cpu_seconds")
                self._judge_killed = self._judge_killed or bool(end.pop("killed", False))
                if len(results) < len(tests):
                    broken = {"status": "crashed", "message": "the judge broke off", **end}
                    named = _named(tests[len(results)])
                    results.append(cast(TestResult, {**named, **broken}))
                return results

    def _report(self, found: Reply) -> Reply:
        last = self._worker.finish()
        cpu = last.get("cpu_seconds", 0.0) + self._judge_cpu
        return {
            **last,
            **found,
            "cpu_seconds": cpu,
            "idled": self._worker.idled,
            "suspect": self._worker.doubtful or self._judge_killed,
        }


def _named(test: Test) -> TestResult:
    return {"name": test["name"], "function": test.get("function", "")}


def _until_broken_off(tests: list[Test], results: list[TestResult]) -> list[TestResult]:
    """Tests that build on each other do not count after one in which the process ended."""
    endings = ("timed_out", "out_of_memory", "crashed")
    ran = next((i for i, r in enumerate(results, 1) if r["status"] in endings), len(results))
    rest: list[TestResult] = [
        {**_named(test), "status": "not_run", "message": "one before it broke off"}
        for test in tests[ran:]
    ]
    return results[:ran] + rest
