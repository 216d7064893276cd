"""`polyassay leaderboard`."""

import click

from polyassay.cli.common import json_option, open_store, output, print_json, store_option
from polyassay.errors import PolyAssayError
from polyassay.measures.boards import make_boards
from polyassay.measures.comparing.many import standings
from polyassay.measures.results import load
from polyassay.measures.table import measure
from polyassay.report.comparing.leaderboard import (
    GROUPS,
    board_json,
    board_notes,
    board_table,
    board_title,
)
from polyassay.report.tables import rich_table


@click.command()
@click.argument("runs", nargs=-1)
@click.option("--k", type=click.IntRange(1), default=1, help="Rank by pass@k [1].")
@click.option("--measure", "name", metavar="NAME", help="Rank by this measure instead.")
@store_option
@json_option
def leaderboard(
    runs: tuple[str, ...], k: int, name: str | None, store_url: str | None, as_json: bool
) -> None:
    """Ranks all tools, by language and prompt language.

    A rank is a range: what all pairs of tools, compared together, leave open. Each suite,
    version, set of limits and set of units has a board of its own. Without RUN, all complete runs
    count, the newest of each tool.

    \b
    polyassay leaderboard
    polyassay leaderboard r7f3 r801 --k 5
    """
    store = open_store(store_url)
    by = measure(name or f"pass@{k}")
    chosen = [store.run(run) for run in runs] if runs else store.runs()
    boards, remarks = make_boards([load(store, run) for run in chosen], by)
    if not boards:
        raise PolyAssayError(
            "There is nothing to rank yet." if not remarks else " ".join(remarks),
            hint="Finish a run with `polyassay run` first, or rank by a smaller --k.",
        )
    ranked = [(board, *standings(board.tools, by.name, GROUPS)) for board in boards]
    if as_json:
        value = [board_json(one) for one in ranked]
        print_json({"k": k, "measure": by.name, "boards": value, "left_out": remarks})
        return
    console = output()
    for one in ranked:
        board, _, places = one
        console.print(board_title(board, boards), style="bold", markup=False, soft_wrap=True)
        console.print(rich_table(board_table(board, places, by)))
        for line in board_notes(one):
            console.print(f" {line}", soft_wrap=True, markup=False)
        console.print()
    if remarks:
        console.print(f" Left out: {' '.join(remarks)}", soft_wrap=True, markup=False)
