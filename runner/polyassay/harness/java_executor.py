"""Executor JVMs, from the runner's side: started ahead, watched from outside, reused with care."""

import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from polyassay.harness.java_jdk import Image
from polyassay.harness.java_wire import Malformed, Message, MessageReader
from polyassay.model import Limits, TestStatus
from polyassay.sandbox import Box, BoxLimits, Ended, Guest, Sandbox

# The heap gets all of a task's memory. The sandbox gets this much on top for what a JVM needs
# itself: class metadata and code (bounded below), threads' stacks, the archive's pages.
_JVM_OWN_MB = 384
_BOUNDS = (
    "-XX:MaxMetaspaceSize=128m",
    "-XX:ReservedCodeCacheSize=48m",
    "-XX:MaxDirectMemorySize=64m",
)
_QUICK = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xshare:auto")
_QUIET = (
    "-XX:+SuppressFatalErrorMessage",
    "-XX:-CreateCoredumpOnCrash",
    "-XX:+DisableAttachMechanism",
)
_START_SECONDS = 120.0
_OUTPUT_BYTES = 64 << 10
_MAIN = "com.polyassay.harness/com.polyassay.execute.Executor"
_ROOTS = "org.junit.platform.launcher,org.junit.jupiter.engine,org.junit.jupiter.params"


@dataclass(frozen=True, slots=True)
class Kind:
    """What must be known of a task before its executor is started."""

    memory_mb: int
    vintage: bool  # JUnit 4


@dataclass(frozen=True, slots=True)
class Request:
    test_classes: Sequence[str]
    names: Sequence[str]
    classes: Mapping[str, bytes]
    files: Mapping[str, bytes]
    limits: Limits
    kind: Kind


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


class Executor:
    """One sandboxed JVM with JUnit."""

    def __init__(self, sandbox: Sandbox, image: Image, kind: Kind) -> None:
        self.kind = kind
        self.served = 0
        self.usable = True
        self._ready = False
        self._guest: Guest = sandbox.start(executor_box(image, kind))

    def wait_until_ready(self) -> None:
        """Raises Ended where the JVM does not come up, which is never a candidate's doing."""
        if not self._ready:
            self._guest.receive(_START_SECONDS)
            self._ready = True

    def run(self, request: Request, deadline: float) -> Attempt:
        """Runs the tests up to the first that ends the process or breaks a limit."""
        attempt = Attempt()
        nonce = secrets.token_bytes(16)
        before = self._guest.cpu_seconds()
        try:
            self._guest.send(encode(request, nonce), _left(deadline))
            while not attempt.complete:
                frame = self._guest.receive(_left(deadline), request.limits.seconds)
                _note(attempt, MessageReader(frame), nonce)
                if _spoilt(attempt):
                    break
        except (Ended, Malformed) as ended:
            _blame(attempt, request, ended)
        self.served += 1
        done = attempt.complete and all(name in attempt.results for name in request.names)
        self.usable = done and not attempt.wires
        attempt.cpu_seconds = self._guest.cpu_seconds() - before
        if not self.usable:
            self.close()
        return attempt

    def close(self) -> None:
        self.usable = False
        self._guest.close()


def executor_box(image: Image, kind: Kind) -> Box:
    name = "vintage" if kind.vintage else "executor"
    argv = java_command(image, kind, f"-XX:SharedArchiveFile={image.archive(name)}")
    return Box(
        argv=argv,
        readable=(image.folder, image.jars),
        limits=BoxLimits(memory_mb=kind.memory_mb + _JVM_OWN_MB),
    )


def java_command(image: Image, kind: Kind, *more: str) -> tuple[str, ...]:
    roots = _ROOTS
    if kind.vintage:
        jars = [*image.jars.glob("junit-4*.jar"), *image.jars.glob("junit-vintage-*.jar")]
        jars += image.jars.glob("hamcrest-*.jar")
        more += ("--module-path", ":".join(map(str, jars)))
        roots += ",org.junit.vintage.engine"
    heap = (f"-Xmx{kind.memory_mb}m", "-Xms16m", "-Dfile.encoding=UTF-8")
    flags = (*_QUICK, *_BOUNDS, *_QUIET, *heap, *more, "--add-modules", roots)
    return (image.java, *flags, "-m", _MAIN)


def encode(request: Request, nonce: bytes) -> bytes:
    """The frame that asks for it; the answers to it begin with the nonce."""
    message = Message().blob(nonce).texts(request.test_classes).texts(request.names)
    message.flag(request.kind.vintage).number(_OUTPUT_BYTES)
    return message.blobs(request.files).blobs(request.classes).encoded()


def _left(deadline: float) -> float:
    return max(deadline - time.monotonic(), 0.001)


def _note(attempt: Attempt, message: MessageReader, nonce: bytes) -> None:
    if message.blob() != nonce:
        raise Malformed("sent a frame without the request's nonce")
    match message.text():
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


def _spoilt(attempt: Attempt) -> bool:
    """After a full heap nothing in the process is to be trusted; later tests get another one."""
    last = attempt.results.get(attempt.last)
    return not attempt.running and last is not None and last.status is TestStatus.OUT_OF_MEMORY


def _blame(attempt: Attempt, request: Request, ended: Ended | Malformed) -> None:
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
