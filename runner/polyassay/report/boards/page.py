"""What the leaderboard's page shows, as plain values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from polyassay.measures.boards import Board, samples_told
from polyassay.measures.table import Measure
from polyassay.report.comparing.leaderboard import (
    Ranked,
    board_about,
    board_title,
    csv_name,
    gaps_between,
    groups_table,
    ranking_notes,
    run_cell,
    shown_measures,
)
from polyassay.report.comparing.pairs import pairs_table, rank
from polyassay.report.score_table import estimate_cell
from polyassay.report.tables import Cell, OutOf, Share, Table
from polyassay.report.views import RankRange, SuiteHistory
from polyassay.store import Run
from polyassay.wording import counted


@dataclass(frozen=True, slots=True)
class BoardRow:
    rank: str
    ranks: tuple[int, int]
    tool: str
    place: int  # which decides its colour, the same on all boards
    cells: tuple[Cell, ...]  # in the order of the board's measures
    answered: OutOf
    samples: str  # of a task
    run: str  # as people call it
    imported: bool  # so that its verdicts were not judged here


@dataclass(frozen=True, slots=True)
class BoardPage:
    suite: str
    joint: bool  # over all suites
    name: str  # of its file and its anchor, which stay whatever other boards there are
    csv: str
    title: str
    about: str  # what was asked, and under which conditions
    headline: str
    measures: tuple[str, ...]  # titles; the first one ranks
    rows: tuple[BoardRow, ...]  # the best first
    ranks: tuple[RankRange, ...]
    groups: Table | None  # tools × languages and prompt languages
    gaps: Table | None  # between prompt languages
    pairs: Table | None  # which of the tools can be told apart
    notes: tuple[str, ...]
    conditions: tuple[tuple[str, str], ...]
    history: SuiteHistory | None  # of the same tasks, where a tool has several runs

    @property
    def shares(self) -> tuple[Share, ...] | None:
        """What ranks, to be drawn on one axis; None where it is no share."""
        first = tuple(row.cells[0] for row in self.rows)
        shares = tuple(cell for cell in first if isinstance(cell, Share))
        return shares if len(shares) == len(first) else None

    def table(self) -> Table:
        """The board as other programs read it."""
        rows = tuple(
            (
                *row.ranks,
                row.tool,
                *row.cells,
                row.answered,
                row.samples,
                row.run,
                "yes" if row.imported else "no",
            )
            for row in self.rows
        )
        columns = ("rank first", "rank last", "tool", *self.measures, "answered", "samples", "run")
        columns = (*columns, "imported")
        return Table(columns, rows, self.notes)


@dataclass(frozen=True, slots=True)
class Shared:
    """What all boards of a page have in common."""

    boards: Sequence[Board]
    by: Measure
    runs: Mapping[str, str]  # id → as people call it
    tools: Sequence[str]  # whose places decide their colours, on whichever board they are


def board_pages(
    ranked: Sequence[Ranked],
    by: Measure,
    runs: Sequence[Run],
    histories: Sequence[SuiteHistory | None],
) -> list[BoardPage]:
    boards = [board for board, _, _ in ranked]
    names = {run.id: run.label or run.id for run in runs}
    shared = Shared(boards, by, names, tools_of(ranked))
    return [_page(one, shared, past) for one, past in zip(ranked, histories, strict=True)]


def tools_of(ranked: Sequence[Ranked]) -> list[str]:
    """The best of the first board first: there are colours for only so many."""
    return list(dict.fromkeys(place.tool for _, _, places in ranked for place in places))


def _page(ranked: Ranked, shared: Shared, history: SuiteHistory | None) -> BoardPage:
    board, matrix, places = ranked
    by, shown = shared.by, shown_measures(shared.by)
    rows = tuple(
        BoardRow(
            rank(place.best_rank, place.worst_rank),
            (place.best_rank, place.worst_rank),
            place.tool,
            shared.tools.index(place.tool),
            tuple(estimate_cell(place.score[row.name], row) for row in shown),
            OutOf(place.score.tasks - place.score.unanswered, place.score.tasks),
            samples_told(board.tools[place.tool]),
            run_cell(board, place.tool, shared.runs),
            place.tool in board.imported,
        )
        for place in places
    )
    ranges = tuple(
        RankRange(place.tool, row.place, place.best_rank, place.worst_rank, row.rank)
        for place, row in zip(places, rows, strict=True)
    )
    return BoardPage(
        suite=board.suite,
        joint=board.joint,
        name=board.name,
        csv=csv_name(board),
        title=board_title(board, shared.boards),
        about=board_about(board, shared.boards),
        headline=_headline(matrix.may_be_best, len(places)),
        measures=tuple(row.title for row in shown),
        rows=rows,
        ranks=ranges if len(ranges) > 1 else (),
        groups=groups_table(places, by),
        gaps=gaps_between(places, by),
        pairs=pairs_table(matrix) if matrix.pairs else None,
        notes=tuple(ranking_notes(ranked)),
        conditions=(*board.conditions.items(), ("command", board.command)),
        history=history,
    )


def _headline(best: Sequence[str], of: int) -> str:
    if of == 1:
        return f"Only {best[0]} so far"
    if len(best) == 1:
        return f"{best[0]} is the best of {of}"
    if len(best) == of:
        return f"Cannot tell which of {counted(of, 'tool')} is the best"
    return f"{', '.join(best)} may each be the best of {of}"
