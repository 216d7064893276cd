"""The compile service, from the runner's side: one warm JVM, replaced when a source breaks it."""

import logging
import secrets
import subprocess
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from py4j.java_gateway import GatewayParameters, JavaGateway
from py4j.protocol import Py4JError

from polyassay.candidates.answers import reference_of
from polyassay.candidates.program import make_program
from polyassay.errors import PolyAssayError
from polyassay.harness.java.build import named_by, sources_of
from polyassay.harness.java.jdk import Jdk
from polyassay.harness.java.messages import (
    BuildLayers,
    JudgingPlan,
    LayersBuilt,
    PlanTask,
)
from polyassay.harness.java.wire import decode, encode
from polyassay.model import Candidate, CandidateKey, Task
from polyassay.sandbox import Starved

M = TypeVar("M")
T = TypeVar("T")
_HEAP = "768m"
_WALL_SECONDS = 600.0  # the net below the limit of CPU time, which the service keeps itself
_OUTPUT_BYTES = 8 << 20
_SOURCE_BYTES = 1 << 20
_JUNIT = (
    "apiguardian",
    "hamcrest",
    "jspecify",
    "junit-4",
    "junit-jupiter-api",
    "junit-jupiter-params",
    "junit-platform-commons",
    "opentest4j",
    "polyassay-harness",  # what stubs call
)
_ATTEMPTS = 6  # several kills may hit one plan
_WAITS = (1.0, 4.0)  # seconds before a service that did not start is started again
_GO_ON = "See `polyassay doctor`, or try another JDK with --jdk; then go on with `run --resume`."
_OUT_OF_MEMORY = "the compiler ran out of memory"  # as the Java side says it


# py4j tells the root logger of every broken connection; here a broken service is an everyday thing.
logging.getLogger().addFilter(lambda record: record.module != "java_gateway")


class BrokeOff(Exception):
    """No answer that counts: to blame is this source, another before it, or the machine.

    The caller may ask again, and finds a fresh service.
    """


