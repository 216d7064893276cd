"""Graders' scores as tables on a terminal."""

from collections.abc import Sequence

from rich.table import Table

from polyassay.model import CandidateKey
from polyassay.rubric.agreement import Consistency, Disagreement, Kappa
from polyassay.rubric.crosstab import OPINIONS, Crosstab
from polyassay.rubric.means import Mean
from polyassay.rubric.rubrics import Dimension

NO_SECOND = "needs a second grader"


def means_table(dimensions: Sequence[Dimension], means: dict[str, dict[str, Mean]]) -> Table:
    table = _table("tool")
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


def counts_table(
    dimensions: Sequence[Dimension], counts: dict[str, dict[str, dict[str, int]]]
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


def agreement_table(
    dimensions: Sequence[Dimension],
    alpha: dict[str, str],
    kappa: dict[str, dict[tuple[str, str], Kappa]],
    own: dict[str, dict[str, Consistency]],
) -> Table:
    table = _table("")
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


def crosstab_table(found: Crosstab) -> Table:
    table = _table("tests")
    for opinion in OPINIONS:
        table.add_column(opinion, justify="right")
    for tests in ("passed", "failed"):
        table.add_row(tests, *(str(found.counts.get((tests, p), 0)) for p in OPINIONS))
    return table


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
