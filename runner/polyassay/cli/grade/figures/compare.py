"""`polyassay grade compare`."""

import click

from polyassay.cli.common import json_option, open_store, output, print_json, store_option
from polyassay.cli.grade.common import clusters, left_out_json, rubric_option, suite_option
from polyassay.cli.results.score import show_table
from polyassay.report.grading.comparing import grades_json, grades_table, models_table
from polyassay.rubric.figures.comparing import compare_grades, ordinal_model
from polyassay.rubric.figures.summary import summarise
from polyassay.rubric.stored import all_scores, left_out_rows, used_rubric
from polyassay.store.scores import Scores


@click.command("compare")
@click.argument("a")
@click.argument("b")
@click.option("--model", is_flag=True, help="Also fit an ordinal mixed model.")
@rubric_option
@suite_option
@store_option
@json_option
def compare_command(
    a: str,
    b: str,
    model: bool,
    rubric_name: str | None,
    suite: str | None,
    store_url: str | None,
    as_json: bool,
) -> None:
    """Tells whether people score B higher than A, by how much, and how sure that is.

    Paired by task and within graders, so that nobody's severity counts; dimensions are tested
    together.

    \b
    polyassay grade compare finch heron
    polyassay grade compare finch heron --model
    """
    store = Scores(open_store(store_url))
    rubric = used_rubric(store, rubric_name)
    scores = all_scores(store, rubric, suite)
    cluster_of = clusters()
    found = compare_grades(rubric, scores, a, b, cluster_of)
    models = None
    if model:
        models = {
            d.id: ordinal_model(scores, d, a, b, cluster_of)
            for d in rubric.dimensions
            if d.id in found.comparison.metrics
        }
    of_both = [score for score in scores if score.key.tool in (a, b)]
    means = summarise(rubric, of_both, left_out_rows(store, rubric))
    if as_json:
        rows = {"rows": left_out_json(means.left_out)}
        print_json(grades_json(found, models) | {"left_out": rows})
        return
    show_table(grades_table(found), "terminal")
    if models is not None:
        show_table(models_table(found, models), "terminal")
    for line in means.of_left_out:
        output().print(line, markup=False, soft_wrap=True)
