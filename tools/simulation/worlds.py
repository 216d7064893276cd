"""Simulated tools whose true scores are known."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special

Array = NDArray[Any]

MOST_TESTS = 8
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(120)
WEIGHTS = WEIGHTS / WEIGHTS.sum()


@dataclass(frozen=True)
class World:
    """How hard tasks are, how alike tools are, and what they were asked.

    Every unit has a difficulty, which units of one cluster share in part, and all tools in part.
    """

    tasks: int = 100  # units
    rate: float = 0.5  # the first tool's pass@1
    shift: float = 0.0  # how much better the last tool is, in points of pass@1
    samples: tuple[int, ...] = (1, 1)  # of each tool
    cluster: int = 1  # units a cluster
    within: float = 0.5  # the part of difficulty that units of a cluster share
    alike: float = 0.7  # the part of difficulty that all tools share
    spread: float = 1.2  # of difficulty
    measure: str = "pass"  # or "ratio"
    tests: bool = True  # 1 to 8 tests a task; otherwise one
    better: int = 1  # how many of the last tools are better

    def key(self) -> str:
        return " ".join(f"{name}={value}" for name, value in asdict(self).items())


def true_value(world: World, level: float) -> float:
    """pass@1 or AvgPassRatio over all tasks there could be."""
    chance = special.ndtr(level + world.spread * NODES)
    if world.measure == "ratio":
        return float(WEIGHTS @ chance)
    tests = range(1, MOST_TESTS + 1) if world.tests else [1]
    return float(np.mean([WEIGHTS @ chance**n for n in tests]))


def level_for(world: World, value: float) -> float:
    return float(optimize.brentq(lambda level: true_value(world, level) - value, -12, 12))


def draw(world: World, repeats: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Every tool's value of every unit, (repeats, tools, clusters, units), and the true values."""
    first = level_for(world, world.rate)
    second = level_for(world, world.rate + world.shift) if world.shift else first
    tools = len(world.samples)
    levels = [second if i >= tools - world.better else first for i in range(tools)]
    clusters = max(1, world.tasks // world.cluster)
    shape = (repeats, clusters, world.cluster)
    tests = rng.integers(1, MOST_TESTS + 1, shape) if world.tests else np.ones(shape, int)
    common = _difficulty(world, shape, rng)
    values = np.empty((repeats, tools, clusters, world.cluster))
    for i, (level, samples) in enumerate(zip(levels, world.samples, strict=True)):
        own = _difficulty(world, shape, rng)
        difficulty = np.sqrt(world.alike) * common + np.sqrt(1 - world.alike) * own
        chance = special.ndtr(level + world.spread * difficulty)
        if world.measure == "ratio":
            values[:, i] = rng.binomial(samples * tests, chance) / (samples * tests)
        else:
            values[:, i] = rng.binomial(samples, chance**tests) / samples
    return values, np.array([true_value(world, level) for level in levels])


def _difficulty(world: World, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    own = rng.standard_normal(shape)
    if world.cluster == 1:
        return own
    shared = rng.standard_normal((*shape[:2], 1))
    mixed: Array = np.sqrt(world.within) * shared + np.sqrt(1 - world.within) * own
    return mixed
