"""`polyassay power --graders`."""

import click

from polyassay.cli.common import home, print_json
from polyassay.cli.results.score import show_table
from polyassay.errors import PolyAssayError
from polyassay.measures.comparing.planning import Spread
from polyassay.report.grading.power import GradingPower, power_json, power_table
from polyassay.rubric import rubrics
from polyassay.rubric.figures.comparing import every_pair
from polyassay.rubric.figures.planning import assumed, spread_of
from polyassay.rubric.rubrics import Dimension, Rubric
from polyassay.rubric.stored import all_scores, used_rubric
from polyassay.store.scores import Scores
from polyassay.suites.registry import Registry


def plan_grading(
    store: Scores,
    suite: str,
    difference: float,
    graders: tuple[int, ...],
    rubric_name: str | None,
    dimension_name: str | None,
    as_json: bool,
) -> None:
    """Says how many tasks so many graders need; the spread is the store's, where it has one."""
    tasks = Registry(home()).load(suite).tasks
    rubric = _rubric(store, rubric_name)
    dimension = rubric.dimension(dimension_name) if dimension_name else rubric.dimensions[0]
    if dimension is None:
        raise PolyAssayError(
            f'The rubric "{rubric.name}" has no dimension "{dimension_name}".',
            hint=f"It has {', '.join(rubric.scales)}.",
        )
    if difference > dimension.high - dimension.low:
        raise click.UsageError(f"{dimension.id} is {dimension.low} to {dimension.high}.")
    spread = _from_store(store, rubric, dimension) or assumed()
    plan = GradingPower(suite, len(tasks), dimension, difference, graders, spread)
    if as_json:
        print_json(power_json(plan))
        return
    show_table(power_table(plan), "terminal")


def _rubric(store: Scores, name: str | None) -> Rubric:
    if (name or rubrics.DEFAULT) in store.rubrics():
        return used_rubric(store, name or rubrics.DEFAULT)
    return rubrics.load(name or rubrics.DEFAULT)


def _from_store(store: Scores, rubric: Rubric, dimension: Dimension) -> Spread | None:
    scores = all_scores(store, rubric, None)
    found = every_pair(rubric, scores, lambda key: (key.suite, key.task))
    pairs = [pair for one in found for pair in one.pairs.get(dimension.id, ())]
    return spread_of(pairs, dimension.high - dimension.low)
