"""Runs of a store, ranked."""

from collections.abc import Sequence

from polyassay.errors import PolyAssayError
from polyassay.measures.boards import make_boards
from polyassay.measures.comparing.many import standings
from polyassay.measures.results import load
from polyassay.measures.table import Measure, measure
from polyassay.report.boards.page import board_pages
from polyassay.report.boards.writing import Boards
from polyassay.report.comparing.leaderboard import (
    GROUPS,
    Ranked,
    taken_line,
    taken_runs,
)
from polyassay.report.sections.history import histories
from polyassay.report.views import SuiteHistory
from polyassay.store import Run, Store


def rank_runs(store: Store, chosen: Sequence[Run], by: Measure) -> tuple[list[Ranked], list[str]]:
    boards, remarks = make_boards([load(store, run) for run in chosen], by)
    if not boards:
        raise PolyAssayError(
            "There is nothing to rank yet." if not remarks else " ".join(remarks),
            hint="Finish a run with `polyassay run` first, or rank by a smaller --k.",
        )
    return [(board, *standings(board.tools, by.name, GROUPS)) for board in boards], remarks


def all_boards(store: Store, runs: Sequence[Run]) -> Boards:
    """The page of all these runs, ranked by pass@1."""
    by = measure("pass@1")
    ranked, remarks = rank_runs(store, runs, by)
    return boards_of(store, ranked, by, runs, remarks)


def boards_of(
    store: Store,
    ranked: Sequence[Ranked],
    by: Measure,
    runs: Sequence[Run],
    remarks: Sequence[str],
    contact: str = "",
) -> Boards:
    taken = taken_runs([board for board, _, _ in ranked], runs)
    lines = [taken_line(of) for of in taken]
    past = _histories(store, ranked, runs)
    return Boards(board_pages(ranked, by, runs), lines, remarks, past, contact)


def _histories(store: Store, ranked: Sequence[Ranked], runs: Sequence[Run]) -> list[SuiteHistory]:
    """How tools did over time, for each board as its newest run was judged."""
    found = []
    for board, _, _ in ranked:
        newest = next(run for run in runs if run.id in board.runs.values())
        past = histories(store, load(store, newest))
        found += [one for one in past if one.suite == board.suite]
    return found
