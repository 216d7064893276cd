"""Which harness judges which task."""

import importlib
from collections.abc import Iterable

from polyassay.harness import Harness, RunSettings
from polyassay.model import Language, Style, Suite, Task

# (kind of task, engine) → module and class; imported when needed, as a run rarely needs all.
HARNESSES: dict[tuple[str, str], tuple[str, str]] = {
    (Language.JAVA, "worker"): ("polyassay.harness.java.harness", "JavaHarness"),
    (Language.JAVA, "gradle"): ("polyassay.harness.gradle.harness", "GradleHarness"),
    (Language.PYTHON, "worker"): ("polyassay.harness.python.harness", "PythonHarness"),
    (Style.CELL, "worker"): ("polyassay.harness.notebook.harness", "NotebookHarness"),
    (Style.CELL, "nbclient"): ("polyassay.harness.notebook.kernel", "KernelHarness"),
}


def harness_key(task: Task, engine: str) -> tuple[str, str]:
    """An engine that does not know the task's kind leaves it to the usual one."""
    kind = Style.CELL if task.style is Style.CELL else task.language
    return (kind, engine) if (kind, engine) in HARNESSES else (kind, "worker")


class Harnesses:
    """The harnesses of one run in one process, made when the first task needs them."""

    def __init__(self, settings: RunSettings) -> None:
        self.settings = settings
        self._made: dict[tuple[str, str], Harness] = {}

    def of(self, task: Task) -> Harness:
        key = harness_key(task, self.settings.engine)
        if key not in self._made:
            module, name = HARNESSES[key]
            self._made[key] = getattr(importlib.import_module(module), name)(self.settings)
        return self._made[key]

    def prepare(self, suites: Iterable[Suite]) -> dict[str, str]:
        """Makes all that the suites need, before any slot does; returns their versions."""
        versions: dict[str, str] = {}
        for suite in suites:
            for task in suite.tasks:
                if task.style is not Style.RUBRIC:
                    versions |= self.of(task).versions()
        return versions

    def close(self) -> None:
        for harness in self._made.values():
            harness.close()
