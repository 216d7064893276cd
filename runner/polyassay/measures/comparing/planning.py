"""How many tasks and samples a difference needs."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

from polyassay.errors import PolyAssayError
from polyassay.measures.comparing.two import Metric, pairs_of
from polyassay.measures.table import measure
from polyassay.measures.units import Scores, UnitScore
from polyassay.statistics.clusters import by_cluster
from polyassay.statistics.power import chance_to_show, detectable_with, tasks_needed

SHOWN = (2, 5, 10)  # points
POWERS = (0.8, 0.9)


def needed(metric: Metric) -> dict[int, int | None]:
    """Tasks like these that show so many points; from how much tools differ, not by how much."""
    if not metric.measure.scale.is_share:
        return {}
    square, usual = float(metric.found.square), float(metric.found.usual)
    return {points: tasks_needed(points / 100, square, usual) for points in SHOWN}


@dataclass(frozen=True, slots=True)
class Spread:
    """Why two tools differ on a task: because one is better at it, or by the luck of a sample."""

    between: float  # the mean square of true differences between tasks
    within: float  # the luck of one sample, of both tools together
    together: float = 1.0  # by how much tasks of one cluster count less than as many alone
    told: str = ""  # where these figures are from

    def square(self, samples: int) -> float:
        """The mean square of the difference of a task with so many samples of each tool."""
        return self.between + self.within / samples

    def usual(self, samples: int) -> float:
        """With one sample a difference is whole; with more, there are smaller ones."""
        return 1.0 if samples == 1 else 0.0

    def tasks(self, difference: float, samples: int, power: float) -> int | None:
        clusters = tasks_needed(difference, self.square(samples), self.usual(samples), power)
        return None if clusters is None else max(clusters, round(clusters * self.together))

    def power(self, difference: float, samples: int, tasks: int) -> float:
        clusters = max(2.0, tasks / self.together)
        spread = self.square(samples), self.usual(samples)
        return float(chance_to_show(difference, *spread, clusters, clusters - 1))

    def detectable(self, samples: int, tasks: int) -> float | None:
        clusters = max(2.0, tasks / self.together)
        return detectable_with(self.square(samples), self.usual(samples), clusters)


def assumed(cluster_sizes: Sequence[int]) -> Spread:
    """Without a run: what tools of about the same strength showed in the suites that we know."""
    together = _together(cluster_sizes, 0.3)
    return Spread(
        0.15,
        0.15,
        together,
        "Assumed: with one sample a task, two tools differ on 30 % of the tasks, and half of that "
        "is luck. `--from RUN` takes both from a run of yours.",
    )


def _together(sizes: Sequence[int], alike: float) -> float:
    """The design effect of clusters whose tasks go along with each other to this degree."""
    total = sum(sizes)
    return 1 + alike * (sum(size**2 for size in sizes) / total - 1) if total else 1.0


def spread_of(scores: Scores) -> Spread:
    """From a run: the mean over all pairs of its tools."""
    found = [_pair_spread(scores[a], scores[b]) for a, b in combinations(scores, 2)]
    known = [spread for spread in found if spread]
    if not known:
        raise PolyAssayError(
            "The run's tools have no two tasks in common.",
            hint="Name another run, or leave it out.",
        )
    split = all(len(u.counted) > 1 for units in scores.values() for u in units if u.counted)
    told = f"From {'all pairs' if len(known) > 1 else 'both tools'} of the run."
    if not split:
        told += " One sample a task cannot tell luck from strength: half of the spread is luck."
    return Spread(
        fmean(spread.between for spread in known),
        fmean(spread.within for spread in known),
        fmean(spread.together for spread in known),
        told,
    )


def _pair_spread(a: Sequence[UnitScore], b: Sequence[UnitScore]) -> Spread | None:
    row = measure("pass@1")
    pairs = [(x, y) for x, y in pairs_of(a, b) if x.counted and y.counted]
    differences = [(row.of_unit(y) or 0.0) - (row.of_unit(x) or 0.0) for x, y in pairs]
    if len(pairs) < 2:
        return None
    square = fmean(d**2 for d in differences)
    if all(len(side.counted) > 1 for pair in pairs for side in pair):
        within = fmean(_luck(x) + _luck(y) for x, y in pairs)
        seen = fmean(_luck(x) / len(x.counted) + _luck(y) / len(y.counted) for x, y in pairs)
        between = max(0.0, square - seen)
    else:
        between = within = square / 2
    mean = fmean(differences)
    rows = by_cluster([d - mean for d in differences], [x.cluster for x, _ in pairs])
    alone = sum((d - mean) ** 2 for d in differences)
    together = float((rows[:, 0] ** 2).sum()) / alone if alone and len(rows) < len(pairs) else 1.0
    return Spread(max(between, 1e-4), within, max(1.0, together))


def _luck(unit: UnitScore) -> float:
    """The variance of one sample of a task, p (1 - p), without bias."""
    n, passed = len(unit.counted), unit.passed / len(unit.counted)
    return passed * (1 - passed) * n / (n - 1)
