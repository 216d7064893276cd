"""`polyassay leaderboard`."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import click

from polyassay.cli.common import json_option, open_store, output, print_json, store_option
from polyassay.errors import PolyAssayError
from polyassay.measures.comparable import conditions, in_short
from polyassay.measures.doubts import EMPTY, REFERENCE
from polyassay.measures.results import Results, load
from polyassay.measures.units import UnitScore
from polyassay.report.score_table import judging_note, score_json, share
from polyassay.report.tables import Cell, Points, Table, plain, rich_table
from polyassay.statistics.ranks import Standing, standings
from polyassay.wording import counted

GROUPS = ("language", "prompt_language")


@dataclass(frozen=True, slots=True)
class Board:
    """The tools that were tried on one suite under the same conditions."""

    suite: str
    conditions: dict[str, str]
    tools: dict[str, Sequence[UnitScore]] = field(default_factory=dict)
    runs: dict[str, str] = field(default_factory=dict)  # tool → the run that its figures are from


@click.command()
@click.argument("runs", nargs=-1)
@click.option("--k", type=click.IntRange(1), default=1, help="Rank by pass@k [1].")
@store_option
@json_option
def leaderboard(runs: tuple[str, ...], k: int, store_url: str | None, as_json: bool) -> None:
    """Ranks all tools, by language and prompt language.

    A rank is a range where intervals overlap. Each suite, version and set of limits has a board
    of its own. Without RUN, all complete runs count, the newest of each tool.

    \b
    polyassay leaderboard
    polyassay leaderboard r7f3 r801 --k 5
    """
    store = open_store(store_url)
    chosen = [store.run(name) for name in runs] if runs else store.runs()
    results = [load(store, run) for run in chosen]
    boards, remarks = make_boards(results, k)
    if not boards:
        raise PolyAssayError(
            "There is nothing to rank yet." if not remarks else " ".join(remarks),
            hint="Finish a run with `polyassay run` first, or rank by a smaller --k.",
        )
    ranked = [(board, standings(board.tools, k, GROUPS)) for board in boards]
    if as_json:
        value = [_board_json(board, places) for board, places in ranked]
        print_json({"k": k, "boards": value, "left_out": remarks})
        return
    show(ranked, k, remarks)


def make_boards(results: Sequence[Results], k: int) -> tuple[list[Board], list[str]]:
    """What may be ranked together, and why the rest may not; newer results come first."""
    boards: dict[tuple[str, ...], Board] = {}
    remarks = []
    for result in sorted(results, key=lambda result: result.run.created, reverse=True):
        if not result.complete:
            remarks.append(f"Run {result.run.id} is not complete.")
            continue
        for suite in result.run.provenance["suites"]:
            under = conditions(result.run, suite)
            for tool, units in result.scores.items():
                own = [unit for unit in units if unit.unit.suite == suite]
                if tool in (REFERENCE, EMPTY) or not own:
                    continue
                fewest = min((len(u.samples) for u in own if u.samples), default=0)
                if fewest < k:
                    few = counted(fewest, "sample")
                    remarks.append(f"{tool} of {result.run.id} has {few} on {suite}.")
                    continue
                board = boards.setdefault((suite, *under.values()), Board(suite, under))
                if tool not in board.tools:
                    board.tools[tool], board.runs[tool] = own, result.run.id
    return sorted(boards.values(), key=lambda board: board.suite), remarks


def show(ranked: Sequence[tuple[Board, list[Standing]]], k: int, remarks: Sequence[str]) -> None:
    console = output()
    suites = [board.suite for board, _ in ranked]
    for board, places in ranked:
        title = " · ".join([board.suite, *in_short(board.conditions)])
        apart = " (not comparable with the other boards of this suite)"
        console.print(title + apart * (suites.count(board.suite) > 1), style="bold", markup=False)
        console.print(rich_table(board_table(board, places, k)))
        note = judging_note([(place.tool, place.score) for place in places])
        console.print(f" {note}", soft_wrap=True, markup=False)
        for line in _gap_lines(places):
            console.print(f" {line}", soft_wrap=True, markup=False)
        console.print()
    if remarks:
        console.print(f" Left out: {' '.join(remarks)}", soft_wrap=True, markup=False)


def board_table(board: Board, places: Sequence[Standing], k: int) -> Table:
    labels = list(dict.fromkeys(label for place in places for label in place.groups))
    several = len(labels) > 1
    columns = (
        "rank",
        "tool",
        f"pass@{k}",
        "AvgPassRatio",
        *(" · ".join(label) for label in labels if several),
        "run",
    )
    rows = tuple(
        (
            rank(place),
            place.tool,
            share(place.score.pass_at[k]),
            share(place.score.avg_pass_ratio),
            *_group_cells(place, labels if several else []),
            board.runs[place.tool],
        )
        for place in places
    )
    return Table(columns, rows)


def _group_cells(place: Standing, labels: Sequence[tuple[str, ...]]) -> list[Cell]:
    return [share(place.groups[label]) if label in place.groups else None for label in labels]


def rank(place: Standing) -> str:
    same = place.best_rank == place.worst_rank
    return str(place.best_rank) if same else f"{place.best_rank}–{place.worst_rank}"


def _gap_lines(places: Sequence[Standing]) -> list[str]:
    """One line a tool: its prompt languages against the one with the most tasks."""
    lines = []
    for place in places:
        told = [
            f"{gap.first} {plain(Points(gap.difference, gap.interval.low, gap.interval.high))}"
            + ("" if gap.paired else ", unpaired: other tasks")
            for gap in place.gaps
        ]
        if told:
            lines.append(f"{place.tool} against {place.gaps[0].second}: {'; '.join(told)}")
    return lines


def _board_json(board: Board, places: Sequence[Standing]) -> dict[str, Any]:
    return {
        "suite": board.suite,
        **board.conditions,
        "tools": [
            {
                "tool": place.tool,
                "rank": [place.best_rank, place.worst_rank],
                "run": board.runs[place.tool],
                **score_json(place.score),
                "groups": [
                    dict(zip(GROUPS, labels, strict=True))
                    | {
                        "value": estimate.value,
                        "low": estimate.interval.low,
                        "high": estimate.interval.high,
                    }
                    for labels, estimate in place.groups.items()
                ],
                "gaps": [
                    {
                        "first": gap.first,
                        "second": gap.second,
                        "difference": gap.difference,
                        "low": gap.interval.low,
                        "high": gap.interval.high,
                        "paired": gap.paired,
                    }
                    for gap in place.gaps
                ],
            }
            for place in places
        ],
    }
