"""Judging together: an executor JVM runs a candidate and its tests, watched from outside."""

import secrets

from polyassay.harness.java.attempt import Attempt, Request, left
from polyassay.harness.java.jvm import Jvm
from polyassay.harness.java.messages import TestFinished, TestsEnded, TestStarted
from polyassay.harness.java.wire import Malformed
from polyassay.sandbox import Ended


class Executor(Jvm):
    """Runs a candidate and its tests together."""

    def run(self, request: Request, deadline: float) -> Attempt:
        """Runs the tests up to the first that ends the process or breaks a limit."""
        attempt = Attempt(request, secrets.token_bytes(16))
        before = self.guest.cpu_seconds()
        try:
            self.tell(request.message(attempt.nonce), left(deadline))
            while not attempt.ended and not attempt.last_filled_the_heap:
                attempt.note(
                    self.hear(
                        TestStarted,
                        TestFinished,
                        TestsEnded,
                        timeout=left(deadline),
                        cpu_seconds=request.limits.seconds,
                    )
                )
        except (Ended, Malformed) as ended:
            attempt.blame(ended)
        self.served += 1
        self.usable = attempt.complete and not attempt.changes
        attempt.cpu_seconds = self.guest.cpu_seconds() - before
        if not self.usable:
            self.close()
        return attempt
