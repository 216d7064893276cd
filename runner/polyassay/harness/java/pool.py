"""The JVMs of one session: those that may be reused, those started ahead, and judges."""

from collections.abc import Iterator
from contextlib import contextmanager

from polyassay.harness.java.apart import Judge, Worker
from polyassay.harness.java.executor import Executor
from polyassay.harness.java.jdk import Image
from polyassay.harness.java.jvm import Jvm, JvmSpec
from polyassay.harness.java.program import ProgramJvm
from polyassay.sandbox import Sandbox

_KEPT = 8  # JVMs that one session keeps for reuse
_AUTO_SERVES = 50  # candidates that a worker JVM serves by default
_SPARES = 2  # specs of which one session has a spare; tasks of a suite alternate between few


TaskKey = tuple[str, str]  # suite, task
ServingJvm = Executor | Worker | ProgramJvm


class JvmPool:
    """Starts JVMs and keeps those that can serve again. Used by one thread at a time."""

    def __init__(self, sandbox: Sandbox, image: Image, reuse: int | None) -> None:
        self._reuse = reuse
        self._sandbox = sandbox
        self._image = image
        self._spares: dict[JvmSpec, ServingJvm] = {}
        self._kept: list[tuple[str, ServingJvm]] = []  # with the tool that each has served
        self._judges: dict[JvmSpec, Judge] = {}

    def serves(self, spec: JvmSpec) -> int:
        """How many candidates one such JVM serves; by default many only where none can forge."""
        return self._reuse or (_AUTO_SERVES if spec.worker else 1)

    def kept(self, tool: str, spec: JvmSpec, task: TaskKey) -> ServingJvm | None:
        """One that has served candidates of the same tool, and none of the task's.

        What is left of them in its memory can then be no answer to the task.
        """
        for place, (owner, jvm) in enumerate(self._kept):
            if owner == tool and jvm.spec == spec and task not in jvm.tasks:
                del self._kept[place]
                return jvm
        return None

    def fresh(self, spec: JvmSpec) -> ServingJvm:
        """One that has served nobody: the spare, or a new one.

        Where each serves one candidate, another spare starts up while this one works.
        """
        jvm = self._spares.pop(spec, None) or self._start(spec)
        with closed_on_failure(jvm):
            jvm.wait_until_ready()
            if self.serves(spec) == 1:
                if len(self._spares) == _SPARES:
                    self._spares.pop(next(iter(self._spares))).close()
                self._spares[spec] = self._start(spec)
        return jvm

    def program(self, spec: JvmSpec) -> ProgramJvm:
        """One that runs a program once."""
        jvm = self.fresh(spec)
        assert isinstance(jvm, ProgramJvm)
        return jvm

    def judge(self, spec: JvmSpec) -> Judge:
        judge = self._judges.get(spec)
        if judge is None or not judge.usable:
            judge = Judge(self._sandbox, self._image, spec)
            with closed_on_failure(judge):
                judge.wait_until_ready()
            self._judges[spec] = judge
        return judge

    def give_back(self, tool: str, jvm: ServingJvm) -> None:
        """Keeps it for the tool's next candidate, or ends it."""
        if not jvm.usable or jvm.served >= self.serves(jvm.spec):
            jvm.close()
            return
        self._kept.append((tool, jvm))
        if len(self._kept) > _KEPT:
            self._kept.pop(0)[1].close()

    def close(self) -> None:
        kept = [jvm for _, jvm in self._kept]
        jvms: list[Jvm] = [*self._spares.values(), *kept, *self._judges.values()]
        for jvm in jvms:
            jvm.close()
        self._spares.clear()
        self._kept.clear()
        self._judges.clear()

    def _start(self, spec: JvmSpec) -> ServingJvm:
        start = ProgramJvm if spec.program else Worker if spec.worker else Executor
        return start(self._sandbox, self._image, spec)


@contextmanager
def closed_on_failure(jvm: Jvm) -> Iterator[None]:
    """Ends a JVM that nobody would hold any more."""
    try:
        yield
    except BaseException:
        jvm.close()
        raise
