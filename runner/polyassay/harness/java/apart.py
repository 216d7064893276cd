"""Judging apart: a judge JVM runs the tests, and each call goes to the candidate's worker JVM.

The runner stands between the two and moves the bytes of calls and answers, which it does not read.
Nothing that a worker can send means that a test has passed: its answers are values, of which the
judge makes fresh objects.
"""

import secrets
import time

from polyassay.harness.allowance import Allowance
from polyassay.harness.java.attempt import OUTPUT_BYTES, Attempt, JUnitRequest
from polyassay.harness.java.jvm import Jvm, JvmSpec
from polyassay.harness.java.messages import (
    AskCandidate,
    CallWorker,
    CandidateAnswered,
    Leave,
    Left,
    Load,
    TestFinished,
    TestsEnded,
    TestStarted,
    WorkerAnswered,
    WorkerGone,
)
from polyassay.harness.java.wire import Malformed
from polyassay.sandbox import Ended, Starved

_JUDGE_MB = 512
_JUDGE_SERVES = 1000  # candidates; then a fresh one, so that nothing in it can pile up
_SETTLE_SECONDS = 20.0  # for a judge to get over the loss of its worker
_FROM_JUDGE = (TestStarted, TestFinished, TestsEnded, CallWorker)


class JudgeJvm(Jvm):
    """Runs tests against stubs; never sees a candidate's class, and so serves many."""

    @staticmethod
    def spec_for(request: JUnitRequest) -> JvmSpec:
        return JvmSpec(_JUDGE_MB, vintage=request.vintage, jars=request.jars)

    def settle(self) -> None:
        """Lets the tests that are left fail without their worker; their results do not count."""
        deadline = time.monotonic() + _SETTLE_SECONDS
        try:
            self.tell(WorkerGone(), _SETTLE_SECONDS)
            while (seconds := deadline - time.monotonic()) > 0:
                message = self.hear(*_FROM_JUDGE, within=seconds)
                if isinstance(message, TestsEnded):
                    return
                if isinstance(message, CallWorker):
                    self.tell(WorkerGone(), _SETTLE_SECONDS)
            self.close()
        except (Ended, Malformed, Starved):
            self.close()


class WorkerJvm(Jvm):
    """Holds one candidate at a time, and nothing else."""

    def run(
        self, judge: JudgeJvm, request: JUnitRequest, allowance: Allowance, keep: bool
    ) -> Attempt:
        """Has the judge run the tests up to the first that ends the worker or breaks a limit.

        Raises Ended where the worker is gone before it has seen the candidate.
        """
        allowance.count(self.guest, judge.guest)
        before, before_in_judge = allowance.used(), judge.guest.cpu_seconds()
        self.tell(
            Load(request.class_name, request.adapter_name, OUTPUT_BYTES, request.classes),
            allowance,
        )
        attempt = _Exchange(self, judge, request, allowance).run()
        attempt.cpu_seconds = allowance.used() - before
        in_judge = judge.guest.cpu_seconds() - before_in_judge
        allowance.pause()
        # A judge that has served others may have a full heap, or be busy with what they left.
        attempt.doubtful |= judge.served > 0 and attempt.ended_by(in_judge)
        self.served += 1
        judge.served += 1
        done = attempt.complete and not attempt.heap_was_full
        self.usable = self.usable and done and (not keep or self._leaves_nothing())
        # Either heap may have been full, and a class whose start failed for that stays broken.
        if attempt.heap_was_full or judge.served >= _JUDGE_SERVES:
            judge.close()
        return attempt

    def _leaves_nothing(self) -> bool:
        """Takes the candidate out; tells whether the next one would see anything of it."""
        number = secrets.token_bytes(8)
        try:
            self.tell(Leave(number), _SETTLE_SECONDS)
            return self.hear(Left, within=_SETTLE_SECONDS) == Left(number, ())
        except (Ended, Malformed, Starved):
            return False


class _Exchange:
    """One request, from the judge's first message to its last."""

    def __init__(
        self, worker: WorkerJvm, judge: JudgeJvm, request: JUnitRequest, allowance: Allowance
    ) -> None:
        self._worker = worker
        self._judge = judge
        self._request = request
        self._allowance = allowance
        self._attempt = Attempt(request, secrets.token_bytes(16))

    def run(self) -> Attempt:
        attempt = self._attempt
        try:
            self._judge.tell(self._request.message(attempt.nonce), self._allowance)
            while not attempt.ended:
                self._step()
            if attempt.changes:
                # The tests changed something in the judge, which the candidate cannot do.
                self._judge.close()
                attempt.changes = ()
        except _WorkerEnded as gone:
            self._worker.close()
            attempt.blame(gone.ended)
            self._judge.settle()
        except _CallLeft:
            self._leave_call()
        except (Ended, Malformed) as ended:
            # The tests themselves took too long, or choked on what the candidate returned.
            self._judge.close()
            self._worker.close()
            attempt.blame(ended)
        except Starved:
            self._judge.close()
            raise
        return attempt

    def _step(self) -> None:
        """One message of the judge's: a test's start or end, or a call."""
        message = self._judge.hear(*_FROM_JUDGE, within=self._allowance)
        if isinstance(message, CallWorker):
            self._attempt.check(message.nonce)
            answer = self._ask_worker(message.call)
            self._judge.tell(WorkerAnswered(answer), self._allowance)
            return
        self._attempt.note(message)
        self._allowance.begin_test()

    def _ask_worker(self, call: bytes) -> bytes:
        number = secrets.token_bytes(8)
        try:
            self._worker.tell(AskCandidate(number, call), self._allowance)
            answer = self._worker.hear(
                CandidateAnswered, within=self._allowance, meanwhile=self._leave_if_judge_speaks
            )
            if answer.number != number:
                raise Malformed("sent a frame without the request's nonce")
            self._allowance.check()  # many short calls may use up together what no single one does
        except (Ended, Malformed) as ended:
            raise _WorkerEnded(ended) from ended
        self._attempt.output = (self._attempt.output + answer.output)[:OUTPUT_BYTES]
        return answer.answer

    def _leave_if_judge_speaks(self) -> None:
        if self._judge.guest.speaks():
            raise _CallLeft

    def _leave_call(self) -> None:
        """A test ended without its call's answer, as those with a time limit of their own do.

        The worker still computes that answer, and a thread of the judge waits for it: the tests
        that are left get others of both.
        """
        try:
            self._attempt.note(self._judge.hear(TestFinished, within=self._allowance))
        except (Ended, Malformed) as ended:
            self._attempt.blame(ended)
        self._worker.close()
        self._judge.close()


class _CallLeft(Exception):
    """The judge goes on without the answer to its call."""


class _WorkerEnded(Exception):
    def __init__(self, ended: Ended | Malformed) -> None:
        super().__init__(str(ended))
        self.ended = ended
