"""`polyassay study`: from a study file to a report."""

import dataclasses
import fcntl
import io
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

import click

from polyassay.cli.beginning import load_suites
from polyassay.cli.common import home, json_option, messages, open_store, output, print_json
from polyassay.cli.results.report import report as report_command
from polyassay.cli.results.score import score as score_command
from polyassay.cli.run import run as run_command
from polyassay.errors import PolyAssayError
from polyassay.generate.asking import AskingBudget
from polyassay.model import Style, Suite
from polyassay.report.tables import rich_table
from polyassay.study.answers import ask
from polyassay.study.consent import Consent
from polyassay.study.file import Study, read_study
from polyassay.study.page import PAGE, write_page
from polyassay.study.preview import preview_table, previews, previews_json
from polyassay.study.results import Shown, results_of
from polyassay.study.state import StudyState, inputs_of, run_to_resume
from polyassay.study.tables import (
    asked_table,
    effect_table,
    effects_json,
)
from polyassay.study.variants import Variant, questionnaire_of, variants
from polyassay.suites.registry import Registry
from polyassay.wording import counted

FILE = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))


@click.group()
def study() -> None:
    """From a study file to a report: asks tools, judges their answers, and compares them.

    \b
    polyassay init
    polyassay study preview study.toml
    polyassay study run study.toml
    """


@study.command()
@FILE
@json_option
def preview(file: Path, as_json: bool) -> int:
    """Says what would be asked, how much and at what price; asks nothing."""
    found = read_study(file)
    suites, registry = _suites(found), Registry(home())
    plans = list(previews(found, suites, registry))
    if as_json:
        told = previews_json(plans)
        print_json({"study": str(file), "suites": list(suites), "tools": told})
        return 0
    note = f"{', '.join(suites)} · {counted(_tasks(suites), 'task')} · tokens are estimated"
    output().print(rich_table(preview_table(plans)))
    output().print(f"{note}. Next:  polyassay study run {file}", markup=False)
    return 0


@study.command()
@FILE
@click.option("--max-cost", type=click.FloatRange(0), help="Of all answers of a tool or variant.")
@click.option("--max-tokens-total", type=click.FloatRange(0), help="The same, in tokens.")
@click.option("--partial", is_flag=True, help="Judge although answers are missing.")
@click.option("--yes", is_flag=True, help="Prompts may be sent to the tools' hosts.")
@json_option
def run(
    file: Path,
    max_cost: float | None,
    max_tokens_total: float | None,
    partial: bool,
    yes: bool,
    as_json: bool,
) -> int:
    """Asks, judges, compares and reports; the same command goes on where it stopped."""
    found = read_study(file)
    suites, registry = _suites(found), Registry(home())
    every = variants(found)
    person = click.confirm if sys.stdin.isatty() and not as_json else None
    asked = [variant for variant in every if variant.asked]
    Consent(home(), found.send_to, yes, person).require([one.tool for one in asked], suites)
    with _alone(found):
        budget = AskingBudget(max_cost, max_tokens_total)
        _ask_all(found, asked, suites, registry, budget, partial)
        judged = {name: suite for name, suite in suites.items() if _has(suite, judged=True)}
        if not judged:
            return _only_graded(found, every, as_json)
        run_id, code, told = _judge(found, every, judged, as_json)
        shown = results_of(open_store(None), found, every, run_id)
        page = _report(found, shown, run_id)
    settings = effects_json(shown.effects)
    if as_json:
        answers = {variant.tool.name: str(variant.path) for variant in every}
        print_json({**told, "answers": answers, "report": str(page), "settings": settings})
    else:
        _show(found, shown)
        output().print(f"\nOpen {page}", markup=False, soft_wrap=True)
        if any(_has(suite, judged=False) for suite in suites.values()):
            output().print(_next_to_grade(found), markup=False, soft_wrap=True)
    return code


@study.command()
@FILE
@json_option
def show(file: Path, as_json: bool) -> int:
    """Shows the results of a study that was run."""
    found = read_study(file)
    state = StudyState.read(found.answers)
    if not state.run:
        raise PolyAssayError(
            f"{file} has not been run yet.", f"`polyassay study run {file}` does that."
        )
    shown = results_of(open_store(None), found, variants(found), state.run)
    flags = ["--json"] if as_json else []
    told = _captured(score_command, [state.run, *flags])[1]
    if as_json:
        report, settings = str(found.report / PAGE), effects_json(shown.effects)
        print_json({**told, "report": report, "settings": settings})
    else:
        _show(found, shown)
    return 0


def _has(suite: Suite, judged: bool) -> bool:
    """Whether some tasks of a suite have tests, or some are for people."""
    return any((task.style is not Style.RUBRIC) == judged for task in suite.tasks)


def _next_to_grade(study: Study) -> str:
    return f"People grade the rest:  polyassay grade start --study {study.path} --grader NAME"


