"""Judging together: an executor JVM runs a candidate and its tests, watched from outside."""

import secrets

from polyassay.harness.allowance import Allowance
from polyassay.harness.java.attempt import Attempt, JUnitRequest
from polyassay.harness.java.jvm import Jvm
from polyassay.harness.java.messages import TestFinished, TestsEnded, TestStarted
from polyassay.harness.java.wire import Malformed
from polyassay.sandbox import Ended


class ExecutorJvm(Jvm):
    """Runs a candidate and its tests together."""

    def run(self, request: JUnitRequest, allowance: Allowance, shared: bool) -> Attempt:
        """Runs the tests up to the first that ends the process or breaks a limit.

        `shared`: the JVM may serve several, so that it looks for what others would see of this one.
        """
        attempt = Attempt(request, secrets.token_bytes(16))
        allowance.count(self.guest)
        before = allowance.used()
        try:
            self.tell(request.message(attempt.nonce, shared), allowance)
            while not attempt.ended and not attempt.last_filled_the_heap:
                message = self.hear(TestStarted, TestFinished, TestsEnded, within=allowance)
                attempt.note(message)
                allowance.begin_test()
        except (Ended, Malformed) as ended:
            attempt.blame(ended)
        self.served += 1
        self.usable = attempt.complete and not attempt.changes
        attempt.cpu_seconds = allowance.used() - before
        if not self.usable:
            self.close()
        allowance.pause()
        return attempt
