"""The messages between the runner and its JVMs, by name; wire.py makes bytes of them.

com.polyassay.wire has the same messages as Java records. tests/golden/java/messages.txt lists them
with their fields and bytes, and a test on either side holds that side against it.

    runner → executor or judge   RunTests
    executor or judge → runner   Ready, TestStarted, TestFinished, TestsEnded
    judge → runner → worker      CallWorker becomes AskCandidate
    worker → runner → judge      CandidateAnswered becomes WorkerAnswered; else WorkerGone
    runner → worker              Load, AskCandidate, Leave; Leave is answered by Left
    runner → program's JVM       RunProgram, answered by ProgramEnded
    runner → compile service     BuildLayers, PlanTask, answered by LayersBuilt, JudgingPlan
"""

from dataclasses import dataclass

from polyassay.harness.java.wire import Blobs, Sources


@dataclass(frozen=True, slots=True)
class Ready:
    """An executor, judge or worker is up."""


@dataclass(frozen=True, slots=True)
class RunTests:
    """Runs the named tests of these classes; every answer repeats the nonce."""

    nonce: bytes
    test_classes: tuple[str, ...]
    names: tuple[str, ...]
    vintage: bool  # whether they are JUnit 4 tests
    shared: bool  # whether the JVM may serve others, and so looks for what they would see
    own: tuple[str, ...]  # which of the classes are the candidate's
    output_limit: int  # bytes of what is printed
    files: Blobs  # of the working directory: path → content
    classes: Blobs  # binary name → class file


@dataclass(frozen=True, slots=True)
class OfRequest:
    """The base of all messages that answer a RunTests; a candidate does not know the nonce."""

    nonce: bytes


@dataclass(frozen=True, slots=True)
class TestStarted(OfRequest):
    __test__ = False  # not a pytest class

    test: str


@dataclass(frozen=True, slots=True)
class TestFinished(OfRequest):
    __test__ = False

    test: str
    status: str
    type: str  # the class of what was thrown, or empty
    message: str
    source: str  # the file of the topmost frame that the candidate or the tests own, or empty
    owner: str  # the class of that frame
    line: int
    seconds: float
    output: str  # what was printed since the last message


@dataclass(frozen=True, slots=True)
class TestsEnded(OfRequest):
    __test__ = False

    changes: tuple[str, ...]  # what the next candidate would see, in words
    output: str


@dataclass(frozen=True, slots=True)
class CallWorker(OfRequest):
    """A judge's call of the candidate, which the runner hands to the worker unread."""

    call: bytes


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a judge's to a candidate; the runner calls only to record an archive."""

    constructs: bool  # makes an object; target and arguments say nothing then
    target: int  # the number of an object, or -1 for a static method
    argument_count: int
    arguments: bytes


@dataclass(frozen=True, slots=True)
class WorkerAnswered:
    """A worker's answer, which the runner hands to the judge unread."""

    answer: bytes


@dataclass(frozen=True, slots=True)
class WorkerGone:
    """Tells the judge that no call will be answered any more."""


@dataclass(frozen=True, slots=True)
class Load:
    """Gives a worker its candidate; has no answer."""

    class_name: str
    adapter_name: str
    output_limit: int
    classes: Blobs


@dataclass(frozen=True, slots=True)
class AskCandidate:
    """Hands a call to the worker; the answer repeats the number, which cannot be guessed."""

    number: bytes
    call: bytes


@dataclass(frozen=True, slots=True)
class CandidateAnswered:
    number: bytes
    output: str  # what was printed since the last answer
    answer: bytes


@dataclass(frozen=True, slots=True)
class Leave:
    """Has the worker let go of its candidate."""

    number: bytes


@dataclass(frozen=True, slots=True)
class Left:
    number: bytes
    changes: tuple[str, ...]  # what the next candidate would see, in words


@dataclass(frozen=True, slots=True)
class RunProgram:
    """Runs a candidate as a whole program, once; the answer repeats the nonce."""

    nonce: bytes
    class_name: str  # has the main method
    stdin: bytes
    output_limit: int  # bytes of standard output
    files: Blobs
    classes: Blobs


@dataclass(frozen=True, slots=True)
class ProgramEnded(OfRequest):
    """The program ends; its exit status is that of the JVM."""

    stdout: bytes
    stderr: str


@dataclass(frozen=True, slots=True)
class SourceLayer:
    """Sources that are compiled together, against the layers before them."""

    sources: Sources
    junit: bool = False  # whether JUnit is on its class path


@dataclass(frozen=True, slots=True)
class BuildLayers:
    """Compiles layer after layer, up to the first that does not compile."""

    class_name: str
    method: str  # of that class; shown where a layer does not compile against it
    named: tuple[str, ...]  # simple names of the candidate's classes that the task itself names
    jars: tuple[str, ...]  # libraries on the class path of every layer
    given: Blobs  # class files that every layer may use: those of the task's support
    layers: tuple[SourceLayer, ...]
    cpu_seconds: float  # after which the compiler is given up


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One error, in the compiler's own words."""

    source: str
    line: int
    column: int
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class ClassFiles:
    """The class files of one layer."""

    classes: Blobs


@dataclass(frozen=True, slots=True)
class LayersBuilt:
    """The result of a BuildLayers."""

    failed: int = -1  # the layer that did not compile; -1: all did, or there is a problem
    problem: str = ""  # why the compiler gave up without a diagnostic
    diagnostics: tuple[Diagnostic, ...] = ()
    found: tuple[str, ...] = ()  # declarations of the wanted method, where a layer failed
    layers: tuple[ClassFiles, ...] = ()
    cpu_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class PlanTask:
    """Asks how a task's candidates are judged; has all that is known before any candidate."""

    class_name: str
    signature: str
    superclass: str  # of the candidate's class, or empty
    context: str
    support: Sources
    test_source: str
    jars: tuple[str, ...]
    reference: Sources  # against which the tests should compile; may be empty
    named: tuple[str, ...]  # classes of the candidate's that the task itself names


@dataclass(frozen=True, slots=True)
class JudgingPlan:
    """How a task's candidates are checked and judged; does not depend on any of them."""

    adapter_name: str  # empty: the signature gives no adapter
    adapter: str
    support_first: bool  # whether support compiles without the candidate
    together_because: str  # empty: the task can be judged apart
    defect: str  # why the tests compile with no candidate, which is the suite's fault; or empty
    support: Blobs  # what support compiles to without the candidate; empty: it does not
    classes: Blobs  # stub and tests; empty: the tests need more than a stub
    test_classes: tuple[str, ...]
    adapter_class: bytes  # compiled with the stub; empty: tests must be compiled per candidate
    jars: tuple[str, ...]  # libraries of the task, for every layer and every JVM
