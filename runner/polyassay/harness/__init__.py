"""One protocol for everything that judges candidates; each harness knows one language.

A harness never starts a candidate's process itself: `sandbox/` does.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from polyassay.environments.cache import cache_folder
from polyassay.errors import PolyAssayError
from polyassay.model import Candidate, Judging, Program, Report, Task
from polyassay.sandbox import Sandbox


@dataclass(frozen=True, slots=True)
class RunSettings:
    """Decisions of the command line that hold for a whole run."""

    sandbox: Sandbox
    home: Path  # .polyassay
    judge: Judging | None = None  # None: apart wherever the task allows it
    reuse: int | None = None  # candidates a JVM; None: many where judged apart, else one
    jdk: Path | None = None  # None: JAVA_HOME, else the java on PATH
    engine: str = "worker"
    comparison: str = "default"  # how outputs of cells are compared
    jobs: int = 1
    # 0: everything that a verdict may depend on by luck is pinned. Else the number of a round with
    # another hash seed, address layout and order of tests.
    shake: int = 0
    # (suite, task) → why it cannot be judged here, or nothing: what is known before slots begin.
    obstacles: Mapping[tuple[str, str], str] = field(default_factory=dict)

    @property
    def cache(self) -> Path:
        """For what can be made again; shared by all working folders."""
        return cache_folder(self.home)


@dataclass(frozen=True, slots=True)
class Job:
    task: Task
    candidate: Candidate
    program: Program  # made of the candidate's answer


def judging_asked_for(settings: RunSettings, task: Task, because: str = "") -> Judging:
    """Apart, unless the task cannot be, its harness says why it cannot, or together was asked for.

    A reason that only the harness knows comes from a planner that is newer than the suite.
    """
    if task.compared_by_runner or task.judging is Judging.TOGETHER:
        return task.judging  # whatever was asked for
    if because and settings.judge is Judging.APART:
        raise cannot_be_apart(task, because)
    return Judging.TOGETHER if because else settings.judge or Judging.APART


def cannot_be_apart(task: Task, because: str) -> PolyAssayError:
    """For a task that is judged together, where apart was asked for."""
    return PolyAssayError(
        f"Task {task.id} of {task.suite} cannot be judged apart: {because}.",
        hint="Leave --judge out: tasks are judged apart wherever that is possible.",
    )


class HarnessSession(Protocol):
    """The processes that one slot keeps running for one harness. Used by one thread at a time."""

    def judge(self, jobs: Sequence[Job], *, alone: bool = False) -> Sequence[Report]:
        """One report a job, in order; never raises for what a candidate did.

        A report whose ending may be another candidate's fault or ours is marked `suspect`;
        `slot.py` has such a job judged again with `alone`: in fresh processes that serve no other.
        """
        ...

    def close(self) -> None:
        """Ends its processes; may be called twice, and does not end the harness."""
        ...


class Harness(Protocol):
    """Keeps what is worth sharing between sessions, for one run."""

    batch_size: int  # how many jobs a session takes at once, at most
    by_tool: bool  # its candidates come sample by sample of each tool, and not as they were read

    def open(self) -> HarnessSession:
        """A session, which starts its processes when the first job needs them."""
        ...

    def groups(self, tasks: Sequence[Task]) -> Iterable[Sequence[Task]]:
        """The tasks in an order that suits warm processes.

        Candidates for the tasks of one group come in the order in which they were read, or as
        `by_tool` says.
        """
        ...

    def judging(self, task: Task) -> Judging:
        """How a task is judged; never how a candidate is, or it could choose the weaker way.

        This is the only place that decides it.
        """
        ...

    def vet(self, tasks: Sequence[Task]) -> None:
        """Finds out at once what `lacks` would find out for one task after the other."""
        ...

    def lacks(self, task: Task) -> str:
        """Why no answer to the task can be judged here; empty where answers can be.

        Something that it declares is missing, or its tests cannot be collected, compiled or set up.
        It is found out without any candidate.
        """
        ...

    def versions(self) -> dict[str, str]:
        """For the provenance: {"jdk": "17.0.15", "junit": "6.1.0"}."""
        ...

    def close(self) -> None:
        """Ends what its sessions shared; they are closed before."""
        ...
