"""A leaderboard as people and programs read it."""

from collections.abc import Mapping, Sequence
from typing import Any

from polyassay.measures.boards import Board
from polyassay.measures.comparable import in_short
from polyassay.measures.comparing.many import Matrix, Standing
from polyassay.measures.table import Measure, measure
from polyassay.report.score_table import estimate_cell, judging_note, left_out_note, score_json
from polyassay.report.tables import Cell, Points, Table, plain
from polyassay.store import Run
from polyassay.wording import counted

GROUPS = ("language", "prompt_language")
Ranked = tuple[Board, Matrix, list[Standing]]


def board_title(board: Board, boards: Sequence[Board]) -> str:
    """With what tells it from the other boards of its suite."""
    same = [other for other in boards if other.suite == board.suite]
    parts = [board.suite, *in_short(board.conditions)]
    if len({(other.units, other.prompt_languages) for other in same}) > 1:
        languages = ", ".join(name for name in board.prompt_languages if name)
        asked = f" in {languages}" if languages else ""
        parts.append(f"asked {counted(board.units, 'task')}{asked}")
    apart = " (not comparable with the other boards of this suite)" if len(same) > 1 else ""
    return " · ".join(parts) + apart


def board_table(board: Board, places: Sequence[Standing], by: Measure) -> Table:
    labels = list(dict.fromkeys(label for place in places for label in place.groups))
    several = len(labels) > 1
    shown = [by, *([] if by.name == "avg_pass_ratio" else [measure("avg_pass_ratio")])]
    columns = (
        "rank",
        "tool",
        *(row.title for row in shown),
        *(" · ".join(label) for label in labels if several),
        "run",
    )
    rows = tuple(
        (
            rank(place.best_rank, place.worst_rank),
            place.tool,
            *(estimate_cell(place.score[row.name], row) for row in shown),
            *_group_cells(place, by, labels if several else []),
            board.runs[place.tool],
        )
        for place in places
    )
    return Table(columns, rows)


def _group_cells(place: Standing, by: Measure, labels: Sequence[tuple[str, ...]]) -> list[Cell]:
    return [
        estimate_cell(place.groups[label], by) if label in place.groups else None
        for label in labels
    ]


def rank(best: int, worst: int) -> str:
    return str(best) if best == worst else f"{best}–{worst}"


def board_notes(ranked: Ranked) -> list[str]:
    return ranking_notes(ranked) + _gap_lines(ranked[2])


def ranking_notes(ranked: Ranked) -> list[str]:
    """How many tasks the ranks are from, what was left out, and how they came about."""
    board, matrix, places = ranked
    notes = [f"Ranked on {counted(matrix.tasks, 'task')} that count for all of them."]
    if len(places) > 1:
        pairs = counted(len(matrix.pairs), "pair")
        notes[0] += f" A rank is what {pairs}, tested together, leave open (95 %)."
    notes += left_out_note([(tool, units) for tool, units in board.tools.items()])
    notes.append(judging_note([(place.tool, place.score) for place in places]))
    return notes


def taken_runs(boards: Sequence[Board], runs: Sequence[Run]) -> list[dict[str, Any]]:
    """The runs whose figures are ranked, the newest first, with the tools that they gave."""
    tools: dict[str, list[str]] = {}
    for board in boards:
        for tool, run in board.runs.items():
            if tool not in tools.setdefault(run, []):
                tools[run].append(tool)
    return [
        {"run": run.id, "label": run.label, "created": run.created, "tools": tools[run.id]}
        | ({"imported": True} if run.imported else {})
        for run in runs
        if run.id in tools
    ]


def taken_line(of: Mapping[str, Any]) -> str:
    """r7f3 (release-2, 2026-11-18): finch, heron."""
    imported = "imported, not judged here" if of.get("imported") else ""
    about = ", ".join(filter(None, (of["label"], of["created"][:10], imported)))
    return f"{of['run']} ({about}): {', '.join(of['tools'])}"


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


def board_json(ranked: Ranked) -> dict[str, Any]:
    board, matrix, places = ranked
    return {
        "suite": board.suite,
        **board.conditions,
        "prompt_languages": list(board.prompt_languages),
        "asked": board.units,
        "tasks": matrix.tasks,
        "tools": [_place_json(place, board) for place in places],
    }


def _place_json(place: Standing, board: Board) -> dict[str, Any]:
    return {
        "tool": place.tool,
        "rank": [place.best_rank, place.worst_rank],
        "run": board.runs[place.tool],
        **score_json(place.score),
        "groups": [
            dict(zip(GROUPS, labels, strict=True))
            | {
                "value": estimate.value,
                "low": estimate.interval.low if estimate.interval else None,
                "high": estimate.interval.high if estimate.interval else None,
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
