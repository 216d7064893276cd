"""`polyassay grade summary` and `agreement`."""

from dataclasses import asdict
from typing import Any

import click

from polyassay.cli.common import json_option, open_store, output, print_json, store_option
from polyassay.cli.grade.common import rubric_option, suite_option
from polyassay.report.terminal.grading import (
    NO_SECOND,
    agreement_table,
    counts_table,
    disagreement_text,
    means_table,
    number,
)
from polyassay.rubric import agreement as measures
from polyassay.rubric.agreement import Disagreement
from polyassay.rubric.means import mean_score, point_counts
from polyassay.rubric.sheets import settled
from polyassay.rubric.stored import all_scores, used_rubric
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
    scores = settled(all_scores(store, rubric, suite))
    tools = sorted({score.key.tool for score in scores})
    given = {
        tool: {
            dimension.id: [s for s in scores if (s.key.tool, s.dimension) == (tool, dimension.id)]
            for dimension in rubric.dimensions
        }
        for tool in tools
    }
    means = {
        tool: {d.id: mean_score(of[d.id], d) for d in rubric.dimensions if of[d.id]}
        for tool, of in given.items()
    }
    counts = {
        tool: {d.id: point_counts(given[tool][d.id], d) for d in rubric.dimensions}
        for tool in tools
    }
    if as_json:
        told = {
            tool: {dimension: asdict(mean) for dimension, mean in of.items()}
            for tool, of in means.items()
        }
        print_json({"tools": told, "counts": counts})
        return
    console = output()
    console.print(means_table(rubric.dimensions, means))
    console.print()
    console.print(counts_table(rubric.dimensions, counts))


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
                "disagreements": [_disagreement(found) for found in apart[:worst]],
            }
        )
        return
    console = output()
    told = {
        name: number(value) if len(ratings[name]) > 1 else NO_SECOND
        for name, value in alpha.items()
    }
    console.print(agreement_table(rubric.dimensions, told, kappa, own))
    if apart and worst:
        console.print(f"\n{counted(len(apart), 'disagreement')}; the widest:")
        for found in apart[:worst]:
            console.print(
                f"  {found.key.suite} {found.key.task}  {disagreement_text(found)}",
                markup=False,
                soft_wrap=True,
            )
        console.print("Decide them:  polyassay grade adjudicate --grader NAME", markup=False)


def _disagreement(found: Disagreement) -> dict[str, Any]:
    """Without tool and sample: whoever decides it later must not know them."""
    return {
        "suite": found.key.suite,
        "task": found.key.task,
        "prompt_language": found.key.prompt_language,
        "dimension": found.dimension,
        "scores": dict(found.scores),
        "decided": found.decided,
    }
