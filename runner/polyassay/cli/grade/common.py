"""What the commands of `polyassay grade` share."""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import click

from polyassay.cli.common import home
from polyassay.errors import PolyAssayError
from polyassay.model import Task
from polyassay.rubric import rubrics
from polyassay.rubric.rubrics import Rubric
from polyassay.store.scores import Scores
from polyassay.suites.registry import Registry

Command = TypeVar("Command", bound=Callable[..., Any])

DEFAULT = "aixbench"


def rubric_option(command: Command) -> Command:
    return click.option(
        "--rubric",
        "rubric_name",
        metavar="NAME|FILE",
        help=f"Which rubric: a shipped one, or your own TOML file [{DEFAULT}].",
    )(command)


def suite_option(command: Command) -> Command:
    return click.option("-s", "--suite", metavar="SUITE", help="Only this suite.")(command)


def keep_rubric(store: Scores, rubric: Rubric) -> None:
    """Keeps a rubric with its scores; wording may change, dimensions and points may not."""
    before = store.rubric_text(rubric.name)
    if before is not None and rubrics.parse(before, "the store").scales != rubric.scales:
        raise PolyAssayError(
            f'The store has scores by another rubric "{rubric.name}".',
            hint="Give yours another name: its dimensions or points differ.",
        )
    if before != rubric.text:
        store.save_rubric(rubric.name, rubric.text)


def suite_tasks() -> Callable[[str], dict[str, Task] | None]:
    """Looks suites up by name: their tasks by id, or none where there is no such suite."""
    registry = Registry(home())
    names = set(registry.names())

    @cache
    def tasks_of(name: str) -> dict[str, Task] | None:
        if name not in names:
            return None
        return {task.id: task for task in registry.load(name).tasks}

    return tasks_of
