"""A leaderboard as people and programs read it."""

from collections.abc import Mapping, Sequence
from typing import Any

from polyassay.measures.boards import Board, samples_told
from polyassay.measures.comparable import in_short
from polyassay.measures.comparing.many import Matrix, Standing
from polyassay.measures.comparing.two import compared_measures
from polyassay.measures.submitting.names import alike
from polyassay.measures.table import RATIO, Measure
from polyassay.report.comparing.gaps import gap_json, gaps_of_tools
from polyassay.report.comparing.pairs import pairs_json, rank
from polyassay.report.score_table import (
    estimate_cell,
    judging_note,
    left_out_note,
    score_json,
    unanswered_note,
)
from polyassay.report.tables import Table
from polyassay.report.terminal.fitting import table_width
from polyassay.store import Run
from polyassay.wording import asked_told, counted

GROUPS = ("language", "prompt_language")
Ranked = tuple[Board, Matrix, list[Standing]]


def board_title(board: Board, boards: Sequence[Board]) -> str:
    """The suite, with as much as tells the board from the others of this suite."""
    if board.joint:
        return f"All suites: {board.suite}"
    same = [other for other in boards if other.suite == board.suite]
    title = _in_short(board, same)
    if [_in_short(other, same) for other in same].count(title) > 1:
        title += f" · {asked_told(board.units, board.tasks)}"
    return title


def _in_short(board: Board, same: Sequence[Board]) -> str:
    told = [
        about
        for name, about in board.conditions.items()
        if len({other.conditions[name] for other in same}) > 1
    ]
    parts = [board.suite, *told]
    if len({other.prompt_languages for other in same}) > 1 or board.prompt_language:
        parts.append(", ".join(filter(None, board.prompt_languages)) or "no prompts")
    return " · ".join(parts)


def board_about(board: Board, boards: Sequence[Board]) -> str:
    """What all tools of the board were asked, and under which conditions."""
    languages = ", ".join(name for name in board.prompt_languages if name)
    title = board_title(board, boards).split(" · ")
    asked = f"asked {asked_told(board.units, board.tasks)}{languages and f' in {languages}'}"
    parts = [*(told for told in in_short(board.conditions) if told not in title), asked]
    if board.joint:
        parts = ["tools that are on a board of each suite", asked, "every prompt weighs the same"]
    if board.prompt_language:
        parts.append(f"only prompts in {board.prompt_language} count")
    if sum(other.suite == board.suite for other in boards) > 1:
        parts.append("not comparable with the other boards of this suite")
    return " · ".join(parts)


def board_table(
    board: Board, places: Sequence[Standing], by: Measure, labels: Mapping[str, str]
) -> Table:
    """`labels`: what people call a run, by its id."""
    shown = shown_measures(by)
    columns = ("rank", "tool", *(row.title for row in shown), "run")
    rows = tuple(
        (
            rank(place.best_rank, place.worst_rank),
            place.tool,
            *(estimate_cell(place.score[row.name], row) for row in shown),
            run_cell(board, place.tool, labels),
        )
        for place in places
    )
    return Table(columns, rows)


def shown_measures(by: Measure) -> list[Measure]:
    return compared_measures([by.name, RATIO])


def run_cell(board: Board, tool: str, labels: Mapping[str, str]) -> str:
    """The run that a row's figures are from, by its id or what people call it."""
    mark = " (imported)" if tool in board.imported else ""
    return f"{', '.join(labels.get(run) or run for run in board.runs[tool])}{mark}"


def languages_table(places: Sequence[Standing], by: Measure, width: int) -> Table | None:
    """A column a language where there is room, else a line; None where there is only one."""
    across = groups_table(places, by)
    if across is None or table_width(across) <= width:
        return across
    rows = tuple(
        (place.tool, " · ".join(filter(None, label)), found.known, estimate_cell(found, by))
        for place in places
        for label, found in place.groups.items()
    )
    return Table(("tool", "language", "tasks", by.title), rows)


def groups_table(places: Sequence[Standing], by: Measure) -> Table | None:
    """Tools × languages and prompt languages; None where there is only one."""
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


def gaps_between(places: Sequence[Standing], by: Measure) -> Table | None:
    """Between prompt languages, with why their values may be other ones than above."""
    return gaps_of_tools([(place.tool, place.gaps) for place in places], by)


