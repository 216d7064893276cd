"""`polyassay grade crosstab`."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import click
from rich.table import Table

from polyassay.cli.common import json_option, open_store, output, print_json, store_option
from polyassay.cli.grade.common import rubric_option, suite_option
from polyassay.cli.grade.numbers import named, number
from polyassay.model import CandidateKey, Verdict
from polyassay.rubric import crosstab as tables
from polyassay.rubric.crosstab import Contradiction, Crosstab
from polyassay.rubric.sheets import all_scores, used_rubric
from polyassay.store import Run, Store
from polyassay.store.scores import Scores
from polyassay.wording import counted

OPINIONS = ("wrong", "partly", "right")


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
    verdicts, stale = _verdicts(opened, store, opened.run(run))
    found = tables.crosstab(verdicts, all_scores(store, rubric, suite), rubric)
    if as_json:
        print_json(_crosstab_json(found) | {"other_answers": stale})
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
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for column in ("tests", *OPINIONS):
        table.add_column(column, justify="left" if column == "tests" else "right")
    for tests in ("passed", "failed"):
        cells = (str(found.counts.get((tests, p), 0)) for p in OPINIONS)
        table.add_row(tests, *cells)
    console.print(table)
    for name, correlation in found.correlations.items():
        rho = number(correlation.rho)
        console.print(
            f"pass ratio and {name}: Spearman's rho {rho} ({counted(correlation.n, 'answer')})"
        )

    if stale:
        console.print(f"Left out: {stale} answers that are not the ones that were graded.")


def _verdicts(opened: Store, store: Scores, run: Run) -> tuple[list[Verdict], int]:
    """The run's verdicts on the very answers that graders saw, and how many others there are."""
    shown: dict[CandidateKey, str] = {}
    for suite in run.provenance["suites"]:
        shown |= store.shown_code(suite)
    kept, stale = [], 0
    for verdict in opened.verdicts(run.id):
        code = verdict.program.code
        if code and not verdict.program.problem and shown.get(verdict.candidate, code) != code:
            stale += 1
        else:
            kept.append(verdict)
    return kept, stale


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
