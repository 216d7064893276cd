"""`polyassay grade preferences`."""

import click

from polyassay.cli.common import json_option, open_store, output, print_json, store_option
from polyassay.cli.grade.common import clusters, rubric_option, suite_option
from polyassay.cli.results.score import show_table
from polyassay.errors import PolyAssayError
from polyassay.report.grading.preferring import preferences_json, standings_table, versus_table
from polyassay.rubric.figures.preferring import preference_figures
from polyassay.rubric.stored import all_preferences, used_rubric
from polyassay.store.scores import Scores


@click.command()
@click.option("--by-dimension", is_flag=True, help="Also each dimension of the rubric.")
@rubric_option
@suite_option
@store_option
@json_option
def preferences(
    by_dimension: bool,
    rubric_name: str | None,
    suite: str | None,
    store_url: str | None,
    as_json: bool,
) -> None:
    """Which tools people prefer, from answers that they saw side by side.

    Bradley-Terry strengths with ties (Davidson), drawn by task; every two are tested together.

    \b
    polyassay grade preferences
    polyassay grade preferences --by-dimension
    """
    store = Scores(open_store(store_url))
    rubric = used_rubric(store, rubric_name)
    given = all_preferences(store, rubric, suite)
    if not given:
        raise PolyAssayError(
            "Nobody has compared two answers yet.",
            hint="`polyassay grade start --help` says how to show two side by side.",
        )
    dimensions = ["", *(d.id for d in rubric.dimensions)] if by_dimension else [""]
    if not any(one.dimension == "" for one in given):
        dimensions = list(rubric.scales)
    cluster_of = clusters()
    every = [preference_figures(given, name, cluster_of) for name in dimensions]
    found = [one for one in every if one]
    if as_json:
        print_json(preferences_json(found))
        return
    for one in found:
        if one.dimension:
            output().print(f"\n{one.dimension}", markup=False)
        show_table(standings_table(one), "terminal")
        if len(one.versus) > 1:
            output().print()
            show_table(versus_table(one), "terminal")
