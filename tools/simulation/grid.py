"""Which worlds are simulated; every part can be run alone, and what was done is kept."""

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path

from simulation import trials
from simulation.worlds import World, true_value

RATES = (0.03, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97)
SAMPLES = ((1, 1), (5, 5), (10, 10), (1, 5), (1, 10), (10, 1))
SIZES = (20, 50, 100, 175, 500, 1000)


def equal(sizes: Sequence[int]) -> Iterator[World]:
    """Two equal tools; a cluster of 2 is a task in two prompt languages, of 4 and 8 a notebook."""
    for tasks, rate, samples, cluster, measure in product(
        sizes, RATES, SAMPLES, (1, 2, 4, 8), ("pass", "ratio")
    ):
        if tasks // cluster >= 5:
            yield World(tasks, rate, samples=samples, cluster=cluster, measure=measure)
    for tasks, alike, measure in product(sizes, (0.0, 0.97), ("pass", "ratio")):
        yield World(tasks, 0.5, alike=alike, measure=measure)


def unequal(sizes: Sequence[int]) -> Iterator[World]:
    """The worlds of version 0.1.0's page, for comparison."""
    for tasks, measure, shift in product(sizes, ("pass", "ratio"), (0.15, 0.35, 0.7)):
        base = World(measure=measure)
        rate, better = true_value(base, 0.0), true_value(base, shift)
        yield World(tasks, rate, better - rate, measure=measure)
        if shift == 0.35:
            yield World(tasks, rate, better - rate, samples=(5, 5), measure=measure)


def reach(sizes: Sequence[int]) -> Iterator[World]:
    for tasks, rate, samples, cluster, measure in product(
        sizes, (0.1, 0.3, 0.5), ((1, 1), (5, 5), (1, 10)), (1, 4), ("pass", "ratio")
    ):
        if tasks // cluster >= 12:
            yield World(tasks, rate, samples=samples, cluster=cluster, measure=measure)


def many(sizes: Sequence[int]) -> Iterator[World]:
    for tasks, tools, cluster in product(sizes, (2, 3, 5, 10, 20), (1, 4)):
        if tasks // cluster >= 12:
            yield World(tasks, 0.4, samples=(1,) * tools, cluster=cluster)
            if cluster == 1 and tools > 2:
                half = tools // 2
                yield World(tasks, 0.4, 0.1, samples=(1,) * tools, better=half)


def worse(sizes: Sequence[int]) -> Iterator[World]:
    for tasks, points, samples in product(sizes, (0.03, 0.1), ((1, 1), (5, 5), (1, 10))):
        yield World(tasks, 0.5, -points, samples=samples)


def growing(sizes: Sequence[int]) -> Iterator[World]:
    yield World(max(400, max(sizes)), 0.4)


def chances(sizes: Sequence[int]) -> Iterator[World]:
    for tasks, samples, usual in product(sizes, ((1, 1), (5, 5)), (0.1, 0.05)):
        yield World(tasks, 0.5, usual, samples=samples)


Part = tuple[Callable[[Sequence[int]], Iterator[World]], Callable[[World, int, int], trials.Row]]
PARTS: dict[str, Part] = {
    "equal": (equal, trials.two_tools),
    "unequal": (unequal, trials.two_tools),
    "detectable": (reach, trials.at_detectable),
    "many": (many, trials.many_tools),
    "margin": (worse, trials.margin),
    "looks": (growing, trials.looks),
    "bayes": (chances, trials.bayes),
}


def run(
    part: str, sizes: Sequence[int], repeats: int, seed: int, kept: Path | None = None
) -> Iterator[tuple[World, trials.Row]]:
    """The rows of one part; rows that `kept` has are not computed again."""
    worlds, trial = PARTS[part]
    done = {}
    if kept and kept.exists():
        lines = map(json.loads, kept.read_text().splitlines())
        done = {(line["part"], line["world"], line["repeats"]): line["row"] for line in lines}
    for world in worlds(sizes):
        key = part, world.key(), repeats
        if key not in done:
            done[key] = trial(world, repeats, seed)
            if kept:
                line = {"part": part, "world": world.key(), "repeats": repeats, "row": done[key]}
                with kept.open("a") as out:
                    out.write(json.dumps(line) + "\n")
        yield world, done[key]
