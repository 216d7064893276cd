"""`polyassay grade adjudicate`."""

import secrets
from collections.abc import Callable

import click

from polyassay.cli.common import json_option, open_store, output, print_json, store_option
from polyassay.cli.grade.answers import answers_to_decide
from polyassay.cli.grade.common import rubric_option, suite_option, suite_tasks
from polyassay.errors import PolyAssayError
from polyassay.rubric.agreement import Disagreement, disagreements
from polyassay.rubric.room.adjudication import Adjudication
from polyassay.rubric.stored import all_scores, used_rubric
from polyassay.rubric.terminal.disagreement import disagreement_teller
from polyassay.store.scores import Scores

KEYS = "s: skip, u: undo, c: comment, b: back, q: leave"


@click.command()
@click.option("--grader", required=True, metavar="NAME", help="Who decides.")
@click.option("--apart", type=click.IntRange(1), default=1, help="From this difference on [1].")
@click.option("--dimension", metavar="D", help="Only this dimension.")
@click.option("--again", is_flag=True, help="Also what is decided already, to revise it.")
@click.option(
    "-c",
    "--candidates",
    multiple=True,
    metavar="[TOOL=]PATH",
    help="Answers whose scores were imported, where no run of the store has them.",
)
@rubric_option
@suite_option
@store_option
@json_option
def adjudicate(
    grader: str,
    apart: int,
    dimension: str | None,
    again: bool,
    candidates: tuple[str, ...],
    rubric_name: str | None,
    suite: str | None,
    store_url: str | None,
    as_json: bool,
) -> None:
    """Decides disagreements, one after the other; the graders' scores are kept.

    Asks line by line, in a terminal too: type a digit or a key, then Enter. Neither tools nor
    graders are named. Means take the decision instead of the scores, agreement goes on taking the
    scores.

    \b
    polyassay grade adjudicate --grader chief --apart 2
    polyassay grade adjudicate --grader chief --again
    """
    opened = open_store(store_url)
    store = Scores(opened)
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
        if (again or one.decided is None)
        and one.spread >= apart
        and dimension in (None, one.dimension)
    ]
    codes = answers_to_decide(opened, store, candidates, {one.key for one in found})
    show = disagreement_teller(rubric, scores, suite_tasks(), codes, secrets.token_hex())
    at_work = Adjudication(rubric, grader, found, store.events(rubric=rubric.name), store.append)
    _decide_all(at_work, show, quiet=as_json)
    decided = at_work.decided - sum(one.decided is not None for one in found)
    left = len(found) - at_work.decided
    if as_json:
        print_json({"decided": decided, "left": left})
        return
    output().print(f"{decided} decided, {left} left.")


def _decide_all(at_work: Adjudication, show: Callable[[Disagreement], str], quiet: bool) -> None:
    """Until all are decided or skipped, or the grader leaves."""
    shown: int | None = None
    while not at_work.finished:
        if shown != at_work.number:
            shown = at_work.number
            click.echo(f"\n=== {shown + 1} of {len(at_work.found)}", err=quiet)
            click.echo(show(at_work.current), err=quiet)
        try:
            if not _one_key(at_work, quiet):
                return
        except (EOFError, KeyboardInterrupt):
            click.echo(err=quiet)
            return


def _one_key(at_work: Adjudication, quiet: bool) -> bool:
    """Asks for one key; False where the grader leaves."""
    key = _ask(_question(at_work), quiet)
    if key == "q":
        return False
    if key in ("s", "b"):
        at_work.go(1 if key == "s" else -1)
    elif key == "u":
        if not at_work.undo():
            click.echo("There is nothing to take back.", err=quiet)
    elif key == "c":
        if not at_work.comment(_ask("why: ", quiet)):
            click.echo("Decide first; then go back with b and say why.", err=quiet)
    elif not (key.isdecimal() and at_work.decide(int(key))):
        low, high = at_work.dimension.low, at_work.dimension.high
        click.echo(f"{at_work.dimension.id} is {low} to {high}; {KEYS}.", err=quiet)
    return True


def _question(at_work: Adjudication) -> str:
    dimension, decision = at_work.dimension, at_work.decision
    now = ""
    if decision is not None:
        now = f" [{decision.score}{f': {decision.text}' if decision.text else ''}]"
    return f"{dimension.id} {dimension.low} to {dimension.high}, or s u c b q{now}: "


def _ask(question: str, quiet: bool) -> str:
    click.echo(question, nl=False, err=quiet)
    return input().strip()
