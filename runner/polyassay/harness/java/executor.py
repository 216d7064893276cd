"""Judging together: an executor JVM runs a candidate and its tests, watched from outside."""

import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from polyassay.harness.java.jvm import Jvm
from polyassay.harness.java.messages import Malformed, Message, MessageReader
from polyassay.model import Limits, TestStatus
from polyassay.sandbox import Ended

OUTPUT_BYTES = 64 << 10


@dataclass(frozen=True, slots=True)
class Request:
    test_classes: Sequence[str]
    names: Sequence[str]
    classes: Mapping[str, bytes]  # what runs beside the candidate, and the candidate
    files: Mapping[str, bytes]
    limits: Limits
    vintage: bool
    judge_classes: Mapping[str, bytes] = field(default_factory=dict)  # judged apart: the tests
    class_name: str = ""
    adapter_name: str = ""
    jars: tuple[Path, ...] = ()  # libraries, which a JVM is started with


@dataclass(frozen=True, slots=True)
class Finished:
    status: TestStatus
    type: str = ""
    message: str = ""
    source: str = ""  # the file, class and line that threw, of the candidate's or the tests' own
    owner: str = ""
    line: int = 0
    seconds: float = 0.0


@dataclass(slots=True)
class Attempt:
    """How far one executor got with a request."""

    results: dict[str, Finished] = field(default_factory=dict)
    running: str = ""
    last: str = ""
    output: str = ""
    wires: tuple[str, ...] = ()  # what it changed that a next candidate would see
    complete: bool = False
    cpu_seconds: float = 0.0


class Executor(Jvm):
    """Runs a candidate and its tests together."""

    def run(self, request: Request, deadline: float) -> Attempt:
        """Runs the tests up to the first that ends the process or breaks a limit."""
        attempt = Attempt()
        nonce = secrets.token_bytes(16)
        before = self.guest.cpu_seconds()
        try:
            self.guest.send(encode(request, nonce), left(deadline))
            while not attempt.complete:
                frame = self.guest.receive(left(deadline), request.limits.seconds)
                message = open_frame(frame, nonce)
                note(attempt, message.text(), message)
                if spoilt(attempt):
                    break
        except (Ended, Malformed) as ended:
            blame(attempt, request, ended)
        self.served += 1
        done = attempt.complete and all(name in attempt.results for name in request.names)
        self.usable = done and not attempt.wires
        attempt.cpu_seconds = self.guest.cpu_seconds() - before
        if not self.usable:
            self.close()
        return attempt


def encode(request: Request, nonce: bytes) -> bytes:
    """The frame that asks for it; the answers to it begin with the nonce."""
    message = Message().blob(nonce).texts(request.test_classes).texts(request.names)
    message.flag(request.vintage).number(OUTPUT_BYTES)
    classes = request.judge_classes or request.classes
    return message.blobs(request.files).blobs(classes).encoded()


def left(deadline: float) -> float:
    """Seconds until then, and never none: a wait needs some."""
    return max(deadline - time.monotonic(), 0.001)


def open_frame(frame: bytes, nonce: bytes) -> MessageReader:
    """A frame that answers the request; others can only be a candidate's."""
    message = MessageReader(frame)
    if message.blob() != nonce:
        raise Malformed("sent a frame without the request's nonce")
    return message


def note(attempt: Attempt, what: str, message: MessageReader) -> None:
    """Takes one frame of a test's start or end into account."""
    match what:
        case "started":
            attempt.running = attempt.last = message.text()
        case "finished":
            name = message.text()
            finished = _read_finished(message)
            attempt.output += message.text()
            before = attempt.results.get(name)
            if before is None or before.status is TestStatus.PASSED:
                attempt.results[name] = finished
            attempt.running = ""
        case "end":
            attempt.wires = tuple(message.texts())
            attempt.output += message.text()
            attempt.complete = True
        case other:
            raise Malformed(f"sent an unknown message {other[:20]!r}")


def _read_finished(message: MessageReader) -> Finished:
    status = message.text()
    if status not in ("passed", "failed", "error", "skipped", "out_of_memory"):
        raise Malformed(f"sent an unknown status {status[:20]!r}")
    return Finished(
        status=TestStatus(status),
        type=message.text(),
        message=message.text(),
        source=message.text(),
        owner=message.text(),
        line=message.number(),
        seconds=message.real(),
    )


def spoilt(attempt: Attempt) -> bool:
    """After a full heap nothing in the process is to be trusted; later tests get another one."""
    last = attempt.results.get(attempt.last)
    return not attempt.running and last is not None and last.status is TestStatus.OUT_OF_MEMORY


def blame(attempt: Attempt, request: Request, ended: Ended | Malformed) -> None:
    """Gives the end of the process to the test in which it happened.

    Between tests it goes to the next one, and after all of them to the last: there is no way out
    of the process that leaves every result as it was.
    """
    waiting = [name for name in request.names if name not in attempt.results]
    name = attempt.running or (waiting or [attempt.last or request.names[-1]])[0]
    attempt.results[name] = _ending(ended)


def _ending(ended: Ended | Malformed) -> Finished:
    if isinstance(ended, Ended) and ended.timed_out:
        return Finished(TestStatus.TIMED_OUT, message=str(ended))
    if isinstance(ended, Ended) and ended.out_of_memory:
        return Finished(TestStatus.OUT_OF_MEMORY, message=str(ended))
    return Finished(TestStatus.CRASHED, message=f"the process {ended}")
