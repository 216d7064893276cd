"""The compile service, from the runner's side: one warm JVM, replaced when a source breaks it."""

import logging
import secrets
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from py4j.java_gateway import GatewayParameters, JavaGateway
from py4j.protocol import Py4JError

from polyassay.errors import PolyAssayError
from polyassay.harness.java.jdk import Jdk
from polyassay.harness.java.messages import Message, MessageReader
from polyassay.model import Task

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
_OUT_OF_MEMORY = "the compiler ran out of memory"  # as the Java side says it


# py4j tells the root logger of every broken connection; here a broken service is an everyday thing.
logging.getLogger().addFilter(lambda record: record.module != "java_gateway")


@dataclass(frozen=True, slots=True)
class Layer:
    """Sources that are compiled together, against the layers before them."""

    sources: Mapping[str, str]
    kept: bool = False  # other candidates share it; only for a first layer
    junit: bool = False  # whether JUnit is on its class path


@dataclass(frozen=True, slots=True)
class Diagnostic:
    source: str
    line: int
    column: int
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Build:
    """What became of a list of layers."""

    classes: tuple[dict[str, bytes], ...] = ()  # by layer
    failed: int | None = None  # the layer that did not compile
    problem: str = ""  # why the compiler gave up without a diagnostic
    diagnostics: tuple[Diagnostic, ...] = ()
    found: tuple[str, ...] = ()  # declarations of the wanted method in the failed layer's way


@dataclass(frozen=True, slots=True)
class JudgingPlan:
    """How a task's candidates are checked and judged; does not depend on any of them."""

    adapter_name: str  # empty: the signature gives no adapter
    adapter: str
    support_first: bool  # whether support compiles without the candidate
    together_because: str  # empty: the task can be judged apart
    classes: Mapping[str, bytes]  # support, stub and tests; empty: the tests need more than a stub
    test_classes: tuple[str, ...]
    adapter_class: bytes  # compiled with the stub; empty: tests must be compiled per candidate
    jars: tuple[Path, ...] = ()  # libraries of the task, for every layer and every JVM


class _Service:
    """One JVM. Dies with this process, because its standard input ends then."""

    def __init__(self, jdk: Jdk, jars: Path, seconds: float) -> None:
        junit = sorted(str(jar) for jar in jars.glob("*.jar") if _is_junit(jar))
        classpath = [jars / "polyassay-harness.jar", *jars.glob("py4j-*.jar")]
        # Over hundreds of candidates the second compiler costs more CPU time than it saves.
        argv = [jdk.tool("java"), f"-Xmx{_HEAP}", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
        argv += ["-XX:-UsePerfData", "-cp", ":".join(map(str, classpath))]
        argv += ["com.polyassay.compile.CompileService", str(_OUTPUT_BYTES)]
        argv += [f"{seconds}", *junit]
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
            raise PolyAssayError(
                "The compile service did not start.", hint="Try another JDK with --jdk."
            )
        parameters = GatewayParameters(port=int(port), auth_token=token, read_timeout=_WALL_SECONDS)
        self._gateway = JavaGateway(gateway_parameters=parameters)
        self.users = 0
        self.retired = False

    def build(self, request: bytes) -> Build:
        return _read(bytes(self._gateway.entry_point.build(request)))

    def plan(self, request: bytes) -> JudgingPlan:
        answer = MessageReader(bytes(self._gateway.entry_point.plan(request)))
        return JudgingPlan(
            adapter_name=answer.text(),
            adapter=answer.text(),
            support_first=answer.flag(),
            together_because=answer.text(),
            classes=answer.blobs(),
            test_classes=tuple(answer.texts()),
            adapter_class=answer.blob(),
        )

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()


class Compiler:
    """Hands builds to the service, from any thread, and replaces it when one breaks it."""

    def __init__(self, jdk: Jdk, jars: Path, seconds: float = 20.0) -> None:
        self._jdk = jdk
        self._jars = jars
        self._seconds = seconds
        self._lock = threading.Lock()
        self._alone = threading.Lock()
        self._service: _Service | None = None
        self._all: set[_Service] = set()

    def build(
        self, class_name: str, method: str, layers: tuple[Layer, ...], jars: Sequence[Path] = ()
    ) -> Build:
        """Compiles layer after layer, up to the first that does not compile."""
        size = sum(len(text) for layer in layers for text in layer.sources.values())
        if size > _SOURCE_BYTES:
            return Build(problem=f"the source exceeds {_SOURCE_BYTES >> 20} MB")
        message = Message().text(class_name).text(method).texts([str(jar) for jar in jars])
        message.number(len(layers))
        for layer in layers:
            message.blobs(
                {path: text.encode("utf-8", "replace") for path, text in layer.sources.items()}
            )
            message.flag(layer.kept).flag(layer.junit)
        request = message.encoded()
        build = self._ask(request, self._shared)
        # Sources share a service; what broke it may have been a neighbour, so ask once more, alone.
        if build is None or build.problem == _OUT_OF_MEMORY:
            build = self._ask(request, self._own)
        return build or Build(problem="the compiler broke off")

    def plan(self, task: Task, jars: Sequence[Path] = ()) -> JudgingPlan:
        """Trusts the task's own sources, and so needs no limits."""
        message = Message().text(task.class_name).text(task.signature)
        message.text(task.extra.get("extends", "")).text(task.context)
        message.blobs({path: text.encode() for path, text in task.support.items()})
        message.text(task.test_source).texts([str(jar) for jar in jars])
        service = self._shared()
        plan = None
        try:
            plan = replace(service.plan(message.encoded()), jars=tuple(jars))
        finally:
            self._leave(service, broken=plan is None)
        return plan

    def close(self) -> None:
        with self._lock:
            for service in list(self._all):
                service.close()
            self._all.clear()
            self._service = None

    def _ask(self, request: bytes, enter: Callable[[], _Service]) -> Build | None:
        """None: the service is gone, for a reason that need not be this source's."""
        service = enter()
        build = None
        try:
            build = service.build(request)
        except (Py4JError, OSError):
            pass
        finally:
            self._leave(service, broken=build is None or bool(build.problem))
        return build

    def _shared(self) -> _Service:
        with self._lock:
            if self._service is None or self._service.process.poll() is not None:
                self._service = self._start()
            self._service.users += 1
            return self._service

    def _own(self) -> _Service:
        with self._lock:
            service = self._start()
            service.users += 1
            service.retired = True
            return service

    def _start(self) -> _Service:
        service = _Service(self._jdk, self._jars, self._seconds)
        self._all.add(service)
        return service

    def _leave(self, service: _Service, broken: bool) -> None:
        """A broken service gets no new work, and ends when the last build in it does."""
        with self._lock:
            service.users -= 1
            service.retired = service.retired or broken
            if service.retired and service is self._service:
                self._service = None
            if service.retired and not service.users and service in self._all:
                self._all.remove(service)
                service.close()


def _read(answer: bytes) -> Build:
    message = MessageReader(answer)
    failed = message.number()
    problem = message.text()
    diagnostics = tuple(
        Diagnostic(
            source=message.text(),
            line=message.number(),
            column=message.number(),
            code=message.text(),
            message=message.text(),
        )
        for _ in range(message.number())
    )
    found = tuple(message.texts())
    classes = tuple(message.blobs() for _ in range(message.number()))
    return Build(classes, None if failed < 0 else failed, problem, diagnostics, found)


def _is_junit(jar: Path) -> bool:
    return jar.name.startswith(_JUNIT)
