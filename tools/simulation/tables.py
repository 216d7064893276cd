"""The tables of docs/statistics.md: one a part of the grid."""

from collections.abc import Iterator, Sequence

from simulation.trials import Row
from simulation.worlds import World

Rows = Sequence[tuple[World, Row]]
# What version 0.1.0's page says about the worlds of `unequal`: measure, samples → found, by
# tasks and true difference.
PUBLISHED = {
    ("pass", 1): {(50, 3.3): 4.7, (50, 8.1): 13.4, (50, 17.1): 48.8}
    | {(100, 3.3): 6.4, (100, 8.1): 27.8, (100, 17.1): 84.3},
    ("pass", 5): {(50, 8.1): 33.4, (100, 8.1): 66.0},
    ("ratio", 1): {(50, 3.8): 10.4, (50, 8.9): 34.1, (50, 17.3): 83.5}
    | {(100, 3.8): 13.8, (100, 8.9): 55.9, (100, 17.3): 98.5},
    ("ratio", 5): {(50, 8.9): 52.4, (100, 8.9): 84.9},
}
NAMES = {"pass": "pass@1", "ratio": "AvgPassRatio"}


def print_part(part: str, rows: Rows, repeats: int, every_row: bool = False) -> None:
    error = 196 * (0.95 * 0.05 / repeats) ** 0.5
    print(f"\n### {part}\n\nPer cent of {repeats:,} repeats, ±{error:.1f} around 95 or 5.\n")
    table = every if every_row else TABLES.get(part, every)
    print("\n".join(table(rows)))


def equal(rows: Rows) -> Iterator[str]:
    """Two equal tools: the range over pass rates and samples, with the mean of false answers."""
    yield from _head(
        ["tasks", "clusters of"],
        ["difference in pass@1 holds", "in AvgPassRatio", "false answers, pass@1", "AvgPassRatio"],
        ["own interval, pass@1", "AvgPassRatio"],
    )
    for (tasks, cluster), of in _grouped(rows):
        both = [[row for world, row in of if world.measure == m] for m in NAMES]
        if not all(both):
            continue
        cells = [_span(side, "difference") for side in both]
        cells += [f"{_span(side, 'told')} ({_mean(side, 'told'):.1f})" for side in both]
        yield _line([tasks, cluster, *cells, *(_span(side, "interval") for side in both)])


def unequal(rows: Rows) -> Iterator[str]:
    """How often the better tool is found, beside version 0.1.0 and McNemar's tests."""
    yield from _head(
        ["tasks", "true difference", "measure, samples", "difference holds", "found"],
        ["version 0.1.0", "McNemar, exact", "mid-p"],
    )
    for world, row in rows:
        truth, samples = round(row["truth"], 1), world.samples[0]
        old = PUBLISHED[world.measure, samples].get((world.tasks, truth))
        name = NAMES[world.measure] + (f", {samples} samples" if samples > 1 else "")
        tests = [f"{row[test]:.1f}" if test in row else "" for test in ("exact", "mid")]
        found = [f"{row['difference']:.1f}", f"{row['right']:.1f}"]
        yield _line([world.tasks, truth, name, *found, old if old is not None else "", *tests])


def detectable(rows: Rows) -> Iterator[str]:
    yield from _head(["tasks", "clusters of", "detectable, points", "power"])
    for (tasks, cluster), of in _grouped(rows):
        known = [row for _, row in of if row]
        if known:
            yield _line([tasks, cluster, _span(known, "detectable"), _span(known, "power")])


def many(rows: Rows) -> Iterator[str]:
    yield from _head(
        ["tasks", "tools", "clusters of", "any false, pair by pair", "Holm", "max-T"],
        ["any false rank", "found, Holm", "found, max-T"],
    )
    names = [f"any false, {name}" for name in ("plain", "holm", "max_t")]
    names += ["false rank", "found, holm", "found, max_t"]
    for world, row in rows:
        tools = f"{len(world.samples)}{', half better' if world.shift else ''}"
        cells = [f"{row[name]:.1f}" if name in row else "" for name in names]
        yield _line([world.tasks, tools, world.cluster, *cells])


def bayes(rows: Rows) -> Iterator[str]:
    """What was said, and how often it came true."""
    spans = ["5–20", "20–50", "50–80", "80–95", "95–100"]
    titles = [f"said {span} %: mean, true" for span in spans]
    yield from _head(["tasks", "samples", "deviation"], titles)
    for world, row in rows:
        cells = [
            f"{row[f'{span} said']:.0f}, {row[f'{span} true']:.0f}" if f"{span} said" in row else ""
            for span in spans
        ]
        yield _line([world.tasks, world.samples[0], f"{100 * world.shift:.0f}", *cells])


def every(rows: Rows) -> Iterator[str]:
    """A line a world, with all that was counted."""
    names = list(dict.fromkeys(name for _, row in rows for name in row))
    yield from _head(["tasks", "world", *names])
    for world, row in rows:
        cells = [f"{row[name]:.1f}" if name in row else "" for name in names]
        yield _line([world.tasks, told(world), *cells])


TABLES = {
    "equal": equal,
    "unequal": unequal,
    "detectable": detectable,
    "many": many,
    "bayes": bayes,
}


def told(world: World) -> str:
    """What is not usual about a world."""
    counts = sorted(set(world.samples))
    several = f"{counts[0]} samples" if counts[0] > 1 else ""
    parts = [
        NAMES[world.measure],
        f"{100 * world.rate:.0f} %",
        f"{100 * world.shift:+.1f} points" if world.shift else "",
        f"{len(world.samples)} tools" if len(world.samples) > 2 else "",
        several if len(counts) == 1 else " against ".join(map(str, world.samples)) + " samples",
        f"clusters of {world.cluster}" if world.cluster > 1 else "",
        f"alike {world.alike:g}" if world.alike != 0.7 else "",
    ]
    return ", ".join(filter(None, parts))


def _grouped(rows: Rows) -> list[tuple[tuple[int, int], list[tuple[World, Row]]]]:
    found: dict[tuple[int, int], list[tuple[World, Row]]] = {}
    for world, row in rows:
        found.setdefault((world.tasks, world.cluster), []).append((world, row))
    return sorted(found.items())


def _head(*columns: Sequence[str]) -> Iterator[str]:
    names = [name for part in columns for name in part]
    yield _line(names)
    yield "|" + "---:|" * len(names)


def _line(cells: Sequence[object]) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"


def _span(rows: Sequence[Row], name: str) -> str:
    values = [row[name] for row in rows]
    return f"{min(values):.1f}–{max(values):.1f}"


def _mean(rows: Sequence[Row], name: str) -> float:
    return sum(row[name] for row in rows) / len(rows)
