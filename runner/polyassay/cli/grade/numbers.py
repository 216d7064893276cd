"""`polyassay grade summary` and `agreement`."""

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
from polyassay.report.grading.graders import agreement_json, agreement_rows
from polyassay.report.tables import rich_table
from polyassay.report.terminal.grading import (
    counts_table,
    disagreement_text,
    means_table,
    own_table,
)
from polyassay.rubric import agreement as measures
from polyassay.rubric.agreement import Disagreement
from polyassay.rubric.figures.agreeing import agreement_of
from polyassay.rubric.figures.left_out import warnings
from polyassay.rubric.figures.summary import Summary, summarise
from polyassay.rubric.stored import all_scores, left_out_rows, used_rubric
from polyassay.store.scores import Scores
from polyassay.wording import counted


@click.command()
@rubric_option
@suite_option
@store_option
@json_option
def summary(
    rubric_name: str | None, suite: str | None, store_url: str | None, as_json: bool
) -> None:
    """Means of every tool and dimension with 95 % intervals, and how often each point was given.

    \b
    polyassay grade summary
    """
    store = Scores(open_store(store_url))
    rubric = used_rubric(store, rubric_name)
    scores = all_scores(store, rubric, suite)
    found = summarise(rubric, scores, left_out_rows(store, rubric))
    if as_json:
        print_json(_summary(found))
        return
    console = output()
    print_whole(console, means_table(found))
    console.print()
    print_whole(console, counts_table(rubric.dimensions, found.counts))
    _warn(found.warnings)


def _summary(found: Summary) -> dict[str, Any]:
    return {
        "tools": {
            tool: {dimension: asdict(mean) for dimension, mean in of.items()}
            for tool, of in found.means.items()
        },
        "counts": found.counts,
        "left_out": {
            "rows": left_out_json(found.left_out),
            "tools": {
                tool: {d: asdict(of) for (t, d), of in (found.reaches or {}).items() if t == tool}
                for tool in found.means
            },
        },
    }


def _warn(lines: Sequence[str]) -> None:
    for line in lines:
        output().print(line, markup=False, soft_wrap=True)


@click.command()
@click.option("--worst", type=click.IntRange(0), default=10, help="Disagreements to list [10].")
@rubric_option
@suite_option
@store_option
@json_option
def agreement(
    worst: int, rubric_name: str | None, suite: str | None, store_url: str | None, as_json: bool
) -> None:
    """How far graders agree with each other, and each with the same grader later.

    Quadratic-weighted kappa of each pair, Krippendorff's alpha (ordinal) of all, and the answers
    on which they differ most.

    \b
    polyassay grade agreement
    """
    store = Scores(open_store(store_url))
    rubric = used_rubric(store, rubric_name)
    scores = all_scores(store, rubric, suite)
    ratings = {d.id: measures.ratings(scores, d.id) for d in rubric.dimensions}
    alpha = {d.id: measures.alpha(ratings[d.id], d) for d in rubric.dimensions}
    kappa = {d.id: measures.kappas(ratings[d.id], d) for d in rubric.dimensions}
    own = {d.id: measures.consistency(scores, d) for d in rubric.dimensions}
    apart = measures.disagreements(scores, rubric.dimensions)
    left_out = left_out_rows(store, rubric)
    found = {d.id: agreement_of(ratings[d.id], d) for d in rubric.dimensions}
    if as_json:
        print_json(
            {
                "alpha": alpha,
                "kappa": {
                    name: {",".join(pair): k.value for pair, k in pairs.items()}
                    for name, pairs in kappa.items()
                },
                "consistency": {
                    name: {grader: asdict(of) for grader, of in graders.items()}
                    for name, graders in own.items()
                },
                "disagreements": [_disagreement(one) for one in apart[:worst]],
                "left_out": {"rows": left_out_json(left_out)},
                "intervals": agreement_json(found),
            }
        )
        return
    console = output()
    print_whole(console, rich_table(agreement_rows(rubric.dimensions, found)))
    if any(own.values()):
        console.print()
        print_whole(console, own_table(rubric.dimensions, own))
    _warn(warnings(left_out, {})[:1])
    if apart and worst:
        console.print(f"\n{counted(len(apart), 'disagreement')}; the widest:")
        for one in apart[:worst]:
            console.print(
                f"  {one.key.suite} {one.key.task}  {disagreement_text(one)}",
                markup=False,
                soft_wrap=True,
            )
        console.print("Decide them:  polyassay grade adjudicate --grader NAME", markup=False)


def _disagreement(found: Disagreement) -> dict[str, Any]:
    """Without tool and sample: the person who decides it later must not know them."""
    return {
        "suite": found.key.suite,
        "task": found.key.task,
        "prompt_language": found.key.prompt_language,
        "dimension": found.dimension,
        "scores": dict(found.scores),
        "decided": found.decided,
    }
