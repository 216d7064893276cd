"""The request to a JVM for one candidate, and the results that came before the JVM ended."""

import base64
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from polyassay.harness import Job
from polyassay.harness.java.build import JavaBuild
from polyassay.harness.java.messages import (
    JudgingPlan,
    OfRequest,
    RunTests,
    TestFinished,
    TestsEnded,
    TestStarted,
)
from polyassay.harness.java.wire import Malformed
from polyassay.junit.xml import Case
from polyassay.model import Judging, Limits, Task, TestStatus
from polyassay.sandbox import Ended

OUTPUT_BYTES = 64 << 10
_JUNIT_4 = re.compile(r"^\s*import\s+(static\s+)?(org\.junit\.(?!jupiter|platform)|junit\.)", re.M)
_STATUSES = ("passed", "failed", "error", "skipped", "out_of_memory")


@dataclass(frozen=True, slots=True)
class JUnitRequest:
    """One candidate's tests."""

    test_classes: tuple[str, ...]
    names: tuple[str, ...]
    classes: Mapping[str, bytes]  # what runs beside the candidate, and the candidate
    files: Mapping[str, bytes]
    limits: Limits
    vintage: bool
    judge_classes: Mapping[str, bytes] = field(default_factory=dict)  # judged apart: the tests
    class_name: str = ""
    adapter_name: str = ""
    jars: tuple[Path, ...] = ()  # libraries, which a JVM is started with
    own: tuple[str, ...] = ()  # which of the classes are the candidate's, judged together

    def message(self, nonce: bytes, shared: bool = True) -> RunTests:
        """The message to the JVM that runs the tests, which serves one candidate or several."""
        return RunTests(
            nonce=nonce,
            test_classes=self.test_classes,
            names=self.names,
            vintage=self.vintage,
            shared=shared,
            own=self.own,
            output_limit=OUTPUT_BYTES,
            files=self.files,
            classes=self.judge_classes or self.classes,
        )


def request_of(task: Task, built: JavaBuild, plan: JudgingPlan, judged: Judging) -> JUnitRequest:
    sources = "\n".join((task.test_source, *task.support.values()))
    apart = judged is Judging.APART
    return JUnitRequest(
        test_classes=built.test_classes,
        names=tuple(test.name for test in task.tests),
        classes=built.classes,
        files=files_of(task),
        limits=task.limits,
        vintage=bool(_JUNIT_4.search(sources)),
        judge_classes={**plan.support, **plan.classes} if apart else {},
        class_name=task.class_name,
        adapter_name=plan.adapter_name,
        jars=tuple(map(Path, plan.jars)),
        own=() if apart else built.own,
    )


def files_of(task: Task) -> dict[str, bytes]:
    return {path: base64.b64decode(content) for path, content in task.data_files.items()}


@dataclass(frozen=True, slots=True)
class FinishedTest:
    """How one test ended."""

    status: TestStatus
    type: str = ""
    message: str = ""
    source: str = ""  # the file, class and line that threw, of the candidate's or the tests' own
    owner: str = ""
    line: int = 0
    seconds: float = 0.0

    def lasting(self, seconds: float) -> "FinishedTest":
        return replace(self, seconds=seconds)


