"""Which tool solves which tasks, for many tools: tasks in the order of their difficulty."""

from collections.abc import Sequence
from itertools import pairwise

from polyassay.report.views import Heatmap, HeatmapRow, TaskRow

_MOST_COLUMNS = 60  # more would be too narrow to hit; a column then stands for several tasks


def heatmap(tasks: Sequence[TaskRow], tools: Sequence[str]) -> Heatmap:
    """The easiest tasks first, the best tools first."""
    solved = [[_solved(row, place) for row in tasks] for place in range(len(tools))]
    ease = [sum(of[i] for of in solved) for i in range(len(tasks))]
    order = sorted(range(len(tasks)), key=lambda i: -ease[i])
    columns = _columns(order)
    rows = []
    for place in sorted(range(len(tools)), key=lambda place: -sum(solved[place])):
        shares = (sum(solved[place][i] for i in some) / len(some) for some in columns)
        rows.append(HeatmapRow(tools[place], place, tuple(shares)))
    return Heatmap(tuple(columns), tuple(rows))


def _solved(row: TaskRow, tool: int) -> float:
    """The share of a tool's samples that solve a task; none without an answer."""
    result = row.results[tool]
    return result.solving / result.samples if result and result.samples else 0.0


def _columns(order: Sequence[int]) -> list[tuple[int, ...]]:
    """Tasks by their place in the list, in at most so many parts of about the same size."""
    count = min(len(order), _MOST_COLUMNS)
    ends = [round(len(order) * i / count) for i in range(count + 1)] if count else []
    return [tuple(order[a:b]) for a, b in pairwise(ends)]
