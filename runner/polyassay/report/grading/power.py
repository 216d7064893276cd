"""`power --graders` as people and programs read it."""

from dataclasses import dataclass
from typing import Any

from polyassay.measures.comparing.planning import POWERS, Spread
from polyassay.report.tables import Cell, Table
from polyassay.rubric.rubrics import Dimension
from polyassay.wording import counted


@dataclass(frozen=True, slots=True)
class GradingPower:
    """What is planned: whose tasks, in which dimension, by how many graders."""

    suite: str
    tasks: int  # that the suite has
    dimension: Dimension
    difference: float  # in points of the dimension's scale
    graders: tuple[int, ...]
    spread: Spread  # in shares of the scale's span

    @property
    def span(self) -> int:
        return self.dimension.high - self.dimension.low

    def needed(self, graders: int, power: float) -> int | None:
        return self.spread.tasks(self.difference / self.span, graders, power)

    def shows(self, graders: int) -> float | None:
        """The smallest difference that the suite's tasks show, in points."""
        found = self.spread.detectable(graders, self.tasks)
        return None if found is None else found * self.span


def power_table(plan: GradingPower) -> Table:
    has = counted(plan.tasks, "task")
    columns = ("graders", *(f"tasks for {100 * power:.0f} %" for power in POWERS))
    rows: list[tuple[Cell, ...]] = []
    for graders in plan.graders:
        needed = [plan.needed(graders, power) for power in POWERS]
        told = [f"{n:,}" if n else "out of reach" for n in needed]
        work = f"{2 * graders * needed[0]:,}" if needed[0] else "–"
        smallest = plan.shows(graders)
        shown = f"from {smallest:.2f} points" if smallest else "no difference"
        rows.append((str(graders), *told, work, shown))
    d = plan.dimension
    note = (
        f"To show a true difference of {plan.difference:g} points in {d.id} ({d.low} to {d.high}) "
        "between two tools, when every grader scores both answers to each task."
    )
    return Table((*columns, "items to grade", f"{has} show"), tuple(rows), (note, plan.spread.told))


def power_json(plan: GradingPower) -> dict[str, Any]:
    """The contract of `power --graders --json`."""
    return {
        "suite": plan.suite,
        "tasks": plan.tasks,
        "dimension": plan.dimension.id,
        "difference": plan.difference,
        "rows": [
            {
                "graders": graders,
                "power": power,
                "tasks": (tasks := plan.needed(graders, power)),
                "items": None if tasks is None else 2 * graders * tasks,
            }
            for graders in plan.graders
            for power in POWERS
        ],
        "shows": {str(n): plan.shows(n) for n in plan.graders},
        "spread": {"between": plan.spread.between, "within": plan.spread.within},
        "from": plan.spread.told,
    }
