"""`polyassay grade start`."""

import os
import sys
from functools import partial
from typing import Any

import click

from polyassay.cli.common import json_option, print_json
from polyassay.cli.grade.sitting import seating_options, seats
from polyassay.rubric.room.desk import Progress
from polyassay.rubric.room.room import Room
from polyassay.rubric.room.words import word
from polyassay.rubric.terminal.plain import grade_plainly

MANY = 200  # items from which on a grader should know what is ahead


@click.command()
@seating_options
@click.option("--grader", required=True, metavar="NAME", help="Who grades.")
@click.option("--plain", is_flag=True, help="Line by line, for dumb terminals and scripts.")
@json_option
def start(grader: str, plain: bool, as_json: bool, **options: Any) -> None:
    """Grades answers without knowing whose they are; the same command goes on later.

    One key a score, ? for help; every key press is saved at once. `grade serve` is the same in a
    browser.

    \b
    polyassay grade start -c answers.jsonl --suite aixbench-manual --grader ann
    polyassay grade start latest --grader bob --side-by-side
    polyassay grade start latest --grader cho --prefer --language zh
    """
    (seat,) = seats((grader,), options)
    items = seat.room.desk.progress().total
    if items > MANY:
        click.echo(
            f"{items} items. Fewer for another session: --limit, --samples, --prompt-language.",
            err=True,
        )
    _grade(seat.room, plain, quiet=as_json)
    progress = seat.room.desk.progress()
    if as_json:
        told = {"done": progress.done, "total": progress.total, "skipped": progress.skipped}
        print_json({"session": seat.session.id, **told})
        return
    click.echo(_ending(progress, options["prefer"], seat.room.language), err=True)


def _ending(progress: Progress, prefer: bool, language: str) -> str:
    name = "left_saved" if progress.open else "ended"
    follow = ("preferences",) if prefer else ("summary", "agreement")
    return word(
        f"{name}_skipped" if progress.skipped else name,
        language,
        done=progress.done,
        total=progress.total,
        skipped=progress.skipped,
        commands="   ".join(f"polyassay grade {name}" for name in follow),
    )


def _grade(room: Room, plain: bool, quiet: bool) -> None:
    """Full screen where there is one, else line by line; quiet: nothing on standard output."""
    streams = (sys.stdin, sys.stdout, sys.stderr)
    dumb = os.environ.get("TERM", "") in ("", "dumb")
    if not plain and not dumb and all(stream.isatty() for stream in streams):
        click.echo(word("opening", room.language), err=True)
        from polyassay.rubric.terminal.screen import (
            GradingScreen,  # only here: it is slow to import
        )

        screen = GradingScreen(room)
        screen.run()
        if screen.problem:
            raise screen.problem
        return

    def ask(question: str) -> str:
        click.echo(question, nl=False, err=quiet)
        try:
            return input()
        except KeyboardInterrupt:
            raise EOFError from None

    grade_plainly(room, ask, partial(click.echo, err=quiet))
