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
from polyassay.rubric.sheets import Score, scores
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


def used_rubric(store: Scores, name: str | None) -> Rubric:
    """The rubric whose scores a command is about: the only one in the store unless named."""
    used = store.rubrics()
    if name is None:
        if not used:
            raise PolyAssayError(
                "Nobody has given a score yet.",
                hint="`polyassay grade start --help` and `polyassay grade import --help` say how.",
            )
        if len(used) > 1:
            raise PolyAssayError(
                f"The store has scores by several rubrics: {', '.join(used)}.",
                hint="Choose one with --rubric.",
            )
        (name,) = used
    if name in used:
        text = store.rubric_text(name)
        assert text is not None
        return rubrics.parse(text, f'the stored rubric "{name}"')
    rubric = rubrics.load(name)
    if rubric.name not in used:
        raise PolyAssayError(
            f'The store has no scores by the rubric "{rubric.name}".',
            hint=f"It has scores by {', '.join(used) or 'none'}.",
        )
    return rubric


def all_scores(store: Scores, rubric: Rubric, suite: str | None) -> list[Score]:
    """Every score that holds by this rubric, repeats and decisions included."""
    wanted = {"rubric": rubric.name} | ({"suite": suite} if suite else {})
    return scores(store.events(**wanted))


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
