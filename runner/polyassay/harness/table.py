"""Which harness judges which task."""

from collections.abc import Iterable

from polyassay.harness import Harness, RunSettings
from polyassay.languages import HARNESSES, harness_key, imported
from polyassay.model import Style, Suite, Task


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

    def close(self) -> None:
        for harness in self._made.values():
            harness.close()
