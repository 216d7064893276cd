"""Runs of a store, ranked."""

from collections.abc import Sequence

from polyassay.errors import PolyAssayError
from polyassay.measures.boards import Board, joint_board, make_boards
from polyassay.measures.comparing.many import standings
from polyassay.measures.results import Results, load
from polyassay.measures.table import HEADLINE, Measure
from polyassay.report.boards.page import board_pages, tools_of
from polyassay.report.boards.writing import Boards
from polyassay.report.comparing.leaderboard import (
    GROUPS,
    Ranked,
    taken_line,
    taken_runs,
)
from polyassay.report.sections.history import HistoryOf, history_of
from polyassay.report.views import SuiteHistory
from polyassay.store import Run, Store


def rank_runs(
    store: Store,
    chosen: Sequence[Run],
    by: Measure,
    prompt_language: str = "",
    suites: Sequence[str] = (),
) -> tuple[list[Ranked], list[str]]:
    """A board over all suites in front, where there is one; and what was left out."""
    results = [load(store, run) for run in chosen]
    boards, remarks = make_boards(results, by, prompt_language, suites)
    if not boards:
        raise PolyAssayError(
            " ".join(["There is nothing to rank yet.", *remarks]),
            hint="Rank by a smaller --k, or by another --measure."
            if by.needs > 1
            else "Finish a run with `polyassay run` first.",
        )
    joint, names = joint_board(boards), {board.suite for board in boards}
    if joint:
        boards = [joint, *boards]
    elif len(names) > 1 and len({tool for board in boards for tool in board.tools}) > 1:
        remarks.append(f"A board over all {len(names)} suites: no two tools are on each of them.")
    return [(board, *standings(board.tools, by.name, GROUPS)) for board in boards], remarks


def all_boards(store: Store, runs: Sequence[Run]) -> Boards:
    """The page of all these runs, ranked by what decides where nothing else was asked for."""
    by = HEADLINE
    ranked, remarks = rank_runs(store, runs, by)
    return boards_of(store, ranked, by, runs, remarks)


def boards_of(
    store: Store,
    ranked: Sequence[Ranked],
    by: Measure,
    runs: Sequence[Run],
    remarks: Sequence[str],
    prompt_language: str = "",
    contact: str = "",
    made: str = "",
) -> Boards:
    boards = [board for board, _, _ in ranked]
    lines = [taken_line(of) for of in taken_runs(boards, runs)]
    known: dict[str, Results] = {}
    pages = board_pages(
        ranked, by, runs, [_past(store, board, runs, known, by) for board in boards]
    )
    return Boards(pages, lines, remarks, tools_of(ranked), prompt_language, contact, made=made)


def _past(
    store: Store, board: Board, runs: Sequence[Run], known: dict[str, Results], by: Measure
) -> SuiteHistory | None:
    """How tools did over time, as the board's newest run was judged; a line needs two runs.

    Over several suites there is none: each suite's board has its own.
    """
    if board.joint:
        return None
    taken = {run for of in board.runs.values() for run in of}
    newest = next(run for run in runs if run.id in taken)
    if newest.id not in known:
        known[newest.id] = load(store, newest)
    asked = HistoryOf(board.suite, board.asked, board.prompt_language)
    past = history_of(store, newest, asked, known, by)
    often = [points for points in past.shares.values() if len(list(filter(None, points))) > 1]
    return past if often else None
