"""Sandboxed JVMs: how each kind is started, and with which limits."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from polyassay.harness.allowance import Allowance
from polyassay.harness.java.jdk import Image
from polyassay.harness.java.messages import Ready
from polyassay.harness.java.wire import decode, encode
from polyassay.sandbox import Box, BoxLimits, Guest, Sandbox
from polyassay.sandbox.patience import Patience
from polyassay_harness.switches import on

M = TypeVar("M")

# The heap gets all of a task's memory. The sandbox gets this much on top for what a JVM needs
# itself: class metadata and code (bounded below), threads' stacks, the archive's pages.
_JVM_OWN_MB = 384
# Threads count; on a busy machine all of a test that starts a thousand live at once.
PROCESSES = 1280
_BOUNDS = (
    "-XX:MaxMetaspaceSize=128m",
    "-XX:ReservedCodeCacheSize=48m",
    "-XX:MaxDirectMemorySize=64m",
)
# Both compilers, for tests that take long; each starts later than by default, so that short tests
# cost no more than with the first compiler alone (docs/benchmarks.md, Java).
_COMPILERS = (
    "-XX:Tier3InvocationThreshold=2000",
    "-XX:Tier3MinInvocationThreshold=1000",
    "-XX:Tier3CompileThreshold=4000",
    "-XX:Tier3BackEdgeThreshold=120000",
    "-XX:Tier4InvocationThreshold=50000",
    "-XX:Tier4MinInvocationThreshold=6000",
    "-XX:Tier4CompileThreshold=150000",
    "-XX:Tier4BackEdgeThreshold=400000",
)
_QUICK = (*_COMPILERS, "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xshare:auto")
_QUIET = (
    "-Xlog:disable",  # the JVM itself would print warnings between the frames
    "-XX:+SuppressFatalErrorMessage",
    "-XX:-CreateCoredumpOnCrash",
    "-XX:+DisableAttachMechanism",
)
# Fixed, so that a verdict does not depend on whose machine it is.
_ENVIRONMENT = {"TZ": "UTC", "LANG": "C.UTF-8"}
_HASH_CODES = (0, 1, 3, 4)  # ways in which a JVM makes identity hash codes; 5 is the usual one
_START_SECONDS = 120.0
_FRAME_BYTES = 64 << 20  # room for an array of ten million numbers
_EXECUTOR = "com.polyassay.harness/com.polyassay.execute.Executor"
_MAINS = {
    "worker": "com.polyassay.harness/com.polyassay.worker.Worker",
    "program": "com.polyassay.harness/com.polyassay.program.ProgramRunner",
}
# A program finds files at descriptors 0 and 1, as one that is started with redirections; frames go
# by 3 and 4, which Java opens for the harness alone.
_PROGRAM_STREAMS = (
    *("/bin/sh", "-c"),
    ': >in; : >out; exec 3<&0 4>&1 <in >>out; rm in out; exec "$@"',
    "sh",
)
# From here on native access can be denied: java.lang.foreign reads any memory, as Unsafe does.
_NATIVE_ACCESS = 24
_OPENED = "java.base/{}=com.polyassay.harness"
_JUNIT = "org.junit.platform.launcher,org.junit.jupiter.engine,org.junit.jupiter.params"


@dataclass(frozen=True, slots=True)
class JvmSpec:
    """The properties that a JVM has from its start."""

    memory_mb: int
    worker: bool = False  # holds a candidate alone, without JUnit
    vintage: bool = False  # with JUnit 4
    jars: tuple[Path, ...] = ()  # libraries that it can read
    program: bool = False  # runs a candidate as a whole program, without JUnit

    @property
    def archive(self) -> str:
        if self.program:
            return "program"
        return "worker" if self.worker else "vintage" if self.vintage else "executor"


class Jvm:
    """One sandboxed JVM that speaks messages."""

    def __init__(self, sandbox: Sandbox, image: Image, spec: JvmSpec, shake: int = 0) -> None:
        archive = f"-XX:SharedArchiveFile={image.archive(spec.archive)}"
        more = [archive] if on("archive") else []
        more += [f"-Dpolyassay.without={','.join(off)}"] if (off := _switched_off()) else []
        more += _shaken(shake) if shake else []
        box = Box(
            fixed_layout=not shake,
            environment=_ENVIRONMENT,
            argv=java_command(image, spec, *more),
            readable=(image.folder, *spec.jars),
            limits=BoxLimits(
                memory_mb=spec.memory_mb + _JVM_OWN_MB,
                processes=PROCESSES,
                frame_bytes=_FRAME_BYTES,
            ),
        )
        self.spec = spec
        self.served = 0  # candidates
        self.tasks: set[tuple[str, str]] = set()  # of those candidates: suite, task
        self.usable = True
        self.guest: Guest = sandbox.start(box)
        self._ready = False

    def wait_until_ready(self) -> None:
        """Raises Ended where the JVM does not come up, which is never a candidate's doing."""
        if not self._ready:
            self.hear(Ready, within=_START_SECONDS)
            self._ready = True

    def tell(self, message: object, within: float | Allowance) -> None:
        """Sends a message; `within` so many seconds, or what is left to the candidate."""
        self.guest.send(encode(message), *_limits(within))

    def hear(
        self,
        *expected: type[M],
        within: float | Allowance,
        meanwhile: Callable[[], None] | None = None,
    ) -> M:
        """The next message; raises Malformed where it is none of the expected ones.

        What else is raised is `Guest.receive`'s; `meanwhile` is called beside the look at the time.
        """
        return decode(self.guest.receive(*_limits(within, meanwhile)), *expected)

    def close(self) -> None:
        self.usable = False
        self.guest.close()


