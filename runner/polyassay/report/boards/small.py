"""Boards that rank nothing: on a terminal each is a line, so that they hide no board that does."""

from collections.abc import Mapping, Sequence

from polyassay.measures.boards import Board
from polyassay.measures.table import Measure
from polyassay.report.comparing.leaderboard import Ranked, board_title, run_cell
from polyassay.report.score_table import estimate_cell
from polyassay.report.tables import OutOf, Table, value_text
from polyassay.wording import asked_told, counted

_FEW = 2  # as many are shown whole where there is nothing else


def small_boards(ranked: Sequence[Ranked]) -> list[Ranked]:
    """Those of one tool, and those that another board has whole, where there are others."""
    boards = [board for board, _, _ in ranked]
    small = [
        one
        for one in ranked
        if len(one[0].tools) == 1 or any(_is_part(one[0], other) for other in boards)
    ]
    return [] if len(small) == len(ranked) <= _FEW else small


def _is_part(board: Board, other: Board) -> bool:
    """Whether another board of the suite has the same tools, or more, on more of its tasks."""
    return (
        board.suite == other.suite
        and board.asked < other.asked
        and board.tools.keys() <= other.tools.keys()
    )


def small_table(
    small: Sequence[Ranked], boards: Sequence[Board], by: Measure, labels: Mapping[str, str]
) -> Table:
    """A line a tool; a board's title stands in its first line."""
    rows = tuple(
        (
            board_title(board, boards) if n == 0 else "",
            asked_told(board.units, board.tasks) if n == 0 else "",
            place.tool,
            value_text(estimate_cell(place.score[by.name], by)),
            OutOf(place.score.tasks - place.score.unanswered, place.score.tasks),
            run_cell(board, place.tool, labels),
        )
        for board, _, places in small
        for n, place in enumerate(places)
    )
    return Table(("board", "asked", "tool", by.title, "answered", "run"), rows)


def small_heading(small: Sequence[Ranked]) -> str:
    """What they are, and how to see them whole."""
    one = len(small) == 1
    why = "one tool alone, or with tasks that another board has, too"
    return f"{counted(len(small), 'board')} of {why} (--all prints {'it' if one else 'them'} whole)"
