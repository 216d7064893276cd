"""Which harness judges which task."""

from collections.abc import Iterable, Iterator

from polyassay.harness import Harness, RunSettings
from polyassay.languages import HARNESSES, harness_key, imported
from polyassay.model import Style, Suite, Task


def obstacle(harness: Harness, task: Task) -> str:
    """Why no answer to the task can be judged here, which is no tool's fault."""
    return "the task needs the network" if task.needs_network else harness.lacks(task)


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

    def defects(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, str]]:
        """The tasks that cannot be judged here, whatever the answer, and why."""
        by_harness: dict[int, list[Task]] = {}
        for task in tasks:
            if task.style is not Style.RUBRIC:
                by_harness.setdefault(id(self.of(task)), []).append(task)
        for some in by_harness.values():
            harness = self.of(some[0])
            harness.vet(some)
            yield from ((task, why) for task in some if (why := obstacle(harness, task)))

    def close(self) -> None:
        for harness in self._made.values():
            harness.close()
