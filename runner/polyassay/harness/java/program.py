"""Java programs: a class with a main method, standard input in, standard output out.

Each test is a run of the program in a JVM of its own. What it printed is compared here, out of the
candidate's reach, so programs are always judged apart.
"""

import re
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass

from polyassay.comparison.output import difference, rule_of
from polyassay.harness.allowance import Allowance
from polyassay.harness.java.attempt import FinishedTest, ending_of
from polyassay.harness.java.jvm import Jvm
from polyassay.harness.java.messages import ProgramEnded, RunProgram
from polyassay.harness.java.wire import Malformed
from polyassay.model import Limits, Task, Test, TestStatus
from polyassay.sandbox import Ended

STDOUT_BYTES = 4 << 20
_THROWN = 'Exception in thread "main" '  # as the JVM says it
_EXIT_STATUS = re.compile(r"\(exit status (\d+)\)$")


@dataclass(frozen=True, slots=True)
class ProgramRequest:
    """One candidate's program."""

    task: Task
    classes: Mapping[str, bytes]
    files: Mapping[str, bytes]

    @property
    def limits(self) -> Limits:
        return self.task.limits


@dataclass(frozen=True, slots=True)
class ProgramRun:
    """How one test of a program ended."""

    finished: FinishedTest
    stderr: str = ""
    idled: bool = False  # wall time ended it, not CPU time
    doubtful: bool = False  # something else on the machine may have ended it


class ProgramJvm(Jvm):
    """Runs a program once, and ends with it."""

    def run(self, request: ProgramRequest, test: Test, allowance: Allowance) -> ProgramRun:
        nonce = secrets.token_bytes(16)
        started = time.monotonic()
        allowance.count(self.guest)
        stderr, idled, doubtful = "", False, False
        try:
            self.tell(
                RunProgram(
                    nonce=nonce,
                    class_name=request.task.class_name,
                    stdin=test.stdin.encode("utf-8", "replace"),
                    output_limit=STDOUT_BYTES + 1,
                    files=request.files,
                    classes=request.classes,
                ),
                allowance,
            )
            ended = self.hear(ProgramEnded, within=allowance)
            if ended.nonce != nonce:
                raise Malformed("sent a frame without the request's nonce")
            stderr = ended.stderr
            finished = _judged(request.task, test, ended, self._exit_status(allowance))
        except (Ended, Malformed) as problem:
            finished = ending_of(problem)
            if isinstance(problem, Ended):
                idled, doubtful = problem.idled, problem.killed
        self.close()
        allowance.pause()
        self.served += 1
        finished = finished.lasting(time.monotonic() - started)
        return ProgramRun(finished, stderr, idled, doubtful)

    def _exit_status(self, allowance: Allowance) -> int:
        """Raises Ended where the process ended by no exit of its own."""
        try:
            self.guest.receive(allowance.patience, allowance.check)
        except Ended as ended:
            status = _EXIT_STATUS.search(str(ended))
            if status is None:
                raise
            return int(status[1])
        raise Malformed("sent more than the end of the program")


def _judged(task: Task, test: Test, ended: ProgramEnded, status: int) -> FinishedTest:
    if status:
        lines = ended.stderr.strip().splitlines() or [""]
        thrown = next((line for line in lines if line.startswith(_THROWN)), "")
        message = f"exit status {status}: {thrown or lines[-1]}".strip(": ")
        full = thrown.startswith(f"{_THROWN}java.lang.OutOfMemoryError")
        return FinishedTest(TestStatus.OUT_OF_MEMORY if full else TestStatus.ERROR, message=message)
    if len(ended.stdout) > STDOUT_BYTES:
        return FinishedTest(TestStatus.ERROR, message="printed more than is kept")
    wrong = difference(rule_of(task.extra), test.stdout, ended.stdout)
    if wrong:
        return FinishedTest(TestStatus.FAILED, type="AssertionError", message=wrong)
    return FinishedTest(TestStatus.PASSED)
