"""All pairs of tools and the ranks that follow from them, as people and programs read them."""

from typing import Any

from polyassay.measures.comparing.many import Matrix
from polyassay.report.score_table import estimate_cell, points_cell
from polyassay.report.tables import Table
from polyassay.texts import say
from polyassay.wording import asked_told, counted


def rank(best: int, worst: int) -> str:
    return str(best) if best == worst else f"{best}–{worst}"


def p_value(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def ranks_table(matrix: Matrix) -> Table:
    rows = tuple(
        (
            rank(*matrix.ranks[tool]),
            tool,
            estimate_cell(matrix.scores[tool][matrix.decides.name], matrix.decides),
        )
        for tool in matrix.tools
    )
    return Table(("rank", "tool", matrix.decides.title), rows)


def pairs_notes(matrix: Matrix) -> list[str]:
    pairs = counted(len(matrix.pairs), "pair")
    told = (
        f"{pairs} tested together (Holm), so that any false answer among them has a chance of at "
        "most 5 %. The answer is about the first tool, its range of the level at which the pair "
        "was tested; ranks follow from the answers."
    )
    return [told, *compared_on_common(matrix)]


def compared_on_common(matrix: Matrix) -> list[str]:
    """Where some were asked more than is compared."""
    if matrix.tasks >= matrix.asked:
        return []
    told = "Compared on {tasks} that all of them have, of {asked}."
    common = asked_told(matrix.tasks, matrix.distinct)
    return [say(told, tasks=common, asked=matrix.asked)]


def pairs_table(matrix: Matrix) -> Table:
    """One line a pair, with how far the tool that ranks first is ahead, and how sure that is."""
    rows = tuple(
        (
            one.first,
            one.second,
            points_cell(one.difference, one.interval, matrix.decides),
            p_value(one.p_adjusted),
            one.answer,
        )
        for one in matrix.versus()
    )
    columns = ("tool", "against", f"{matrix.decides.title} ahead", "p (Holm)", "answer")
    return Table(tuple(map(say, columns)), rows)


def pairs_json(matrix: Matrix) -> list[dict[str, Any]]:
    return [
        {
            "a": one.first,
            "b": one.second,
            "measure": matrix.decides.name,
            "difference": one.difference,  # of a, less what b has
            "low": one.interval.low,
            "high": one.interval.high,
            "p_adjusted": one.p_adjusted,
            "answer": one.answer,  # about a
        }
        for one in matrix.versus()
    ]
