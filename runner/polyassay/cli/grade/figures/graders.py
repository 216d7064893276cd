"""`polyassay grade graders`."""

import click

from polyassay.cli.common import json_option, open_store, output, print_json, store_option
from polyassay.cli.grade.common import left_out_json, rubric_option, suite_option
from polyassay.cli.results.score import show_table
from polyassay.report.grading.graders import (
    graders_json,
    graders_table,
    models_lines,
    times_table,
)
from polyassay.rubric.figures.graders import GraderFigures, grader_figures
from polyassay.rubric.figures.models import ModelFigures, model_figures
from polyassay.rubric.figures.times import looks
from polyassay.rubric.rubrics import Rubric
from polyassay.rubric.stored import (
    all_preferences,
    all_scores,
    calibration_scores,
    left_out_rows,
    used_rubric,
)
from polyassay.store.graders import GraderKind, Graders
from polyassay.store.scores import Scores


@click.command()
@rubric_option
@suite_option
@store_option
@json_option
def graders(
    rubric_name: str | None, suite: str | None, store_url: str | None, as_json: bool
) -> None:
    """Says which graders can be trusted, and who needs a talk; it names no tool.

    Severity against the others, calibration and drift, the same again on silent repeats, haste;
    models against people.

    \b
    polyassay grade graders
    """
    store = Scores(open_store(store_url))
    rubric = used_rubric(store, rubric_name)
    found = people_figures(store, rubric, suite)
    models = _models(store, rubric, suite)
    left_out = left_out_rows(store, rubric)
    if as_json:
        print_json(graders_json(found, models) | {"left_out": {"rows": left_out_json(left_out)}})
        return
    console = output()
    if any(one.timed for one in found):
        show_table(times_table(found), "terminal")
        console.print()
    show_table(graders_table(found, rubric), "terminal")
    for part in models_lines(models):
        console.print()
        if isinstance(part, str):
            console.print(part, markup=False, soft_wrap=True)
        else:
            show_table(part, "terminal")


def people_figures(store: Scores, rubric: Rubric, suite: str | None) -> list[GraderFigures]:
    models = Graders(store.opened).models()
    wanted = {"rubric": rubric.name} | ({"suite": suite} if suite else {})
    looked = looks(store.events(**wanted))
    return grader_figures(
        rubric,
        all_scores(store, rubric, suite),
        calibration_scores(store, rubric, suite),
        Graders(store.opened).calibration(rubric.name, suite),
        {grader: of for grader, of in looked.items() if grader not in models},
    )


def _models(store: Scores, rubric: Rubric, suite: str | None) -> list[ModelFigures]:
    """Every model that has said anything by this rubric."""
    kinds = (GraderKind.PERSON, GraderKind.MODEL)
    people, models = (all_scores(store, rubric, suite, kind) for kind in kinds)
    ours, theirs = (all_preferences(store, rubric, suite, kind) for kind in kinds)
    suites = {score.key.suite for score in (*people, *models)}
    codes = {key: code for name in suites for key, code in store.shown_code(name).items()}
    known = Graders(store.opened).graders()
    names = sorted({s.grader for s in models} | {p.grader for p in theirs})
    return [
        model_figures(name, known[name].facts, rubric, (people, models), (ours, theirs), codes)
        for name in names
    ]