def ranking_notes(ranked: Ranked) -> list[str]:
    """How many tasks the ranks are from, what was left out, and how they came about."""
    board, matrix, places = ranked
    counting = asked_told(matrix.tasks, matrix.distinct)
    verb = "counts" if matrix.tasks == 1 else "count"
    notes = [f"Ranked on {counting} that {verb} for all of them."]
    if len(matrix.pairs) == 1:
        notes[0] += " A rank is what the comparison of the two leaves open (95 %)."
    elif matrix.pairs:
        pairs = f"{counted(len(matrix.pairs), 'pair')}, tested together,"
        notes[0] += f" A rank is what the comparison of {pairs} leaves open (95 %)."
    notes += unanswered_note([(place.tool, place.score.unanswered) for place in places])
    samples = [(tool, samples_told(units)) for tool, units in board.tools.items()]
    if {told for _, told in samples} != {"1"}:
        notes.append(f"Samples of a task: {', '.join(f'{tool} {told}' for tool, told in samples)}.")
    notes += left_out_note([(tool, units) for tool, units in board.tools.items()])
    notes += filter(None, [judging_note([(place.tool, place.score) for place in places])])
    return notes + _doubt_notes(board)


def _doubt_notes(board: Board) -> list[str]:
    """What lets a row be better than its tool."""
    notes = []
    told = {
        tool: [
            samples_told([unit for unit in units if unit.unit.suite == suite])
            for suite in dict.fromkeys(unit.unit.suite for unit in units)
        ]
        for tool, units in board.tools.items()
    }
    uneven = {tool: [one for one in each if "–" in one] for tool, each in told.items()}
    if unequal := ", ".join(f"{tool} {', '.join(each)}" for tool, each in uneven.items() if each):
        notes.append(f"Not as many samples of every task, so they may be chosen ones: {unequal}.")
    notes += [f"{a} looks like {b}: are they one tool?" for a, b in alike(board.tools, board.tools)]
    if board.imported:
        notes.append(f"Imported, not judged here: {', '.join(sorted(board.imported))}.")
    return notes


def taken_runs(boards: Sequence[Board], runs: Sequence[Run]) -> list[dict[str, Any]]:
    """The runs whose figures are ranked, the newest first, with the tools that they gave."""
    tools: dict[str, list[str]] = {}
    for board in boards:
        for tool, runs_of_tool in board.runs.items():
            for run in runs_of_tool:
                if tool not in tools.setdefault(run, []):
                    tools[run].append(tool)
    return [
        {"run": run.id, "label": run.label, "created": run.created, "tools": tools[run.id]}
        | ({"imported": True, "created_there": run.created_there} if run.imported else {})
        for run in runs
        if run.id in tools
    ]


def taken_line(of: Mapping[str, Any]) -> str:
    """r7f3 (release-2, 2026-11-18): finch, heron."""
    when = of["created"][:10]
    if of.get("imported"):
        there = f"; its file says {told[:10]}" if (told := of.get("created_there")) else ""
        when = f"imported on {when}{there}; not judged here"
    about = ", ".join(filter(None, (of["label"], when)))
    return f"{of['run']} ({about}): {', '.join(of['tools'])}"


def csv_name(board: Board) -> str:
    return f"{board.name}.csv"


def board_json(ranked: Ranked) -> dict[str, Any]:
    board, matrix, places = ranked
    return {
        "suite": board.suite,
        "name": board.name,
        "csv": csv_name(board),
        "command": board.command,
        **board.conditions,
        "prompt_languages": list(board.prompt_languages),
        "prompt_language": board.prompt_language,
        "asked": board.units,
        "asked_tasks": board.tasks,
        "tasks": matrix.tasks,
        "tools": [_place_json(place, board) for place in places],
        "pairs": pairs_json(matrix),
    }


def _place_json(place: Standing, board: Board) -> dict[str, Any]:
    return {
        "tool": place.tool,
        "rank": [place.best_rank, place.worst_rank],
        "run": ", ".join(board.runs[place.tool]),
        "imported": place.tool in board.imported,
        "samples_of_a_task": samples_told(board.tools[place.tool]),
        **score_json(place.score),
        "groups": [
            dict(zip(GROUPS, labels, strict=True))
            | {
                "tasks": estimate.known,
                "value": estimate.value,
                "low": estimate.interval.low if estimate.interval else None,
                "high": estimate.interval.high if estimate.interval else None,
            }
            for labels, estimate in place.groups.items()
        ],
        "gaps": [gap_json(gap) for gap in place.gaps],
    }
