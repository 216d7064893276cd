"""Judging apart: a judge JVM runs the tests, and each call goes to the candidate's worker JVM.

The runner stands between the two and only moves frames. Nothing that a worker can send means that
a test has passed: its answers are values, which the judge decodes into fresh objects.
"""

import secrets
import time

from polyassay.harness.java.executor import (
    OUTPUT_BYTES,
    Attempt,
    Request,
    blame,
    encode,
    left,
    note,
    open_frame,
)
from polyassay.harness.java.jvm import Jvm, Kind
from polyassay.harness.java.messages import Malformed, Message, MessageReader
from polyassay.model import TestStatus
from polyassay.sandbox import Ended, Interrupted

_JUDGE_MB = 512
_JUDGE_SERVES = 1000  # candidates; then a fresh one, so that nothing in it can pile up
_SETTLE_SECONDS = 20.0  # for a judge to get over the loss of its worker
_GONE = b""  # tells the judge that its worker is gone


class Judge(Jvm):
    """Runs tests against stubs; never sees a candidate's class, and so serves many."""

    @staticmethod
    def kind_for(request: Request) -> Kind:
        return Kind(_JUDGE_MB, vintage=request.vintage, jars=request.jars)

    def settle(self, deadline: float) -> None:
        """Lets the tests that are left fail without their worker, unheard."""
        try:
            self.guest.send(_GONE, left(deadline))
            while True:
                message = MessageReader(self.guest.receive(left(deadline)))
                message.blob()
                what = message.text()
                if what == "end":
                    return
                if what == "call":
                    self.guest.send(_GONE, left(deadline))
        except (Ended, Malformed):
            self.close()


class Worker(Jvm):
    """Holds one candidate at a time, and nothing else."""

    def run(self, judge: Judge, request: Request, deadline: float, keep: bool) -> Attempt:
        """Has the judge run the tests up to the first that ends the worker or breaks a limit."""
        before = self.guest.cpu_seconds() + judge.guest.cpu_seconds()
        attempt = _Exchange(self, judge, request, deadline).attempt()
        self.served += 1
        judge.served += 1
        done = attempt.complete and all(name in attempt.results for name in request.names)
        statuses = {result.status for result in attempt.results.values()}
        full = TestStatus.OUT_OF_MEMORY in statuses
        done = done and not full
        self.usable = self.usable and done and (not keep or self._leaves_nothing())
        attempt.cpu_seconds = self.guest.cpu_seconds() + judge.guest.cpu_seconds() - before
        # Either heap may have been full, and a class whose start failed for that stays broken.
        if full or judge.served >= _JUDGE_SERVES:
            judge.close()
        return attempt

    def _leaves_nothing(self) -> bool:
        """Takes the candidate out; tells whether the next one would see anything of it."""
        try:
            number = secrets.token_bytes(8)
            self.guest.send(Message().blob(number).text("leave").encoded(), _SETTLE_SECONDS)
            return not open_frame(self.guest.receive(_SETTLE_SECONDS), number).texts()
        except (Ended, Malformed):
            return False


class _Exchange:
    """One request, from the first frame to the last."""

    def __init__(self, worker: Worker, judge: Judge, request: Request, deadline: float) -> None:
        self._worker = worker
        self._judge = judge
        self._request = request
        self._deadline = deadline
        self._nonce = secrets.token_bytes(16)
        self._attempt = Attempt()
        self._test_began = time.monotonic()
        self._cpu_before = worker.guest.cpu_seconds()

    def attempt(self) -> Attempt:
        """Raises Ended where the worker is gone before it has seen the candidate."""
        attempt = self._attempt
        self._worker.guest.send(_load(self._request), left(self._deadline))
        try:
            self._judge.guest.send(encode(self._request, self._nonce), left(self._deadline))
            while not attempt.complete:
                seconds = self._request.limits.seconds
                frame = self._judge.guest.receive(left(self._deadline), seconds)
                self._take(open_frame(frame, self._nonce))
            if attempt.wires:
                # The tests changed something in the judge, which is none of the candidate's.
                self._judge.close()
                attempt.wires = ()
        except _WorkerGone as gone:
            self._worker.close()
            blame(attempt, self._request, gone.ended)
            self._judge.settle(time.monotonic() + _SETTLE_SECONDS)
        except _CallLeft:
            self._leave_call()
        except (Ended, Malformed) as ended:
            # The tests themselves took too long, or choked on what the candidate returned.
            self._judge.close()
            self._worker.close()
            blame(attempt, self._request, ended)
        return attempt

    def _leave_call(self) -> None:
        """A test ended without its call's answer, as those with a time limit of their own do.

        The worker is still at it, and a thread of the judge waits for it: the tests that are left
        get others of both.
        """
        try:
            message = open_frame(self._judge.guest.receive(left(self._deadline)), self._nonce)
            what = message.text()
            if what != "finished":
                raise Malformed(f"sent {what[:20]!r} during a call")
            note(self._attempt, what, message)
        except (Ended, Malformed) as ended:
            blame(self._attempt, self._request, ended)
        self._worker.close()
        self._judge.close()

    def _take(self, message: MessageReader) -> None:
        what = message.text()
        if what != "call":
            note(self._attempt, what, message)
            if what == "started":
                self._test_began = time.monotonic()
                self._cpu_before = self._worker.guest.cpu_seconds()
            return
        number = secrets.token_bytes(8)
        self._tell_worker(Message().blob(number).encoded() + message.blob())
        self._judge.guest.send(self._hear_worker(number), left(self._deadline))

    def _tell_worker(self, frame: bytes) -> None:
        try:
            self._worker.guest.send(frame, left(self._deadline))
        except Ended as ended:
            raise _WorkerGone(ended) from ended

    def _hear_worker(self, number: bytes) -> bytes:
        """The answer to the call of that number."""
        limit = self._request.limits.seconds
        try:
            unless = self._judge.guest.speaks
            frame = self._worker.guest.receive(left(self._deadline), limit, unless)
            answer = open_frame(frame, number)
            self._attempt.output = (self._attempt.output + answer.text())[:OUTPUT_BYTES]
            payload = answer.blob()
        except Interrupted as interrupted:
            raise _CallLeft from interrupted
        except (Ended, Malformed) as ended:
            raise _WorkerGone(ended) from ended
        # Many short calls may use up together what no single one does.
        if time.monotonic() - self._test_began > limit:
            used = self._worker.guest.cpu_seconds() - self._cpu_before
            if used > limit:
                raise _WorkerGone(Ended("used up its CPU time", timed_out=True))
        return payload or b"\0"


class _CallLeft(Exception):
    """The judge goes on without the answer to its call."""


class _WorkerGone(Exception):
    def __init__(self, ended: Ended | Malformed) -> None:
        super().__init__(str(ended))
        self.ended = ended


def _load(request: Request) -> bytes:
    message = Message().blob(b"").text("load").text(request.class_name).text(request.adapter_name)
    return message.number(OUTPUT_BYTES).blobs(request.classes).encoded()
