"""`polyassay grade start`."""

import dataclasses
import hashlib
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence

import click

from polyassay.candidates import ProgramMaker
from polyassay.cli.answers import read_sources
from polyassay.cli.common import home, open_store, store_option
from polyassay.cli.grade_common import DEFAULT, keep_rubric, rubric_option
from polyassay.errors import PolyAssayError
from polyassay.model import Candidate, CandidateKey, Suite, Task
from polyassay.rubric import rubrics
from polyassay.rubric.blind import Blinder
from polyassay.rubric.grading import Grading
from polyassay.rubric.plain import grade_plainly
from polyassay.rubric.plan import Plan, make_items
from polyassay.rubric.rubrics import Rubric
from polyassay.store import Store
from polyassay.store.scores import Item, Scores, Session
from polyassay.suites.registry import Registry


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
@click.option("--seed", type=int, default=0, help="Of the order, together with the name [0].")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the first N tasks.")
@click.option("--format", "answer_format", help="The answers' format, where guessing fails.")
@click.option("--plain", is_flag=True, help="Line by line, for dumb terminals and scripts.")
@store_option
def start(
    run: str | None,
    suite: str | None,
    candidates: tuple[str, ...],
    rubric_name: str | None,
    grader: str,
    language: str,
    limit: int | None,
    answer_format: str | None,
    plain: bool,
    store_url: str | None,
    seed: int,
    repeat: float,
    overlap: int | None,
    graders: int | None,
    side_by_side: bool,
) -> None:
    """Grades answers without knowing whose they are; the same command goes on later.

    Every key press is saved at once. Say one key a score, ? for help.

    \b
    polyassay grade start -c answers.jsonl --suite aixbench-manual --grader ann
    polyassay grade start latest --grader bob --side-by-side
    """
    if not grader.strip():
        raise click.UsageError("--grader must not be empty.")
    if graders and not overlap:
        raise click.UsageError("--graders goes with --overlap.")
    rubric = rubrics.load(rubric_name or DEFAULT)
    wording = rubrics.language_of(rubric, language)
    opened = open_store(store_url)
    asked, answers = _answers(opened, run, suite, candidates, answer_format, limit)
    codes = _codes(asked, answers)
    plan = Plan(seed, repeat, overlap, graders, side_by_side)
    store = Scores(opened)
    keep_rubric(store, rubric)
    session = _session(store, asked, codes, rubric, grader, plan)
    items = store.items(session.id)
    if not items:
        raise PolyAssayError(
            f"Nothing is left for {grader}: every answer has its {overlap} graders.",
            hint="`polyassay grade status` shows who has what; a larger --overlap gives more.",
        )
    grading = Grading(
        rubric,
        grader,
        session.id,
        {(task.suite, task.id): task for task in asked.tasks},
        items,
        store.events(grader=grader, rubric=rubric.name),
        store.append,
    )
    blind = blinded(asked, codes)
    if plain or not _is_full_terminal():
        grade_plainly(grading, blind, wording, _ask, click.echo)
    else:
        from polyassay.rubric.screen import GradingScreen  # only here: it is slow to import

        GradingScreen(grading, blind, wording).run()
    progress = grading.progress()
    click.echo(
        f"{progress.done} of {progress.total} items done, all saved. "
        "The same command goes on from here."
        if progress.done < progress.total
        else "All items done. Next:  polyassay grade summary   polyassay grade agreement",
        err=True,
    )


def _is_full_terminal() -> bool:
    return (
        sys.stdin.isatty()
        and sys.stdout.isatty()
        and os.environ.get("TERM", "dumb") not in ("", "dumb")
    )


def _ask(question: str) -> str:
    try:
        return input(question)
    except KeyboardInterrupt:
        raise EOFError from None


