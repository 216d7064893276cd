"""What the leaderboard's page shows, as plain values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from polyassay.measures.boards import Board
from polyassay.measures.comparing.many import Standing
from polyassay.measures.table import Measure, measure
from polyassay.report.comparing.leaderboard import Ranked, board_title, rank, ranking_notes
from polyassay.report.score_table import estimate_cell
from polyassay.report.tables import Cell, Points, Share, Table
from polyassay.report.views import RankRange
from polyassay.store import Run
from polyassay.wording import counted


@dataclass(frozen=True, slots=True)
class BoardRow:
    rank: str
    tool: str
    place: int  # which decides its colour
    cells: tuple[Cell, ...]  # in the order of the board's measures
    run: str  # as people call it


@dataclass(frozen=True, slots=True)
class BoardPage:
    suite: str
    title: str
    headline: str
    measures: tuple[str, ...]  # titles; the first one ranks
    rows: tuple[BoardRow, ...]  # the best first
    ranks: tuple[RankRange, ...]
    groups: Table | None  # tools × languages and prompt languages
    gaps: Table | None  # between prompt languages
    notes: tuple[str, ...]
    conditions: tuple[tuple[str, str], ...]

    @property
    def shares(self) -> tuple[Share, ...] | None:
        """What ranks, to be drawn on one axis; None where it is no share."""
        first = tuple(row.cells[0] for row in self.rows)
        shares = tuple(cell for cell in first if isinstance(cell, Share))
        return shares if len(shares) == len(first) else None

    def table(self) -> Table:
        """The board as other programs read it."""
        rows = tuple((row.rank, row.tool, *row.cells, row.run) for row in self.rows)
        return Table(("rank", "tool", *self.measures, "run"), rows, self.notes)


def board_pages(ranked: Sequence[Ranked], by: Measure, runs: Sequence[Run]) -> list[BoardPage]:
    boards = [board for board, _, _ in ranked]
    names = {run.id: run.label or run.id for run in runs}
    return [_page(one, boards, by, names) for one in ranked]


def _page(
    ranked: Ranked, boards: Sequence[Board], by: Measure, names: Mapping[str, str]
) -> BoardPage:
    board, matrix, places = ranked
    shown = [by, *([] if by.name == "avg_pass_ratio" else [measure("avg_pass_ratio")])]
    order = list(board.tools)  # a tool keeps its colour whatever its rank
    rows = tuple(
        BoardRow(
            rank(place.best_rank, place.worst_rank),
            place.tool,
            order.index(place.tool),
            tuple(estimate_cell(place.score[row.name], row) for row in shown),
            names[board.runs[place.tool]],
        )
        for place in places
    )
    ranges = tuple(
        RankRange(place.tool, row.place, place.best_rank, place.worst_rank, row.rank)
        for place, row in zip(places, rows, strict=True)
    )
    return BoardPage(
        suite=board.suite,
        title=board_title(board, boards),
        headline=_headline(matrix.may_be_best, len(places)),
        measures=tuple(row.title for row in shown),
        rows=rows,
        ranks=ranges if len(ranges) > 1 else (),
        groups=_groups(places, by),
        gaps=_gaps(places),
        notes=tuple(ranking_notes(ranked)),
        conditions=tuple(board.conditions.items()),
    )


def _headline(best: Sequence[str], of: int) -> str:
    if of == 1:
        return f"Only {best[0]} so far"
    if len(best) == 1:
        return f"{best[0]} is the best of {of}"
    if len(best) == of:
        return f"Cannot tell which of {counted(of, 'tool')} is the best"
    return f"{', '.join(best)} may each be the best of {of}"


def _groups(places: Sequence[Standing], by: Measure) -> Table | None:
    labels = list(dict.fromkeys(label for place in places for label in place.groups))
    if len(labels) < 2:
        return None
    rows = tuple(
        (
            place.tool,
            *(
                estimate_cell(place.groups[label], by) if label in place.groups else None
                for label in labels
            ),
        )
        for place in places
    )
    return Table(("tool", *(" · ".join(filter(None, label)) for label in labels)), rows)


def _gaps(places: Sequence[Standing]) -> Table | None:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            place.tool,
            gap.first,
            gap.second,
            Points(gap.difference, gap.interval.low, gap.interval.high),
            "" if gap.paired else "unpaired: other tasks",
        )
        for place in places
        for gap in place.gaps
    )
    columns = ("tool", "prompt language", "against", "difference", "")
    return Table(columns, rows) if rows else None
