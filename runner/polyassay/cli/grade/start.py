"""`polyassay grade start`."""

import os
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import click

from polyassay.cli.common import json_option, open_store, print_json, store_option
from polyassay.cli.grade.answers import answers_of
from polyassay.cli.grade.common import rubric_option
from polyassay.model import CandidateKey
from polyassay.rubric import rubrics
from polyassay.rubric.answers import blinded, chosen, codes_of
from polyassay.rubric.grading import Grading
from polyassay.rubric.plan import GradingPlan
from polyassay.rubric.sessions import keeps_other_order, mask_secret, session_of
from polyassay.rubric.stored import keep_rubric
from polyassay.rubric.terminal.plain import grade_plainly
from polyassay.shown_text import clean
from polyassay.store.scores import Scores


@click.command()
@click.argument("run", required=False)
@click.option("-s", "--suite", metavar="SUITE", help="What was asked [the run's only suite].")
@click.option(
    "-c", "--candidates", multiple=True, metavar="[TOOL=]PATH", help="Answers, instead of RUN."
)
@rubric_option
@click.option("--grader", required=True, metavar="NAME", help="Who grades.")
@click.option("--language", default="en", metavar="NL", help="Of the rubric's wording [en].")
@click.option("--side-by-side", is_flag=True, help="Two answers to a task on one screen.")
@click.option("--repeat", type=click.FloatRange(0, 1), default=0.1, help="Share shown again [0.1].")
@click.option("--overlap", type=click.IntRange(1), metavar="N", help="Graders an answer [all].")
@click.option(
    "--graders", type=click.IntRange(1), metavar="N", help="How many share the work of --overlap."
)
@click.option("--seed", type=int, help="Of the order, with the name [drawn].")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the first N tasks.")
@click.option("--samples", type=click.IntRange(1), metavar="N", help="Only each tool's first N.")
@click.option("--prompt-language", metavar="NL", help="Only answers to prompts in this language.")
@click.option("--format", "answer_format", help="The answers' format, where guessing fails.")
@click.option("--plain", is_flag=True, help="Line by line, for dumb terminals and scripts.")
@store_option
@json_option
def start(
    run: str | None,
    suite: str | None,
    candidates: tuple[str, ...],
    rubric_name: str | None,
    grader: str,
    language: str,
    limit: int | None,
    samples: int | None,
    prompt_language: str | None,
    answer_format: str | None,
    plain: bool,
    store_url: str | None,
    as_json: bool,
    **order: Any,
) -> None:
    """Grades answers without knowing whose they are; the same command goes on later.

    One key a score, ? for help; every key press is saved at once.

    \b
    polyassay grade start -c answers.jsonl --suite aixbench-manual --grader ann
    polyassay grade start latest --grader bob --side-by-side
    """
    grader = grader.strip()
    if not grader:
        raise click.UsageError("--grader must not be empty.")
    plan = GradingPlan(**order)
    if plan.graders and not plan.overlap:
        raise click.UsageError("--graders goes with --overlap.")
    rubric = rubrics.load(rubric_name or rubrics.DEFAULT)
    wording = rubrics.language_of(rubric, language)
    opened = open_store(store_url)
    asked, answers = answers_of(opened, run, suite, candidates, answer_format, limit)
    codes = codes_of(asked, chosen(answers, samples, prompt_language))
    store = Scores(opened)
    keep_rubric(store, rubric)
    session = session_of(store, asked, codes, rubric, grader, plan)
    if keeps_other_order(session, plan):
        click.echo("This session goes on in the order in which it began.", err=True)
    tasks = opened.suite(session.suite).tasks  # as they were when the session began
    grading = Grading(
        rubric,
        grader,
        session.id,
        {(task.suite, task.id): task for task in tasks},
        store.items(session.id),
        store.events(grader=grader, rubric=rubric.name),
        store.append,
    )
    code = blinded(tasks, codes, mask_secret(session))
    _grade(grading, lambda key: clean(code(key)), wording, plain, quiet=as_json)
    progress = grading.progress()
    if as_json:
        told = {"done": progress.done, "total": progress.total, "skipped": progress.skipped}
        print_json({"session": session.id, **told})
        return
    click.echo(
        f"{progress.done} of {progress.total} items done, all saved. "
        "The same command goes on from here."
        if progress.done < progress.total
        else "All items done. Next:  polyassay grade summary   polyassay grade agreement",
        err=True,
    )


def _grade(
    grading: Grading, code: Callable[[CandidateKey], str], language: str, plain: bool, quiet: bool
) -> None:
    """Full screen where there is one, else line by line; quiet: nothing on standard output."""
    streams = (sys.stdin, sys.stdout, sys.stderr)
    dumb = os.environ.get("TERM", "") in ("", "dumb")
    if not plain and not dumb and all(stream.isatty() for stream in streams):
        from polyassay.rubric.terminal.screen import (
            GradingScreen,  # only here: it is slow to import
        )

        screen = GradingScreen(grading, code, language)
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

    grade_plainly(grading, code, language, ask, partial(click.echo, err=quiet))
