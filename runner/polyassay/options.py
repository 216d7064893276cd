"""The flags that shape verdicts; recorded with a run, so that resume and replay have the same."""

import dataclasses
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from polyassay.errors import PolyAssayError
from polyassay.harness import RunSettings
from polyassay.model import COUNTED, LARGEST, SHORTEST, Judging, Suite, Task, is_time_limit
from polyassay.prompts.drawing import held_out, not_evaluated
from polyassay.prompts.shown import without_tests
from polyassay.sandbox.choose import find

# What a run that others sent may decide about how it is judged here; never paths, engines or
# sandboxes.
_THEIRS: Final[Mapping[str, type | tuple[type, ...]]] = {
    "timeout": (int, float),
    "limit": int,
    "eval_tests": int,
    "hold_out": int,
    "test_seed": int,
    "published_totals": bool,
}
_CHOICES = {"judge": ("auto", "apart", "together"), "comparison": ("default", "exeds")}


@dataclass(frozen=True, slots=True)
class Options:
    engine: str = "worker"
    judge: str = "auto"
    reuse: int | str = "auto"
    sandbox: str = "auto"
    trusted: bool = False
    jdk: str | None = None
    timeout: float | None = None
    limit: int | None = None
    comparison: str = "default"
    tasks: tuple[tuple[str, str], ...] = ()  # suite and task; none: all of them count
    eval_tests: int | None = None  # so many drawn tests of each task judge, and no others
    hold_out: int | None = None  # so many drawn tests, which prompts have shown, do not judge
    test_seed: int = 0  # of both drawings
    shake: int = 0  # so many rounds under other conditions, after the verdicts
    published_totals: bool = False  # a ratio may then be above 1: AixBench's task 164

    def __post_init__(self) -> None:
        if self.timeout is not None and not is_time_limit(self.timeout):
            raise PolyAssayError(
                f"No test can have {self.timeout} seconds.",
                f"give --timeout a number from {SHORTEST} on and below {LARGEST:,.0f}.",
            )

    @classmethod
    def of(cls, provenance: Mapping[str, Any]) -> Self:
        """A run's own; of a run that others sent, what only chooses tasks, tests and limits."""
        if provenance.get("imported"):
            return cls(**_harmless(provenance.get("options")))
        options = dict(provenance["options"])
        options["tasks"] = tuple((suite, task) for suite, task in options.get("tasks", ()))
        return cls(**options)

    def settings(self, home: Path, jobs: int | None = None) -> RunSettings:
        return RunSettings(
            sandbox=find(self.sandbox, self.trusted),
            home=home,
            judge=None if self.judge == "auto" else Judging(self.judge),
            reuse=None if self.reuse == "auto" else int(self.reuse),
            jdk=Path(self.jdk) if self.jdk else None,
            engine=self.engine,
            comparison=self.comparison,
            jobs=jobs or len(os.sched_getaffinity(0)),
        )

    def apply(self, suites: Mapping[str, Suite]) -> dict[str, Suite]:
        """The suites with the limits, tests and tasks that were asked for, and no others."""
        chosen = set(self.tasks)
        return {
            name: dataclasses.replace(
                suite,
                tasks=tuple(
                    self._limited(self._counted(self._with_some_tests(task)))
                    for task in suite.tasks[: self.limit]
                    if not chosen or (suite.name, task.id) in chosen
                ),
            )
            for name, suite in suites.items()
        }

    def _with_some_tests(self, task: Task) -> Task:
        """Tests that build on each other, or that are one piece, stay whole."""
        left_out: list[str] = []
        if self.hold_out is not None:
            left_out += held_out(task, self.hold_out, self.test_seed)
        if self.eval_tests is not None:
            left_out += not_evaluated(task, self.eval_tests, self.test_seed)
        return without_tests(task, left_out) or task

    def _counted(self, task: Task) -> Task:
        total = task.extra.get("published_total") if self.published_totals else None
        return dataclasses.replace(task, extra={**task.extra, COUNTED: total}) if total else task

    def _limited(self, task: Task) -> Task:
        if self.timeout is None:
            return task
        total = max(task.limits.total_seconds, self.timeout)
        limits = dataclasses.replace(task.limits, seconds=self.timeout, total_seconds=total)
        return dataclasses.replace(task, limits=limits)


def _harmless(told: object) -> dict[str, Any]:
    told = told if isinstance(told, dict) else {}
    taken: dict[str, Any] = {}
    for name, kind in _THEIRS.items():
        value = told.get(name)
        if isinstance(value, kind) and (kind is bool or not isinstance(value, bool)):
            taken[name] = value
    if not is_time_limit(taken.get("timeout", 1)):
        del taken["timeout"]
    for name, choices in _CHOICES.items():
        if told.get(name) in choices:
            taken[name] = told[name]
    tasks = told.get("tasks")
    pairs = [pair for pair in tasks if isinstance(pair, list)] if isinstance(tasks, list) else []
    taken["tasks"] = tuple((str(suite), str(task)) for suite, task in pairs)
    return taken
