"""Which harness judges which task."""

from collections.abc import Iterable
from dataclasses import replace

from polyassay.harness import Harness, RunSettings
from polyassay.languages import HARNESSES, harness_key, imported
from polyassay.model import NAMED, Style, Suite, Task


class Harnesses:
    """The harnesses of one run in one process, made when the first task needs them."""

    def __init__(self, settings: RunSettings) -> None:
        self.settings = settings
        self._made: dict[tuple[str, str], Harness] = {}

    def of(self, task: Task) -> Harness:
        key = harness_key(task, self.settings.engine)
        if key not in self._made:
            self._made[key] = imported(HARNESSES[key])(self.settings)
        return self._made[key]

    def prepare(self, suites: Iterable[Suite]) -> dict[str, str]:
        """Makes all that the suites need, before any slot does; returns their versions."""
        versions: dict[str, str] = {}
        for suite in suites:
            for task in suite.tasks:
                if task.style is not Style.RUBRIC:
                    versions |= self.of(task).versions()
        return versions

    def obstacle(self, task: Task) -> str:
        """Why no answer to the task can be judged here, which is no tool's fault."""
        known = self.settings.obstacles.get((task.suite, task.id))
        if known is not None:
            return known
        return "the task needs the network" if task.needs_network else self.of(task).lacks(task)

    def vet(self, tasks: Iterable[Task]) -> None:
        """Finds obstacles at once, for the slots that are started with these settings.

        Tasks whose adapter named their tests are left to the slots, side by side: to collect a
        thousand files with their libraries first would hold a run up for an hour.
        """
        by_harness: dict[int, list[Task]] = {}
        for task in tasks:
            if task.style is not Style.RUBRIC:
                by_harness.setdefault(id(self.of(task)), []).append(task)
        for some in by_harness.values():
            self.of(some[0]).vet(some)
        found = {
            (task.suite, task.id): self.obstacle(task)
            for some in by_harness.values()
            for task in some
            if NAMED not in task.extra
        }
        self.settings = replace(self.settings, obstacles={**self.settings.obstacles, **found})

    def close(self) -> None:
        for harness in self._made.values():
            harness.close()
