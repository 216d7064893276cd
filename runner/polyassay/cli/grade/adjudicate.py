"""`polyassay grade adjudicate`."""

import click

from polyassay.cli.common import json_option, open_store, output, print_json, store_option
from polyassay.cli.grade.common import (
    rubric_option,
    suite_option,
    suite_tasks,
)
from polyassay.errors import PolyAssayError
from polyassay.rubric.agreement import Disagreement, disagreements
from polyassay.rubric.rubrics import Rubric
from polyassay.rubric.stored import all_scores, used_rubric
from polyassay.rubric.terminal.disagreement import disagreement_teller
from polyassay.store.scores import Event, EventKind, Scores


@click.command()
@click.option("--grader", required=True, metavar="NAME", help="Who decides.")
@click.option("--apart", type=click.IntRange(1), default=1, help="From this difference on [1].")
@click.option("--dimension", metavar="D", help="Only this dimension.")
@rubric_option
@suite_option
@store_option
@json_option
def adjudicate(
    grader: str,
    apart: int,
    dimension: str | None,
    rubric_name: str | None,
    suite: str | None,
    store_url: str | None,
    as_json: bool,
) -> None:
    """Decides disagreements, one after the other; the graders' scores are kept.

    Means take the decision instead of the scores, agreement goes on taking the scores.

    \b
    polyassay grade adjudicate --grader chief --apart 2
    """
    store = Scores(open_store(store_url))
    rubric = used_rubric(store, rubric_name)
    scores = all_scores(store, rubric, suite)
    if dimension is not None and rubric.dimension(dimension) is None:
        raise PolyAssayError(
            f'The rubric "{rubric.name}" has no dimension "{dimension}".',
            hint=f"It has {', '.join(rubric.scales)}.",
        )
    found = [
        one
        for one in disagreements(scores, rubric.dimensions)
        if one.decided is None and one.spread >= apart and dimension in (None, one.dimension)
    ]
    decided = 0
    show = disagreement_teller(store, rubric, scores, suite_tasks())
    for number, one in enumerate(found, start=1):
        click.echo(f"\n=== {number} of {len(found)}", err=as_json)
        click.echo(show(one), err=as_json)
        points = _ask_points(rubric, one, as_json)
        if points is None:
            break
        if points >= 0:
            store.append(
                Event(
                    EventKind.DECISION,
                    grader,
                    rubric.name,
                    one.key,
                    dimension=one.dimension,
                    score=points,
                )
            )
            decided += 1
    if as_json:
        print_json({"decided": decided, "left": len(found) - decided})
        return
    output().print(f"{decided} decided, {len(found) - decided} left.")


def _ask_points(rubric: Rubric, found: Disagreement, quiet: bool) -> int | None:
    """The decision; -1 to leave it open, none to stop."""
    dimension = rubric.dimension(found.dimension)
    assert dimension is not None
    while True:
        click.echo(
            f"{dimension.id} {dimension.low} to {dimension.high}, or s, q: ", nl=False, err=quiet
        )
        try:
            key = input().strip()
        except (EOFError, KeyboardInterrupt):
            click.echo(err=quiet)
            return None
        if key in ("q", "s"):
            return None if key == "q" else -1
        if key.isdecimal() and dimension.low <= int(key) <= dimension.high:
            return int(key)
