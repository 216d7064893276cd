"""`polyassay grade`: people's scores."""

from typing import Any

import click
from rich.table import Table

from polyassay.cli.common import json_option, open_store, output, print_json, store_option
from polyassay.cli.grade.adjudicate import adjudicate
from polyassay.cli.grade.crosstab import crosstab
from polyassay.cli.grade.files import export_scores, import_scores
from polyassay.cli.grade.numbers import agreement, summary
from polyassay.cli.grade.start import start
from polyassay.rubric import rubrics
from polyassay.rubric.sheets import sheets
from polyassay.store import Store
from polyassay.store.scores import GradingSession, Scores


@click.group()
def grade() -> None:
    """Lets people score what tests cannot see, blind, and says how far they agree.

    \b
    polyassay grade start -c answers.jsonl --suite aixbench-manual --grader ann
    polyassay grade summary
    """


for command in (start, summary, agreement, adjudicate, crosstab, import_scores, export_scores):
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
    found = [_session_status(opened, store, session) for session in store.sessions()]
    found += _imported_status(store)
    if as_json:
        print_json(found)
        return
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    columns = ("grader", "suite", "rubric", "items", "done", "skipped", "flagged", "scores", "last")
    for column in columns:
        right = column in ("items", "done", "skipped", "flagged", "scores")
        table.add_column(column, justify="right" if right else "left", no_wrap=True)
    for row in found:
        table.add_row(*(str(row[column]) for column in columns))
    console = output()
    console.print(table)
    for row in found:
        for flagged in row["flags"]:
            told = "; ".join([flagged["task"], *flagged["comments"]])
            console.print(f"  flagged by {row['grader']}: {told}", markup=False, soft_wrap=True)


def _session_status(opened: Store, store: Scores, session: GradingSession) -> dict[str, Any]:
    """One line of the table; tools are not named, because graders look at it too."""
    events = store.events(grader=session.grader, rubric=session.rubric)
    mine = sheets(events)
    text = store.rubric_text(session.rubric)
    assert text is not None
    dimensions = rubrics.parse(text, session.rubric).scales
    given = [(item, mine.get((item.key, item.showing))) for item in store.items(session.id)]
    seen = [(item, sheet) for item, sheet in given if sheet is not None]
    at = [event.at for event in events if event.session == session.id]
    return {
        "session": session.id,
        "grader": session.grader,
        "suite": opened.suite(session.suite).name,
        "rubric": session.rubric,
        "items": len(given),
        "done": sum(dimensions.keys() <= sheet.scores.keys() for _, sheet in seen),
        "skipped": sum(sheet.skipped for _, sheet in seen),
        "flagged": sum(sheet.flagged for _, sheet in seen),
        "scores": sum(len(sheet.scores) for _, sheet in seen),
        "last": max(at, default="–")[:16].replace("T", " "),
        "flags": [
            {"task": item.key.task, "comments": [text for text in sheet.comments.values() if text]}
            for item, sheet in seen
            if sheet.flagged
        ],
    }


def _imported_status(store: Scores) -> list[dict[str, Any]]:
    """Scores that came in files, by grader, suite and rubric."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for event in store.events(kind="score"):
        if event.session is None:
            found.setdefault((event.grader, event.key.suite, event.rubric), []).append(event.at)
    return [
        {
            "session": None,
            "grader": grader,
            "suite": suite,
            "rubric": rubric,
            "items": "imported",
            "done": "–",
            "skipped": 0,
            "flagged": 0,
            "scores": len(at),
            "last": max(at)[:16].replace("T", " "),
            "flags": [],
        }
        for (grader, suite, rubric), at in sorted(found.items())
    ]
