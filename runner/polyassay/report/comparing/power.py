"""A plan as people and programs read it: how many tasks and samples a difference needs."""

from dataclasses import dataclass
from html import escape
from typing import Any

from polyassay.measures.comparing.planning import POWERS, Spread
from polyassay.report.tables import Cell, Table
from polyassay.wording import counted

_WIDTH, _HEIGHT = 560, 300
_LEFT, _TOP, _RIGHT, _BOTTOM = 52, 20, 96, 44
_COLUMNS, _ROWS = 60, 11
_MARKS = "●○◆◇▲△"


@dataclass(frozen=True, slots=True)
class PowerPlan:
    suite: str  # or several
    tasks: int  # that they have
    clusters: int
    difference: float
    samples: tuple[int, ...]
    spread: Spread

    @property
    def most(self) -> int:
        """How far the picture goes: to the plan that needs the most tasks, and to the suite."""
        tasks = [self.spread.tasks(self.difference, n, POWERS[-1]) or 0 for n in self.samples]
        return min(1_000_000, max(self.tasks, *tasks, 20))


def plan_table(plan: PowerPlan) -> Table:
    has = counted(plan.tasks, "task")
    columns = ("samples", *(f"tasks for {100 * power:.0f} %" for power in POWERS), f"{has} show")
    rows: list[tuple[Cell, ...]] = []
    for samples in plan.samples:
        needed = [plan.spread.tasks(plan.difference, samples, power) for power in POWERS]
        smallest = plan.spread.detectable(samples, plan.tasks)
        shown = f"from {100 * smallest:.1f} points" if smallest else "no difference"
        rows.append((str(samples), *(f"{n:,}" if n else "out of reach" for n in needed), shown))
    return Table(columns, tuple(rows), tuple(_notes(plan)))


def _notes(plan: PowerPlan) -> list[str]:
    points = f"{100 * plan.difference:g} points"
    return [
        f"To show a true difference of {points} in pass@1, in 80 or 90 of 100 comparisons.",
        plan.spread.told,
    ]


def plan_json(plan: PowerPlan) -> dict[str, Any]:
    """The contract of `power --json`."""
    return {
        "suite": plan.suite,
        "tasks": plan.tasks,
        "clusters": plan.clusters,
        "difference": 100 * plan.difference,
        "rows": [
            {
                "samples": samples,
                "power": power,
                "tasks": plan.spread.tasks(plan.difference, samples, power),
            }
            for samples in plan.samples
            for power in POWERS
        ],
        "shows": {str(n): plan.spread.detectable(n, plan.tasks) for n in plan.samples},
        "spread": {
            "between": plan.spread.between,
            "within": plan.spread.within,
            "together": plan.spread.together,
        },
        "from": plan.spread.told,
    }


def text_picture(plan: PowerPlan) -> list[str]:
    """Power over tasks, a mark a number of samples."""
    cells = [[" "] * _COLUMNS for _ in range(_ROWS)]
    for i, samples in reversed(list(enumerate(plan.samples))):
        for column in range(_COLUMNS):
            tasks = max(2, round(plan.most * (column + 1) / _COLUMNS))
            power = plan.spread.power(plan.difference, samples, tasks)
            cells[_ROWS - 1 - round(power * (_ROWS - 1))][column] = _MARKS[i % len(_MARKS)]
    lines = [
        f"{100 * (_ROWS - 1 - row) // (_ROWS - 1):>4} % │{''.join(line)}".rstrip()
        for row, line in enumerate(cells)
    ]
    keys = "   ".join(
        f"{_MARKS[i % len(_MARKS)]} {counted(n, 'sample')}" for i, n in enumerate(plan.samples)
    )
    end = f"{plan.most:,} tasks"
    return [
        *lines,
        "       └" + "─" * _COLUMNS,
        "        0" + end.rjust(_COLUMNS - 1),
        f"        {keys}",
    ]


def svg_picture(plan: PowerPlan) -> str:
    """The same as an SVG of its own, for light and dark pages."""
    width, height = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    parts = [_frame(plan, width, height)]
    ends = []
    for i, samples in enumerate(plan.samples):
        points = [
            (
                _LEFT + width * step / 100,
                _TOP + height * (1 - plan.spread.power(plan.difference, samples, tasks)),
            )
            for step in range(1, 101)
            for tasks in [max(2, round(plan.most * step / 100))]
        ]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline class="s{i % 6}" points="{path}"/>')
        ends.append((points[-1][1], i, counted(samples, "sample")))
    lowest = 0.0
    for y, i, label in sorted(ends):  # labels stand beside the end of their line, but never overlap
        lowest = max(y + 4, lowest + 15)
        parts.append(
            f'<text class="s{i % 6}" x="{_LEFT + width + 8}" y="{lowest:.1f}">{label}</text>'
        )
    title = f"Chance to show {100 * plan.difference:g} points, over tasks"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="{escape(title)}"><style>{_STYLE}</style>{"".join(parts)}</svg>\n'
    )


def _frame(plan: PowerPlan, width: int, height: int) -> str:
    parts = []
    for percent in (0, 50, 80, 90, 100):
        y = _TOP + height * (1 - percent / 100)
        parts.append(f'<line class="grid" x1="{_LEFT}" x2="{_LEFT + width}" y1="{y}" y2="{y}"/>')
        parts.append(f'<text class="end" x="{_LEFT - 6}" y="{y + 4}">{percent} %</text>')
    for quarter in range(5):
        x = _LEFT + width * quarter / 4
        tasks = round(plan.most * quarter / 4)
        parts.append(f'<text class="middle" x="{x}" y="{_TOP + height + 18}">{tasks:,}</text>')
    x = _LEFT + width * plan.tasks / plan.most
    parts.append(
        f'<line class="suite" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{_TOP + height}"/>'
    )
    middle, below = _LEFT + width / 2, _TOP + height + 36
    parts.append(
        f'<text class="middle" x="{middle}" y="{below}">tasks ({escape(plan.suite)} has '
        f"{plan.tasks:,})</text>"
    )
    return "".join(parts)


_STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#333}.end{text-anchor:end}.middle{text-anchor:middle}"
    ".grid{stroke:#8884}.suite{stroke:#888;stroke-dasharray:4 3}"
    "polyline{fill:none;stroke-width:2.5}"
    "polyline.s0{stroke:#0b6bcb}polyline.s1{stroke:#c2410c}polyline.s2{stroke:#15803d}"
    "polyline.s3{stroke:#7c3aed}polyline.s4{stroke:#b45309}polyline.s5{stroke:#0e7490}"
    "text.s0{fill:#0b6bcb}text.s1{fill:#c2410c}text.s2{fill:#15803d}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}text.s0{fill:#6cb2ff}text.s1{fill:#ff9d6b}"
    "text.s2{fill:#6fdd8b}polyline.s0{stroke:#6cb2ff}"
    "polyline.s1{stroke:#ff9d6b}polyline.s2{stroke:#6fdd8b}}"
)
