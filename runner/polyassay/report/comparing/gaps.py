"""Gaps between groups of one tool's tasks, as people and programs read them."""

from collections.abc import Iterable, Sequence
from typing import Any

from polyassay.measures.comparing.gaps import Gap, gaps, library_trend
from polyassay.measures.table import HEADLINE, Measure
from polyassay.measures.units import Scores
from polyassay.report.score_table import points_cell, value_cell
from polyassay.report.tables import Cell, Table
from polyassay.texts import say
from polyassay.wording import counted

BETWEEN = (
    "A gap stands on the tasks that were put in both languages (or, of n / m tasks, on others), "
    "so its values may be other ones than those of all tasks."
)
GAPS = ("language", "prompt_language", "domain")


def gaps_table(scores: Scores, of: Measure = HEADLINE) -> Table:
    """One line a tool and pair of groups; the trend over libraries below."""
    of_second = say("{measure} of second", measure=say(of.title))
    named = (*map(say, ("tool", "by", "first", "second", of.title)), of_second)
    columns = (*named, say("gap"), say("tasks"))
    rows = tuple(
        (
            tool,
            say(gap.name.replace("_", " ")),
            gap.first,
            gap.second,
            *_values(gap),
            _on(gap),
        )
        for tool, units in scores.items()
        for name in GAPS
        for gap in gaps(units, name, of)
    )
    trends = [(tool, library_trend(units, of)) for tool, units in scores.items()]
    notes = tuple(
        say(
            "{tool}: {measure} against how many tasks use the rarest library of a task: "
            "Spearman {rho} over {tasks} (p = {p}).",
            tool=tool,
            measure=say(of.title),
            rho=f"{trend.rho:+.2f}",
            tasks=counted(trend.tasks, "task"),
            p=f"{trend.p:.2g}",
        )
        for tool, trend in trends
        if trend
    )
    return Table(columns, rows, notes)


def gaps_of_tools(found: Iterable[tuple[str, Sequence[Gap]]], of: Measure) -> Table | None:
    """Gaps of one kind in fewer columns; None where there is none."""
    rows = tuple(
        (tool, f"{gap.first} − {gap.second}", *_values(gap), _tasks(gap))
        for tool, own in found
        for gap in own
    )
    columns = ("tool", "languages", of.title, "of second", f"{of.title} gap", "tasks")
    return Table(columns, rows) if rows else None


def _on(gap: Gap) -> str:
    first, second = gap.tasks
    if gap.paired:
        return say("{tasks}, the same", tasks=first)
    return say("{first} and {second} others", first=first, second=second)


def _tasks(gap: Gap) -> int | str:
    first, second = gap.tasks
    return first if gap.paired else f"{first} / {second}"


def _values(gap: Gap) -> tuple[Cell, ...]:
    of = gap.measure
    return (
        value_cell(gap.values[0], of),
        value_cell(gap.values[1], of),
        points_cell(gap.difference, gap.interval, of),
    )


def gap_json(gap: Gap) -> dict[str, Any]:
    return {
        "first": gap.first,
        "second": gap.second,
        "measure": gap.measure.name,
        "values": list(gap.values),
        "difference": gap.difference,
        "low": gap.interval.low,
        "high": gap.interval.high,
        "paired": gap.paired,
        "tasks": list(gap.tasks),
    }