def _only_graded(study: Study, every: Sequence[Variant], as_json: bool) -> int:
    """The end of a study that no test can judge: its answers are ready for people."""
    if as_json:
        answers = {variant.tool.name: str(variant.path) for variant in every}
        print_json({"run": None, "answers": answers, "to_grade": True})
    else:
        output().print(_next_to_grade(study), markup=False, soft_wrap=True)
    return 0


def _suites(study: Study) -> dict[str, Suite]:
    return {
        name: dataclasses.replace(suite, tasks=suite.tasks[: study.limit])
        for name, suite in load_suites(study.suites, to_grade=True).items()
    }


def _tasks(suites: Mapping[str, Suite]) -> int:
    return sum(len(suite.tasks) for suite in suites.values())


@contextmanager
def _alone(study: Study) -> Iterator[None]:
    """No two processes run one study; the lock goes away with the process, however it ends."""
    study.answers.mkdir(parents=True, exist_ok=True)
    with (study.answers / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise PolyAssayError(
                f"Another process is running {study.path}.", "wait for it, or stop it first."
            ) from None
        yield


def _ask_all(
    study: Study,
    asked: Sequence[Variant],
    suites: Mapping[str, Suite],
    registry: Registry,
    budget: AskingBudget,
    partial: bool,
) -> None:
    missing = []
    for variant in asked:
        try:
            tally = ask(questionnaire_of(study, variant), suites, registry, budget, messages())
        except KeyboardInterrupt:
            messages().print(f"Interrupted. Go on with:  polyassay study run {study.path}")
            raise
        if tally.errors or tally.stopped:
            missing.append(variant.tool.name)
    if missing and not partial:
        raise PolyAssayError(
            f"Not all questions have an answer yet ({', '.join(missing)}), so nothing was judged.",
            f"`polyassay study run {study.path}` asks for the rest; --partial judges without.",
        )


def _judge(
    study: Study, every: Sequence[Variant], suites: Mapping[str, Suite], as_json: bool
) -> tuple[str, int, dict[str, Any]]:
    """Goes on with the study's run where its answers are still the same."""
    flags = _flags(study, every)
    inputs = inputs_of(suites, [(v.tool.name, v.path) for v in every], flags)
    tools = [variant.tool.name for variant in every]
    there = open_store(None).runs()
    run_id = run_to_resume(StudyState.read(study.answers), inputs, there, tools)
    if run_id:
        arguments = ["--resume", run_id]
    else:
        StudyState("", inputs, tuple(run.id for run in there)).write(study.answers)
        arguments = [*flags]
        for name in suites:
            arguments += ["-s", name]
        for variant in every:
            arguments += ["-c", f"{variant.tool.name}={variant.path}"]
    code, told = _captured(run_command, [*arguments, "--json"] if as_json else arguments)
    if not run_id:
        state = StudyState.read(study.answers)
        run_id = run_to_resume(state, inputs, open_store(None).runs(), tools)
    StudyState(run_id, inputs).write(study.answers)
    return run_id, code, told


def _flags(study: Study, every: Sequence[Variant]) -> list[str]:
    """What `polyassay run` is told besides suites and candidates."""
    given = {"limit": study.limit, **(study.run or {})}
    shown = [variant.settings for variant in every if variant.settings.held_out_tests]
    if shown and (most := max(int(one.shown_tests) for one in shown)):
        given |= {"hold_out": most, "seed": shown[0].seed}
        if len({one.seed for one in shown}) > 1:
            raise PolyAssayError(
                "Tests can be held out with one seed only.", "do not vary seed and held_out_tests."
            )
    if "test_seed" in given:
        given["seed"] = given.pop("test_seed")
    return [
        part
        for name, value in given.items()
        if value is not None
        for part in (f"--{name.replace('_', '-')}", str(value))
    ]


def _captured(command: click.Command, arguments: Sequence[str]) -> tuple[int, dict[str, Any]]:
    """Calls another command; with --json what it says is returned, and else printed."""
    if "--json" not in arguments:
        return int(command.main(list(arguments), standalone_mode=False) or 0), {}
    said = io.StringIO()
    with redirect_stdout(said):
        code = int(command.main(list(arguments), standalone_mode=False) or 0)
    return code, json.loads(said.getvalue())


def _show(study: Study, shown: Shown) -> None:
    tables = [asked_table(shown.asked, study.measure), *map(effect_table, shown.effects)]
    for table in [*tables, *([shown.against] if shown.against else [])]:
        output().print()
        output().print(rich_table(table))
        for note in table.notes:
            output().print(f" {note}", markup=False)


def _report(study: Study, shown: Shown, run_id: str) -> Path:
    """The study's own page first, so that the report links to it."""
    page = (study.path.stem, shown.asked, shown.effects, study.measure, shown.against)
    written = write_page(study.report, *page)
    _captured(report_command, [run_id, "-o", str(study.report), "--json"])
    return written
