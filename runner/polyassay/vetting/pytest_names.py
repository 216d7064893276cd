"""Fills in the tests of pytest files when a suite is added, as its own pytest finds them."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace

from polyassay.harness import RunSettings
from polyassay.harness.python.harness import PythonHarness
from polyassay.model import NAMED, Style, Suite, Task, Test
from polyassay.suites.make import with_tasks


def has_unnamed(suite: Suite) -> bool:
    """Whether pytest must be asked; if not, a suite's libraries can wait for its first run."""
    return any(map(_is_unnamed, suite.tasks))


def _is_unnamed(task: Task) -> bool:
    return task.style is Style.PYTEST and NAMED not in task.extra


def with_test_names(suite: Suite, settings: RunSettings, tell: Callable[[str], None]) -> Suite:
    """The suite, with the tests that pytest found; its environment must be there.

    Names that a task lists stay as they are. What is wrong with a task is told, and it stays in the
    suite: a run finds it not runnable here.
    """
    with closing(PythonHarness(settings)) as harness:
        tasks = [_named(task, harness, tell) for task in suite.tasks]
    return with_tasks(suite, tasks)


def _named(task: Task, harness: PythonHarness, tell: Callable[[str], None]) -> Task:
    if not _is_unnamed(task):
        return task
    found = harness.collected(task)
    if problem := found.problem or found.lacks(task.tests):
        tell(f"{task.suite}: {task.id} cannot be judged here: {problem}")
    listed = tuple(test for test in task.tests if test.name not in found.disabled)
    return replace(task, tests=listed if task.tests else tuple(map(Test, found.names)))
