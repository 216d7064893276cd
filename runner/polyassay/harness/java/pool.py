"""The JVMs of one session: those that may be reused, and judges."""

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


TaskKey = tuple[str, str]  # suite, task
ServingJvm = Executor | Worker | ProgramJvm


class JvmPool:
    """Starts JVMs and keeps those that can serve again. Used by one thread at a time."""

    def __init__(self, sandbox: Sandbox, image: Image, reuse: int | None, shake: int = 0) -> None:
        self._reuse = reuse
        self._shake = shake  # see RunSettings
        self._sandbox = sandbox
        self._image = image
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
        """One that has served nobody."""
        start = ProgramJvm if spec.program else Worker if spec.worker else Executor
        jvm = start(self._sandbox, self._image, spec, self._shake)
        with closed_on_failure(jvm):
            jvm.wait_until_ready()
        return jvm

    def program(self, spec: JvmSpec) -> ProgramJvm:
        """One that runs a program once."""
        jvm = self.fresh(spec)
        assert isinstance(jvm, ProgramJvm)
        return jvm

    def judge(self, spec: JvmSpec) -> Judge:
        judge = self._judges.get(spec)
        if judge is None or not judge.usable:
            judge = Judge(self._sandbox, self._image, spec, self._shake)
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
        jvms: list[Jvm] = [*kept, *self._judges.values()]
        for jvm in jvms:
            jvm.close()
        self._kept.clear()
        self._judges.clear()


@contextmanager
def closed_on_failure(jvm: Jvm) -> Iterator[None]:
    """Ends a JVM that nobody would hold any more."""
    try:
        yield
    except BaseException:
        jvm.close()
        raise
