"""One protocol for everything that judges candidates; each harness knows one language.

A harness never starts a candidate's process itself: `sandbox/` does.
"""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from polyassay.model import Candidate, Judging, Language, Program, Report, Style, Task
from polyassay.sandbox import Sandbox


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What the command line decided for a whole run."""

    sandbox: Sandbox
    home: Path  # .polyassay: environments live below it
    judge: Judging | None = None  # None: apart wherever the task allows it
    reuse: int = 1
    jdk: Path | None = None  # None: JAVA_HOME, else the java on PATH
    engine: str = "worker"
    comparison: str = "default"  # how outputs of cells are compared
    jobs: int = 1

    def judging(self, task: Task) -> Judging:
        """How a task is judged; never how a candidate is, or it could choose the weaker way."""
        if task.style in (Style.PROGRAM, Style.CELL):
            return Judging.APART  # its output is compared here, whatever is asked for
        gradle = self.engine == "gradle" and task.language is Language.JAVA
        if gradle or task.style is Style.PYTEST or task.together_because:
            return Judging.TOGETHER
        return self.judge or Judging.APART

    @property
    def cache(self) -> Path:
        """For what can be made again; those who have many working folders share one of these."""
        return Path(os.environ.get("POLYASSAY_CACHE") or self.home / "cache")


@dataclass(frozen=True, slots=True)
class Job:
    task: Task
    candidate: Candidate
    program: Program  # made of the candidate's answer


class HarnessSession(Protocol):
    """One slot's warm processes. Used by one thread at a time."""

    def judge(self, jobs: Sequence[Job]) -> Sequence[Report]:
        """One report a job, in order; never raises for what a candidate did."""
        ...

    def close(self) -> None: ...


class Harness(Protocol):
    """Keeps what is worth sharing between sessions, for one run."""

    batch: int  # how many jobs a session likes to get at once; 1: as many as there happen to be

    def open(self) -> HarnessSession: ...

    def groups(self, tasks: Sequence[Task]) -> Iterable[Sequence[Task]]:
        """The tasks in an order that suits warm processes.

        Candidates for the tasks of one group come in the order in which they were read.
        """
        ...

    def lacks(self, task: Task) -> str:
        """What the task declares and is not here, in words; nothing where it can be run."""
        ...

    def versions(self) -> dict[str, str]:
        """For the provenance: {"jdk": "17.0.15", "junit": "6.1.0"}."""
        ...

    def close(self) -> None: ...