class _Service:
    """One JVM. Dies with this process, because its standard input ends then."""

    def __init__(self, jdk: Jdk, jars: Path, flags: Sequence[str]) -> None:
        junit = sorted(str(jar) for jar in jars.glob("*.jar") if _is_junit(jar))
        classpath = [jars / "polyassay-harness.jar", *jars.glob("py4j-*.jar")]
        # Over hundreds of candidates the second compiler costs more CPU time than it saves.
        argv = [jdk.tool("java"), f"-Xmx{_HEAP}", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
        argv += ["-XX:-UsePerfData", *flags, "-cp", ":".join(map(str, classpath))]
        argv += ["com.polyassay.service.CompileService", str(_OUTPUT_BYTES)]
        argv += junit
        token = secrets.token_hex(32)
        self.process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(token.encode() + b"\n")
        self.process.stdin.flush()
        port = self.process.stdout.readline().strip()
        if not port.isdigit():
            self.close()
            raise OSError(f"{argv[0]} gave no port")
        parameters = GatewayParameters(port=int(port), auth_token=token, read_timeout=_WALL_SECONDS)
        self._gateway = JavaGateway(gateway_parameters=parameters)

    def build(self, request: BuildLayers) -> LayersBuilt:
        answer = self._gateway.entry_point.build(encode(request))
        return decode(bytes(answer), LayersBuilt)

    def plan(self, request: PlanTask) -> JudgingPlan:
        answer = self._gateway.entry_point.plan(encode(request))
        return decode(bytes(answer), JudgingPlan)

    def end(self, within: float) -> None:
        """Lets it end by itself."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(within)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()


class Compiler:
    """Hands builds to the service, and replaces it when one breaks it."""

    def __init__(self, jdk: Jdk, jars: Path, flags: Callable[[], Sequence[str]] = tuple) -> None:
        """`flags` gives the options with which a service's JVM starts, beside the usual ones."""
        self._jdk = jdk
        self._jars = jars
        self._flags = flags
        self._service: _Service | None = None
        self._fresh = True  # nothing was asked of the service
        self._lock = threading.Lock()  # of the service's start and end; it serves several at once

    def carry_out(self, compiling: Generator[BuildLayers, LayersBuilt, T]) -> T:
        """Sends it each build that it asks for; gives what it returns."""
        try:
            request = next(compiling)
            while True:
                request = compiling.send(self.build(request))
        except StopIteration as done:
            found: T = done.value
            return found

    def build(self, request: BuildLayers) -> LayersBuilt:
        """Compiles layer after layer, up to the first that does not compile; or raises BrokeOff.

        A source that breaks the service off whenever it comes is to blame. `slot.py` finds that
        out, like everything that counts only where it comes again.
        """
        size = sum(len(text) for layer in request.layers for text in layer.sources.values())
        if size > _SOURCE_BYTES:
            return LayersBuilt(problem=f"the source exceeds {_SOURCE_BYTES >> 20} MB")
        return self._ask(lambda service: service.build(request))

    def plan(self, task: str, request: PlanTask) -> JudgingPlan:
        """Trusts the task's own sources, and so needs no limits.

        It asks again by itself, because the command has plans made before there is any slot.
        """
        for _ in range(_ATTEMPTS):
            with suppress(BrokeOff, Starved):
                return self._ask(lambda service: service.plan(request))
        raise PolyAssayError(
            f"The compile service broke off {_ATTEMPTS} times on the tests of {task}.",
            hint=_GO_ON,
        )

    def finish(self, within: float) -> None:
        """Closes, and lets the service end by itself before."""
        with self._lock:
            if self._service is not None:
                self._service.end(within)
            self._close()

    def close(self) -> None:
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._service is not None:
            self._service.close()
        self._service = None

    def _ask(self, what: Callable[[_Service], M]) -> M:
        """Raises Starved where the service is there and has not answered."""
        with self._lock:
            if self._service is None or self._service.process.poll() is not None:
                self._close()
                self._service, self._fresh = self._start(), True
            service = self._service
            fresh, self._fresh = self._fresh, False
        answer = None
        began = time.monotonic()
        try:
            answer = what(service)
        except (Py4JError, OSError):
            # It keeps the CPU time of each source, so it was the machine that kept it from working.
            if time.monotonic() - began >= _WALL_SECONDS:
                raise Starved(f"a source was not compiled in {_WALL_SECONDS:g} s") from None
        finally:
            if answer is None or (isinstance(answer, LayersBuilt) and answer.problem):
                with self._lock:
                    if self._service is service:
                        self._close()
        if answer is None:
            raise BrokeOff("the compiler broke off")
        # What was compiled before may have taken the memory.
        if not fresh and isinstance(answer, LayersBuilt) and answer.problem == _OUT_OF_MEMORY:
            raise BrokeOff(answer.problem)
        return answer

    def _start(self) -> _Service:
        """Tries again after a while, because a JDK may be away for a moment, as in an upgrade."""
        for wait in (*_WAITS, None):
            try:
                return _Service(self._jdk, self._jars, self._flags())
            except OSError as error:
                problem = error
            if wait is not None:
                time.sleep(wait)
        raise PolyAssayError(f"The compile service does not start: {problem}.", hint=_GO_ON)


def plan_request(task: Task, jars: Sequence[Path]) -> PlanTask:
    """Everything that a task's plan depends on, apart from the JDK and the harness.

    The reference is as the suite has it, because plans are kept by this; `with_reference` reads it.
    """
    text, form = reference_of(task)
    return PlanTask(
        class_name=task.class_name,
        signature=task.signature,
        superclass=task.extra.get("extends", ""),
        context=task.context,
        support=task.support,
        test_source=task.test_source,
        jars=tuple(str(jar) for jar in jars),
        reference={form: text} if text else {},
        named=named_by(task),
    )


def with_reference(request: PlanTask, task: Task) -> PlanTask:
    """With the reference made into a program, as the same text would be as an answer.

    Its imports may be missing, it may be a method alone, or go on where the context ends. It is
    the suite's, which is trusted with the time that this takes.
    """
    sources: dict[str, str] = {}
    if request.reference:
        candidate = Candidate(CandidateKey("", "", "", "", 0), *reference_of(task))
        with suppress(RecursionError):
            program = make_program(task, candidate)
            sources = {} if program.problem else sources_of(task, program)
    return replace(request, reference=sources)


def _is_junit(jar: Path) -> bool:
    return jar.name.startswith(_JUNIT)
