"""What the commands that seat a grader share: their options, and the session that these name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

import click

from polyassay.cli.common import open_store, store_option
from polyassay.cli.grade.answers import answers_of
from polyassay.cli.grade.common import rubric_option
from polyassay.errors import PolyAssayError
from polyassay.rubric import rubrics
from polyassay.rubric.answers import chosen, codes_of
from polyassay.rubric.plan import GradingPlan
from polyassay.rubric.room.opening import open_room
from polyassay.rubric.room.room import Room
from polyassay.rubric.room.words import usual_language
from polyassay.rubric.rubrics import Rubric
from polyassay.rubric.sessions import keeps_other_order, session_of
from polyassay.rubric.stored import keep_rubric
from polyassay.store import Store
from polyassay.store.graders import Grader, GraderKind, Graders
from polyassay.store.scores import PREFERENCES, SCORES, GradingSession, Scores

PERSON = GraderKind.PERSON
Command = TypeVar("Command", bound=Callable[..., Any])

OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.argument("run", required=False),
    click.option("-s", "--suite", metavar="SUITE", help="What was asked [the run's only suite]."),
    click.option(
        "-c", "--candidates", multiple=True, metavar="[TOOL=]PATH", help="Answers, instead of RUN."
    ),
    click.option(
        "--study",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        help="The answers of a study, instead of RUN.",
    ),
    rubric_option,
    click.option("--language", metavar="NL", help="Of words and rubric: en, zh, … [the locale's]."),
    click.option("--prefer", is_flag=True, help="Ask which of two answers is better."),
    click.option("--by-dimension", is_flag=True, help="With --prefer: for each dimension, too."),
    click.option(
        "--pairs", type=click.IntRange(1), metavar="N", help="With --prefer: pairs a prompt [all]."
    ),
    click.option("--side-by-side", is_flag=True, help="Two answers to a task on one screen."),
    click.option(
        "--repeat", type=click.FloatRange(0, 1), default=0.1, help="Share shown again [0.1]."
    ),
    click.option("--overlap", type=click.IntRange(1), metavar="N", help="Graders an answer [all]."),
    click.option(
        "--graders",
        type=click.IntRange(1),
        metavar="N",
        help="How many share the work of --overlap.",
    ),
    click.option(
        "--calibration-rounds",
        type=click.IntRange(0),
        default=2,
        help="How often calibration items come [2].",
    ),
    click.option("--seed", type=int, help="Of the order, with the name [drawn]."),
    click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the first N tasks."),
    click.option(
        "--samples", type=click.IntRange(1), metavar="N", help="Only each tool's first N."
    ),
    click.option(
        "--prompt-language", metavar="NL", help="Only answers to prompts in this language."
    ),
    click.option("--format", "answer_format", help="The answers' format, where guessing fails."),
    click.option("--open-reference", is_flag=True, help="Show references before scoring, too."),
    store_option,
)


def seating_options(command: Command) -> Command:
    for option in reversed(OPTIONS):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class Seat:
    """A grader's session, and the room that shows it."""

    store: Store
    session: GradingSession
    rubric: Rubric
    room: Room


def seats(
    graders: tuple[str, ...], options: Mapping[str, Any], kind_of_grader: GraderKind = PERSON
) -> list[Seat]:
    """One session for each grader, begun or going on; the answers are read once."""
    if not all(name.strip() for name in graders):
        raise click.UsageError("--grader must not be empty.")
    plan = GradingPlan(**{field.name: options[field.name] for field in fields(GradingPlan)})
    if plan.graders and not plan.overlap:
        raise click.UsageError("--graders goes with --overlap.")
    if (plan.pairs or plan.by_dimension) and not options["prefer"]:
        raise click.UsageError("--pairs and --by-dimension go with --prefer.")
    rubric = rubrics.load(options["rubric_name"] or rubrics.DEFAULT)
    wanted = options["language"]
    language = rubrics.language_of(rubric, wanted) if wanted else usual_language(rubric)
    store = open_store(options["store_url"])
    suite, answers = answers_of(
        store,
        options["run"],
        options["suite"],
        options["candidates"],
        options["answer_format"],
        options["limit"],
        options["study"],
    )
    codes = codes_of(suite, chosen(answers, options["samples"], options["prompt_language"]))
    for name in graders:
        _keep_kind(Graders(store), name.strip(), kind_of_grader)
    scores = Scores(store)
    keep_rubric(scores, rubric)
    kind = PREFERENCES if options["prefer"] else SCORES
    found = []
    for name in graders:
        session = session_of(scores, suite, codes, rubric, name.strip(), plan, kind)
        if keeps_other_order(session, plan):
            click.echo("This session goes on in the order in which it began.", err=True)
        room = open_room(store, session, rubric, language, options["open_reference"])
        found.append(Seat(store, session, rubric, room))
    return found


def _keep_kind(graders: Graders, name: str, kind: GraderKind) -> None:
    """Before the first score: a person never becomes a model, nor a model a person."""
    known = graders.graders().get(name)
    if known is None and kind is not PERSON:
        graders.save_grader(Grader(name, kind))
    elif known is not None and known.kind is not kind:
        raise PolyAssayError(
            f'"{name}" is a {known.kind} in this store.',
            hint="People and models are never mixed: give this grader another name.",
        )