def _answers(
    store: Store,
    run: str | None,
    suite: str | None,
    names: Sequence[str],
    answer_format: str | None,
    limit: int | None,
) -> tuple[Suite, list[Candidate]]:
    """What was asked, and what is to be graded: from a run, or from files."""
    if bool(run) == bool(names):
        raise click.UsageError("Name either a RUN, or answers with -c.")
    if run is None:
        if suite is None:
            raise click.UsageError("-c needs --suite.")
        loaded = Registry(home()).load(suite)
        sources = read_sources(names, {suite: loaded}, answer_format, False, limit)
        return loaded, sources.candidates
    found = store.run(run)
    suites = store.suites(found)
    if suite is None and len(suites) == 1:
        (suite,) = suites
    if suite not in suites:
        raise PolyAssayError(
            f"Run {found.id} has the suites {', '.join(suites)}.", hint="Choose with --suite."
        )
    kept = {task.id for task in suites[suite].tasks[:limit]}
    candidates = [
        candidate
        for candidate in store.candidates(found.id)
        if candidate.key.suite == suite and candidate.key.task in kept
    ]
    return suites[suite], candidates


def _codes(suite: Suite, candidates: Sequence[Candidate]) -> dict[CandidateKey, str]:
    """The code of each answer as the tool wrote it; the whole answer where none is found."""
    tasks = {task.id: task for task in suite.tasks}
    with ProgramMaker() as maker:
        return {
            candidate.key: _code(maker, tasks[candidate.key.task], candidate)
            for candidate in candidates
        }


def _code(maker: ProgramMaker, task: Task, candidate: Candidate) -> str:
    program = maker.make(task, candidate)
    return candidate.answer if program.problem or not program.code.strip() else program.code


def _session(
    store: Scores,
    suite: Suite,
    codes: Mapping[CandidateKey, str],
    rubric: Rubric,
    grader: str,
    plan: Plan,
) -> Session:
    """The session that this grader has with these answers, or a new one."""
    listed = json.dumps([[*dataclasses.astuple(key), codes[key]] for key in sorted(codes)])
    pool = hashlib.sha256(listed.encode("utf-8", "surrogatepass")).hexdigest()
    begun = store.sessions(grader=grader, rubric=rubric.name, pool=pool)
    if begun:
        return begun[-1]
    _refuse_other_answers(store.shown_code(suite.name), codes)
    known = store.events(grader=grader, rubric=rubric.name, suite=suite.name)
    graded = {event.key for event in known if event.kind == "score" and not event.showing}
    open_codes = {key: code for key, code in codes.items() if key not in graded}
    return store.start_session(
        suite,
        grader,
        rubric.name,
        pool,
        dataclasses.asdict(plan),
        lambda taken: make_items(open_codes, plan, grader, taken),
    )


def _refuse_other_answers(
    shown: Mapping[CandidateKey, str], codes: Mapping[CandidateKey, str]
) -> None:
    """Scores belong to a tool's answer by its name, so the answer may not change under it."""
    for key, code in codes.items():
        if shown.get(key, code) != code:
            raise PolyAssayError(
                f"An answer to task {key.task} differs from the one that was graded before.",
                hint="Name the tool's new answers differently: -c NAME=PATH.",
            )


def blinded(suite: Suite, codes: Mapping[CandidateKey, str]) -> Callable[[Item], str]:
    """Item → its code without what gives the tool away."""
    tasks = {task.id: task for task in suite.tasks}
    words = [
        text
        for task in suite.tasks
        for text in (*task.prompts.values(), task.signature, task.class_name, task.context)
    ]
    answers: dict[str, list[str]] = {}
    for key, code in codes.items():
        answers.setdefault(key.tool, []).append(code)
    blinders = {
        language: Blinder(language, answers, words)
        for language in {str(task.language) for task in suite.tasks}
    }

    def hide(item: Item) -> str:
        task = tasks[item.key.task]
        return blinders[task.language].hide(item.code, task.class_name.rpartition(".")[2])

    return hide
