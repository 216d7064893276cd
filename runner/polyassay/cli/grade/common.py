"""What the commands of `polyassay grade` share."""

from collections.abc import Callable, Hashable, Iterable
from functools import cache
from typing import Any, TypeVar

import click

from polyassay.cli.common import home
from polyassay.measures.units import cluster_of
from polyassay.model import CandidateKey, Task
from polyassay.rubric.rubrics import DEFAULT
from polyassay.store.graders import LeftOutRow
from polyassay.suites.registry import Registry

Command = TypeVar("Command", bound=Callable[..., Any])


def rubric_option(command: Command) -> Command:
    return click.option(
        "--rubric",
        "rubric_name",
        metavar="NAME|FILE",
        help=f"Which rubric: a shipped one, or your own TOML file [{DEFAULT}].",
    )(command)


def suite_option(command: Command) -> Command:
    return click.option("-s", "--suite", metavar="SUITE", help="Only this suite.")(command)


def left_out_json(rows: Iterable[LeftOutRow]) -> list[dict[str, Any]]:
    """Rows that `grade import --partial` left out; without their fields, which name tools."""
    return [
        {"source": row.source, "row": row.row, "line": row.line, "problem": row.problem}
        for row in rows
    ]


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


def clusters() -> Callable[[CandidateKey], Hashable]:
    """What chance is drawn by: the task's cluster, or the task where its suite is gone."""
    tasks_of = suite_tasks()

    def cluster(key: CandidateKey) -> Hashable:
        task = (tasks_of(key.suite) or {}).get(key.task)
        return cluster_of(task) if task else (key.suite, key.task)

    return cluster
