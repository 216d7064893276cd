"""`polyassay grade`: people's scores."""

import click

from polyassay.cli.common import (
    json_option,
    open_store,
    output,
    print_json,
    print_whole,
    store_option,
)
from polyassay.cli.grade.adjudicate import adjudicate
from polyassay.cli.grade.calibrate import calibrate
from polyassay.cli.grade.crosstab import crosstab
from polyassay.cli.grade.figures.compare import compare_command
from polyassay.cli.grade.figures.export import export_scores
from polyassay.cli.grade.figures.graders import graders
from polyassay.cli.grade.figures.preferences import preferences
from polyassay.cli.grade.files import import_scores
from polyassay.cli.grade.model import model
from polyassay.cli.grade.numbers import agreement, summary
from polyassay.cli.grade.pack import pack, unpack
from polyassay.cli.grade.serve import serve
from polyassay.cli.grade.start import start
from polyassay.report.terminal.grading import status_table
from polyassay.rubric.sessions import decided_status, imported_status, session_status
from polyassay.store.graders import Graders
from polyassay.store.scores import Scores


@click.group()
def grade() -> None:
    """Lets people score what tests cannot see, blind, and says how far they agree.

    \b
    polyassay grade start -c answers.jsonl --suite aixbench-manual --grader ann
    polyassay grade summary
    """


for command in (
    *(start, serve, pack, unpack, model, calibrate, adjudicate),
    *(summary, compare_command, preferences, agreement, graders, crosstab),
    *(import_scores, export_scores),
):
    grade.add_command(command)


@grade.command()
@store_option
@json_option
def status(store_url: str | None, as_json: bool) -> None:
    """Shows who did what, and what graders flagged.

    \b
    polyassay grade status
    """
    opened = open_store(store_url)
    store = Scores(opened)
    found = [session_status(opened, store, session) for session in store.sessions()]
    found += imported_status(store) + decided_status(store)
    models = Graders(opened).models()
    for row in found:
        row["kind"] = "model" if row["grader"] in models else "person"
    if as_json:
        print_json(found)
        return
    console = output()
    print_whole(console, status_table(found))
    lines = [
        f"  flagged by {row['grader']}: {'; '.join([flagged['task'], *flagged['comments']])}"
        for row in found
        for flagged in row["flags"]
    ]
    for line in dict.fromkeys(lines):  # an item may be part of two sessions of its grader
        console.print(line, markup=False, soft_wrap=True)
