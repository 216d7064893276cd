"""`polyassay grade crosstab`."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import click

from polyassay.cli.common import (
    json_option,
    open_store,
    output,
    print_json,
    print_whole,
    store_option,
)
from polyassay.cli.grade.common import left_out_json, rubric_option, suite_option
from polyassay.cli.results.score import show_table
from polyassay.measures.measuring.of_run import known_values
from polyassay.measures.worth.people import with_people
from polyassay.report.measures.as_json import people_json
from polyassay.report.measures.tables import people_table
from polyassay.report.terminal.grading import crosstab_table, named, number
from polyassay.rubric import crosstab as tables
from polyassay.rubric.crosstab import OPINIONS, Contradiction, Crosstab, verdicts_on_graded
from polyassay.rubric.figures.left_out import warnings
from polyassay.rubric.stored import all_scores, left_out_rows, used_rubric
from polyassay.store.scores import Scores
from polyassay.wording import counted


@click.command()
@click.argument("run")
@rubric_option
@suite_option
@store_option
@json_option
def crosstab(
    run: str, rubric_name: str | None, suite: str | None, store_url: str | None, as_json: bool
) -> None:
    """Tests and people together: answers on which they contradict each other.

    \b
    polyassay grade crosstab latest
    """
    opened = open_store(store_url)
    store = Scores(opened)
    rubric = used_rubric(store, rubric_name)
    begun = opened.run(run)
    verdicts, stale = verdicts_on_graded(opened, store, begun)
    scores = all_scores(store, rubric, suite)
    found = tables.crosstab(verdicts, scores, rubric)
    people = with_people(
        known_values(opened, begun),
        tables.opinions(verdicts, scores, rubric),
        {verdict.candidate: verdict.candidate.task for verdict in verdicts},
    )
    left_out = left_out_rows(store, rubric)
    if as_json:
        besides = {"other_answers": stale, "measures": people_json(people)}
        rows = {"rows": left_out_json(left_out)}
        print_json(_crosstab_json(found) | besides | {"left_out": rows})
        return
    console = output()
    for heading, contradictions in (
        ("Tests pass, graders call it wrong", found.passed_but_wrong),
        ("Tests fail, graders call it right", found.failed_but_right),
    ):
        console.print(f"{heading}: {len(contradictions)}")
        for one in contradictions:
            told = f"  {named(one.key)}  tests {one.passed}/{one.total}"
            console.print(f"{told}, {found.dimension} {one.mean:.2g}", markup=False, soft_wrap=True)
    print_whole(console, crosstab_table(found))
    for name, correlation in found.correlations.items():
        rho = number(correlation.rho)
        console.print(
            f"pass ratio and {name}: Spearman's rho {rho} ({counted(correlation.n, 'answer')})"
        )
    if people:
        show_table(people_table(people), "terminal")
    if stale:
        console.print(f"Left out: {stale} answers that are not the ones that were graded.")
    for line in warnings(left_out, {})[:1]:
        console.print(line, markup=False, soft_wrap=True)


def _crosstab_json(found: Crosstab) -> dict[str, Any]:
    def listed(contradictions: Sequence[Contradiction]) -> list[dict[str, Any]]:
        return [
            asdict(one.key) | {"passed": one.passed, "total": one.total, "mean": one.mean}
            for one in contradictions
        ]

    return {
        "dimension": found.dimension,
        "counts": {
            tests: {people: found.counts.get((tests, people), 0) for people in OPINIONS}
            for tests in ("passed", "failed")
        },
        "passed_but_wrong": listed(found.passed_but_wrong),
        "failed_but_right": listed(found.failed_but_right),
        "correlation": {name: asdict(of) for name, of in found.correlations.items()},
    }
