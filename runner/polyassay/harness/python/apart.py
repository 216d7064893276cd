"""Judges apart: joins a worker, which holds the candidate, and a judge, which holds the tests.

Both are sandboxed, in sandboxes of their own; all that passes between them passes here, as frames
whose first letter tells what they are (see work.py and judge.py of the Python harness).
"""

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

from polyassay.harness.python.zygote import GRACE_SECONDS, Zygote
from polyassay.sandbox import Ended

Message = dict[str, Any]
_LOST = {"status": "crashed", "message": "the worker's supervisor ended"}


class JudgeEnded(Exception):
    """The judge had to be given up; what the candidate sent it is the only thing that varies."""

    def __init__(self, ended: Ended) -> None:
        super().__init__(str(ended))
        self.ended = ended


class Trial:
    """One candidate before one judge."""

    def __init__(self, worker: Zygote, judge: Zygote, request: Mapping[str, Any]) -> None:
        self._worker, self._judge = worker, judge
        self._request = request
        self._deadline = time.monotonic() + request["limits"]["total_seconds"] + GRACE_SECONDS
        self._last: Message = {}  # the worker's last words, once they have come
        self._judge_cpu = 0.0

    def run(self) -> Message:
        """What a candidate judged together would have got as a reply."""
        # The worker gets neither the tests nor any word of them.
        hidden = {"tests": [], "preamble": ""}
        self._worker.send(json.dumps({**self._request, **hidden, "apart": True}).encode())
        kind, loaded = self._from_worker()
        if "failed" in loaded:
            return loaded
        if kind != b"L" or "ending" in loaded:
            return self._with_last_words({**loaded, "results": []})
        results: list[Message] = []
        batches = self._batches(loaded)
        # The judge that had the same tests of the candidate before may have them again.
        again = self._request["task"] if len(batches) == 1 else ""
        for number, batch in enumerate(batches):
            results += self._run_batch(batch, again, last=number == len(batches) - 1)
        return self._with_last_words({"results": results})

    def _batches(self, loaded: Message) -> list[list[Message]]:
        """Tests that may follow each other in one process of the judge's."""
        tests: Sequence[Message] = self._request["tests"]
        if self._request["style"] == "sets":
            names = loaded["functions"]
            return [[{**test, "function": name} for name in names for test in tests]]
        if self._request["build_on_each_other"]:
            return [list(tests)]
        return [[test] for test in tests]

    def _run_batch(self, tests: list[Message], again: str, *, last: bool) -> list[Message]:
        results: list[Message] = []
        while len(results) < len(tests):
            results += self._ask_judge(tests[len(results) :], again, last=last)
            again = ""
            if self._request["build_on_each_other"]:
                return _until_broken_off(tests, results)
        return results

    def _ask_judge(self, tests: list[Message], again: str, *, last: bool) -> list[Message]:
        """Results of these tests, or of the first of them where the judge broke off."""
        request = {**self._request, "source": "", "tests": tests, "again": again}
        self._to_judge(json.dumps(request).encode())
        results: list[Message] = []
        begun = False
        while True:
            frame = self._from_judge()
            kind = frame[:1]
            if kind == b"C":
                if not begun:
                    self._begin(last=last and len(results) == len(tests) - 1)
                    begun = True
                self._to_judge(self._call(frame))
            elif kind == b"N":
                begun = begun and self._request["build_on_each_other"]
            elif kind == b"T":
                results.append(json.loads(frame[1:]))
            else:
                end = json.loads(frame[1:])
                self._judge_cpu += end.pop("cpu")
                if len(results) < len(tests):
                    broken = {"status": "crashed", "message": "the judge broke off", **end}
                    results.append({**_named(tests[len(results)]), **broken})
                return results

    def _begin(self, *, last: bool) -> None:
        if not self._last:
            self._worker.send(b"J" if last else b"B")

    def _call(self, frame: bytes) -> bytes:
        if not self._last:
            self._worker.send(frame)
            reply = self._worker.receive(self._left())
            if reply[:1] in (b"R", b"X"):
                return reply
            self._last = json.loads(reply)
        return b"X" + json.dumps(_LOST).encode()

    def _with_last_words(self, reply: Message) -> Message:
        if not self._last:
            if "ending" not in reply:
                self._worker.send(b"E")
            self._last = json.loads(self._worker.receive(self._left()))
        cpu = self._last.get("cpu_seconds", 0.0) + self._judge_cpu
        return {**self._last, **reply, "cpu_seconds": cpu}

    def _from_worker(self) -> tuple[bytes, Message]:
        frame = self._worker.receive(self._left())
        if frame[:1] == b"L":
            return b"L", json.loads(frame[1:])
        self._last = json.loads(frame)
        return b"", self._last

    def _to_judge(self, frame: bytes) -> None:
        try:
            self._judge.send(frame)
        except Ended as ended:
            raise JudgeEnded(ended) from None

    def _from_judge(self) -> bytes:
        try:
            return self._judge.receive(self._left())
        except Ended as ended:
            raise JudgeEnded(ended) from None

    def _left(self) -> float:
        return float(max(self._deadline - time.monotonic(), 0.01))


def _named(test: Message) -> Message:
    return {"name": test["name"], "function": test.get("function", "")}


def _until_broken_off(tests: list[Message], results: list[Message]) -> list[Message]:
    """Of tests that build on each other, none counts after one in which the process ended."""
    endings = ("timed_out", "out_of_memory", "crashed")
    ran = next((i for i, r in enumerate(results, 1) if r["status"] in endings), len(results))
    broken_off = {"status": "not_run", "message": "one before it broke off"}
    return results[:ran] + [{**_named(test), **broken_off} for test in tests[ran:]]