@dataclass(slots=True)
class Attempt:
    """How far one JVM got with a request."""

    request: JUnitRequest
    nonce: bytes
    results: dict[str, FinishedTest] = field(default_factory=dict)
    running: str = ""
    last: str = ""
    output: str = ""
    changes: tuple[str, ...] = ()  # what a next candidate would see
    ended: bool = False
    cpu_seconds: float = 0.0
    idled: bool = False  # wall time ended it, not CPU time
    doubtful: bool = False  # something that is not this candidate's doing may have ended it

    def note(self, message: OfRequest) -> None:
        """Takes one message into account."""
        self.check(message.nonce)
        match message:
            case TestStarted():
                self.running = self.last = message.test
            case TestFinished():
                self._note_finished(message)
            case TestsEnded():
                self.changes = message.changes
                self.output += message.output
                self.ended = True

    def check(self, nonce: bytes) -> None:
        """Raises Malformed for a message that does not belong to the request: a candidate's."""
        if nonce != self.nonce:
            raise Malformed("sent a frame without the request's nonce")

    def _note_finished(self, message: TestFinished) -> None:
        if message.status not in _STATUSES:
            raise Malformed(f"sent an unknown status {message.status[:20]!r}")
        self.output += message.output
        self.running = ""
        before = self.results.get(message.test)
        if before is None or before.status is TestStatus.PASSED:
            self.results[message.test] = FinishedTest(
                status=TestStatus(message.status),
                type=message.type,
                message=message.message,
                source=message.source,
                owner=message.owner,
                line=message.line,
                seconds=message.seconds,
            )

    def blame(self, ended: Ended | Malformed) -> None:
        """Gives the end of the process to the test in which it happened.

        Between tests it goes to the next one, and after all of them to the last: there is no way
        out of the process that leaves every result as it was.
        """
        names = self.request.names
        waiting = [name for name in names if name not in self.results]
        name = self.running or (waiting or [self.last or names[-1]])[0]
        self.results[name] = ending_of(ended)
        self.idled = isinstance(ended, Ended) and ended.idled
        self.doubtful = self.doubtful or (isinstance(ended, Ended) and ended.killed)

    def ended_by(self, cpu_seconds: float) -> bool:
        """Whether a judge that used so much CPU time may have kept the candidate from ending.

        A time limit is another process' doing where that used less than half of the time.
        """
        for each in self.results.values():
            if each.status in (TestStatus.OUT_OF_MEMORY, TestStatus.CRASHED):
                return True
            if each.status is TestStatus.TIMED_OUT and cpu_seconds > self.cpu_seconds / 2:
                return True
        return False

    @property
    def complete(self) -> bool:
        """Whether all tests have results and the process is still good."""
        return self.ended and all(name in self.results for name in self.request.names)

    @property
    def heap_was_full(self) -> bool:
        return any(each.status is TestStatus.OUT_OF_MEMORY for each in self.results.values())

    @property
    def last_filled_the_heap(self) -> bool:
        """After that nothing in the process is to be trusted; later tests get another one."""
        last = self.results.get(self.last)
        return not self.running and last is not None and last.status is TestStatus.OUT_OF_MEMORY


@dataclass(slots=True)
class TestsRun:
    """One candidate's tests, in as many processes as it took."""

    results: dict[str, FinishedTest] = field(default_factory=dict)
    output: str = ""
    cpu_seconds: float = 0.0
    idled: bool = False  # wall time ended it: no more tests, and to be tried once more
    doubtful: bool = False  # something else may have ended a process of it

    def add(self, attempt: Attempt) -> None:
        self.results.update(attempt.results)
        self.output += attempt.output
        self.cpu_seconds += attempt.cpu_seconds
        self.idled |= attempt.idled
        self.doubtful |= attempt.doubtful

    @property
    def passed(self) -> bool:
        return all(result.status is TestStatus.PASSED for result in self.results.values())

    def cases(self, job: Job) -> Iterator[Case]:
        """The cases of its report: one for each test that is expected."""
        missing = FinishedTest(
            TestStatus.NOT_RUN, message="the candidate's time was used up before it"
        )
        for test in job.task.tests:
            result = self.results.get(test.name, missing)
            message = " ".join(filter(None, (result.message, _place(job, result))))
            yield Case(test.name, result.status, result.type, message, result.seconds)


def ending_of(ended: Ended | Malformed) -> FinishedTest:
    """The result of a test in which its process ended."""
    if isinstance(ended, Ended) and ended.timed_out:
        return FinishedTest(TestStatus.TIMED_OUT, message=str(ended))
    if isinstance(ended, Ended) and ended.out_of_memory:
        return FinishedTest(TestStatus.OUT_OF_MEMORY, message=str(ended))
    return FinishedTest(TestStatus.CRASHED, message=f"the process {ended}")


def _place(job: Job, result: FinishedTest) -> str:
    """Where the exception was thrown: a line of the answer, or else of a file."""
    if not result.source:
        return ""
    own = job.task.simple_class_name + ".java"
    line = result.line - job.program.first_line + 1
    if result.source == own and line > 0 and not job.program.files:
        return f"(at line {line} of the answer)"
    return f"({result.owner.rpartition('.')[2]}:{result.line})"
