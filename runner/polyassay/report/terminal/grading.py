"""Graders' scores as tables on a terminal."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.table import Table

from polyassay.model import CandidateKey
from polyassay.rubric.agreement import Consistency, Disagreement
from polyassay.rubric.crosstab import OPINIONS, Crosstab
from polyassay.rubric.figures.summary import Summary
from polyassay.rubric.means import Mean
from polyassay.rubric.rubrics import Dimension


def means_table(found: Summary) -> Table:
    """Mean, interval and number of answers; then who gave how many scores to them."""
    dimensions = found.rubric.dimensions
    table = _table("tool")
    for dimension in dimensions:
        table.add_column(f"{dimension.id} {dimension.low}–{dimension.high}", no_wrap=True)
    table.add_column("answers", justify="right", no_wrap=True)
    table.add_column("scores", no_wrap=True)
    for tool, of in found.means.items():
        cells = [_mean_cell(of.get(d.id)) for d in dimensions]
        table.add_row(tool, *cells, _answers(of), given_text(of.values()))
    return table


def _mean_cell(mean: Mean | None) -> str:
    return f"{mean.mean:.4f}  {mean.low:.2f}–{mean.high:.2f}" if mean else "–"


def _answers(of: Mapping[str, Mean]) -> str:
    """One number where all dimensions have the same, else one for each."""
    numbers = [mean.n for mean in of.values()]
    return str(numbers[0]) if len(set(numbers)) == 1 else "/".join(map(str, numbers))


def given_text(means: Iterable[Mean]) -> str:
    """`ann 483, bob 480, 3 decided`"""
    graders: Counter[str] = Counter()
    decided = 0
    for mean in means:
        graders.update(mean.graders)
        decided += mean.decided
    told = [f"{grader} {n}" for grader, n in sorted(graders.items())]
    return ", ".join([*told, *([f"{decided} decided"] if decided else [])])


def counts_table(
    dimensions: Sequence[Dimension], counts: Mapping[str, Mapping[str, Mapping[str, int]]]
) -> Table:
    table = _table("points given")
    for dimension in dimensions:
        table.add_column(dimension.id, no_wrap=True)
    for tool, of in counts.items():
        table.add_row(
            tool,
            *("  ".join(f"{point}:{n}" for point, n in of[d.id].items()) for d in dimensions),
        )
    return table


def own_table(dimensions: Sequence[Dimension], own: dict[str, dict[str, Consistency]]) -> Table:
    """Each grader against the same grader later, on silent repeats."""
    table = _table("")
    for dimension in dimensions:
        table.add_column(dimension.id, no_wrap=True)
    for grader in sorted({grader for graders in own.values() for grader in graders}):
        cells = [
            f"{100 * c.same:.0f} % of {c.items} the same" if (c := own[d.id].get(grader)) else "–"
            for d in dimensions
        ]
        table.add_row(f"{grader}, again", *cells)
    return table


def crosstab_table(found: Crosstab) -> Table:
    table = _table("tests")
    for opinion in OPINIONS:
        table.add_column(opinion, justify="right")
    for tests in ("passed", "failed"):
        table.add_row(tests, *(str(found.counts.get((tests, p), 0)) for p in OPINIONS))
    return table


def status_table(found: Iterable[Mapping[str, Any]]) -> Table:
    """Each as `grade status --json` prints it."""
    table = _table("grader")
    numbers = ("items", "done", "skipped", "flagged", "scores")
    columns = ("what", "suite", "rubric", *numbers, "last", "session")
    for column in columns:
        right = column in numbers
        table.add_column(column, justify="right" if right else "left", no_wrap=True)
    for row in found:
        name = row["grader"] + " (model)" * (row["kind"] == "model")
        table.add_row(name, *(_shown(row[column]) for column in columns))
    return table


def _shown(value: object) -> str:
    return "–" if value is None else str(value)


def _table(first: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column(first, no_wrap=True)
    return table


def number(value: float | None) -> str:
    return "not defined" if value is None else f"{value:.3f}"


def named(key: CandidateKey) -> str:
    sample = f" sample {key.sample}" if key.sample else ""
    return f"{key.suite} {key.task} · {key.tool}{sample}"


def disagreement_text(found: Disagreement) -> str:
    given = ", ".join(f"{grader} {score}" for grader, score in found.scores.items())
    decided = f"; decided: {found.decided}" if found.decided is not None else ""
    return f"{found.dimension}: {given}{decided}"
