"""`polyassay grade summary` and `agreement`."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import click
from rich.table import Table

from polyassay.cli.common import json_option, open_store, output, print_json, store_option
from polyassay.cli.grade.common import rubric_option, suite_option
from polyassay.model import CandidateKey
from polyassay.report.rubric import Mean, mean_score
from polyassay.rubric import agreement as measures
from polyassay.rubric.agreement import Disagreement
from polyassay.rubric.rubrics import Dimension
from polyassay.rubric.sheets import Score, all_scores, settled, used_rubric
from polyassay.store.scores import Scores
from polyassay.wording import counted

NO_SECOND = "needs a second grader"


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
        tool: {d.id: _counts(given[tool][d.id], d) for d in rubric.dimensions} for tool in tools
    }
    if as_json:
        told = {
            tool: {dimension: asdict(mean) for dimension, mean in of.items()}
            for tool, of in means.items()
        }
        print_json({"tools": told, "counts": counts})
        return
    console = output()
    console.print(_means_table(rubric.dimensions, means))
    console.print()
    console.print(_counts_table(rubric.dimensions, counts))


def _counts(scores: Sequence[Score], dimension: Dimension) -> dict[str, int]:
    found = Counter(score.score for score in scores)
    return {str(point.score): found[point.score] for point in dimension.points}


def _means_table(dimensions: Sequence[Dimension], means: dict[str, dict[str, Mean]]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column("tool", no_wrap=True)
    for dimension in dimensions:
        table.add_column(f"{dimension.id} {dimension.low}–{dimension.high}", no_wrap=True)
    table.add_column("scores", justify="right", no_wrap=True)
    for tool, of in means.items():
        cells = [
            f"{m.mean:.4f}  {m.low:.2f}–{m.high:.2f}" if (m := of.get(d.id)) else "–"
            for d in dimensions
        ]
        table.add_row(tool, *cells, str(sum(mean.n for mean in of.values())))
    return table


def _counts_table(
    dimensions: Sequence[Dimension], counts: dict[str, dict[str, dict[str, int]]]
) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column("points given", no_wrap=True)
    for dimension in dimensions:
        table.add_column(dimension.id, no_wrap=True)
    for tool, of in counts.items():
        table.add_row(
            tool,
            *("  ".join(f"{point}:{n}" for point, n in of[d.id].items()) for d in dimensions),
        )
    return table


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
    console.print(_agreement_table(rubric.dimensions, told, kappa, own))
    if apart and worst:
        console.print(f"\n{counted(len(apart), 'disagreement')}; the widest:")
        for found in apart[:worst]:
            console.print(f"  {named(found.key)}  {_told(found)}", markup=False, soft_wrap=True)
        console.print("Decide them:  polyassay grade adjudicate --grader NAME", markup=False)


def _agreement_table(
    dimensions: Sequence[Dimension],
    alpha: dict[str, str],
    kappa: dict[str, dict[tuple[str, str], measures.Kappa]],
    own: dict[str, dict[str, measures.Consistency]],
) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column("", no_wrap=True)
    for dimension in dimensions:
        table.add_column(dimension.id, no_wrap=True)
    table.add_row("Krippendorff's alpha, all graders", *(alpha[d.id] for d in dimensions))
    for pair in sorted({pair for pairs in kappa.values() for pair in pairs}):
        cells = [
            f"{number(k.value)}  of {k.items}" if (k := kappa[d.id].get(pair)) else "–"
            for d in dimensions
        ]
        table.add_row(f"kappa, {' and '.join(pair)}", *cells)
    for grader in sorted({grader for graders in own.values() for grader in graders}):
        cells = [
            f"{100 * c.same:.0f} % of {c.items} the same" if (c := own[d.id].get(grader)) else "–"
            for d in dimensions
        ]
        table.add_row(f"{grader}, again", *cells)
    return table


def number(value: float | None) -> str:
    return "not defined" if value is None else f"{value:.3f}"


def named(key: CandidateKey) -> str:
    sample = f" sample {key.sample}" if key.sample else ""
    return f"{key.suite} {key.task} · {key.tool}{sample}"


def _told(found: Disagreement) -> str:
    given = ", ".join(f"{grader} {score}" for grader, score in found.scores.items())
    decided = f"; decided: {found.decided}" if found.decided is not None else ""
    return f"{found.dimension}: {given}{decided}"


def _disagreement(found: Disagreement) -> dict[str, Any]:
    return asdict(found.key) | {
        "dimension": found.dimension,
        "scores": dict(found.scores),
        "decided": found.decided,
    }
