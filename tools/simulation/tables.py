"""The tables of docs/statistics.md."""

from collections.abc import Callable, Sequence

from simulation.trials import Row
from simulation.worlds import World

Rows = Sequence[tuple[World, Row]]


def print_part(part: str, rows: Rows, repeats: int, every_row: bool = False) -> None:
    error = 196 * (0.95 * 0.05 / repeats) ** 0.5
    print(f"\n### {part}\n\nPer cent of {repeats:,} repeats, ±{error:.1f} around 95 or 5.\n")
    if part == "equal" and not every_row:
        _ranges(rows)
        return
    names = list(dict.fromkeys(name for _, row in rows for name in row))
    columns = ["tasks", "world", *names]
    print("| " + " | ".join(columns) + " |")
    print("|---:|---|" + "---:|" * len(names))
    for world, row in rows:
        cells = [f"{row[name]:.1f}" if name in row else "" for name in names]
        print("| " + " | ".join([str(world.tasks), told(world), *cells]) + " |")


def told(world: World) -> str:
    """What is not usual about a world."""
    counts = sorted(set(world.samples))
    parts = [
        "AvgPassRatio" if world.measure == "ratio" else "pass@1",
        f"{100 * world.rate:.0f} %",
        f"{100 * world.shift:+.1f} points" if world.shift else "",
        f"{len(world.samples)} tools" if len(world.samples) > 2 else "",
        (f"{counts[0]} samples" if counts[0] > 1 else "")
        if len(counts) == 1
        else " against ".join(map(str, world.samples)) + " samples",
        f"clusters of {world.cluster}" if world.cluster > 1 else "",
        f"alike {world.alike:g}" if world.alike != 0.7 else "",
    ]
    return ", ".join(filter(None, parts))


def _ranges(rows: Rows) -> None:
    """Two equal tools: the range over all pass rates, a line a size, measure and samples."""
    lines: dict[tuple[object, ...], list[Row]] = {}
    for world, row in rows:
        key = (world.tasks, world.measure, world.samples, world.cluster)
        lines.setdefault(key, []).append(row)
    print(
        "| tasks | measure | samples | clusters of | difference holds | false answers | own holds |"
    )
    print("|---:|---|---|---:|---:|---:|---:|")
    for (tasks, measure, samples, cluster), of in lines.items():
        name = "AvgPassRatio" if measure == "ratio" else "pass@1"
        cells = [_span(of, column) for column in ("difference", "told", "interval")]
        both = " against ".join(map(str, dict.fromkeys(samples)))  # type: ignore[call-overload]
        print(f"| {tasks} | {name} | {both} | {cluster} | " + " | ".join(cells) + " |")


def _span(rows: Sequence[Row], name: str) -> str:
    pick: Callable[[Row], float] = lambda row: row[name]  # noqa: E731
    low, high = min(map(pick, rows)), max(map(pick, rows))
    return f"{low:.1f}–{high:.1f}"