def _switched_off() -> list[str]:
    """The tricks of the JVM's own side that are not to be used."""
    return [trick for trick in ("footprint", "plain_tests") if not on(trick)]


def _limits(
    within: float | Allowance, meanwhile: Callable[[], None] | None = None
) -> tuple[float | Patience, Callable[[], None] | None]:
    """How long a wait may last, and what is done meanwhile."""
    if not isinstance(within, Allowance):
        return within, meanwhile
    if meanwhile is None:
        return within.patience, within.check

    def both() -> None:
        meanwhile()
        within.check()

    return within.patience, both


def _shaken(round_number: int) -> list[str]:
    """Other identity hash codes and another order of tests, by the number of a round.

    The order of immutable sets and maps is another in every JVM anyway.
    """
    jupiter = "org.junit.jupiter.api"
    return [
        "-XX:+IgnoreUnrecognizedVMOptions",
        "-XX:+UnlockExperimentalVMOptions",
        f"-XX:hashCode={_HASH_CODES[round_number % len(_HASH_CODES)]}",
        f"-Djunit.jupiter.testmethod.order.default={jupiter}.MethodOrderer$Random",
        f"-Djunit.jupiter.testclass.order.default={jupiter}.ClassOrderer$Random",
        f"-Djunit.jupiter.execution.order.random.seed={round_number}",
    ]


def java_command(image: Image, spec: JvmSpec, *more: str) -> tuple[str, ...]:
    # Of a class on an empty class path: a JVM has all modules of its image then, and finds them
    # resolved in the image's archive (least CPU time of seven until it is ready: 46 ms, and 54 ms
    # where modules are named).
    main: tuple[str, ...] = ("-cp", str(image.folder / "empty"), _EXECUTOR.partition("/")[2])
    modules: tuple[str, ...] = ()
    if spec.worker or spec.program:  # without JUnit
        # Without these, candidates would find only what the harness itself requires.
        modules = ("--add-modules", image.modules)
        main = ("-m", _MAINS[spec.archive])
    elif spec.vintage:
        jars = [*image.jars.glob("junit-4*.jar"), *image.jars.glob("junit-vintage-*.jar")]
        jars += image.jars.glob("hamcrest-*.jar")
        modules = ("--module-path", ":".join(map(str, jars)))
        modules += ("--add-modules", f"{image.modules},{_JUNIT},org.junit.vintage.engine")
        main = ("-m", _EXECUTOR)
    heap = (f"-Xmx{spec.memory_mb}m", "-Xms16m", "-Dfile.encoding=UTF-8")
    libraries = map(str, spec.jars)  # not on the class path: each candidate gets its own of them
    before: tuple[str, ...] = ()
    if spec.program:
        before = _PROGRAM_STREAMS
        for package in ("java.io", "java.lang"):
            modules += ("--add-opens", _OPENED.format(package))
    if image.major >= _NATIVE_ACCESS:
        modules += ("--illegal-native-access=deny",)
    jvm = (*_QUICK, *_BOUNDS, *_QUIET, *heap, *more, *modules)
    return (*before, image.java, *jvm, *main, *libraries)
