"""How many tasks and samples a difference needs."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

from polyassay.errors import PolyAssayError
from polyassay.measures.comparing.two import Metric, Side, compare, pairs_of, share_tasks
from polyassay.measures.table import HEADLINE
from polyassay.measures.units import Scores, UnitScore
from polyassay.statistics.power import chance_to_show, detectable_with, tasks_needed
from polyassay.wording import counted

SHOWN = (2, 5, 10)  # points
POWERS = (0.8, 0.9)


def needed(metric: Metric, shown: Sequence[float] = SHOWN) -> dict[float, int | None]:
    """Tasks like these that show so many points; from how much tools differ, not by how much."""
    if not metric.measure.scale.is_share:
        return {}
    spread = _as_seen(metric)
    return {points: spread.tasks(points / 100, 0, POWERS[0]) for points in shown}


@dataclass(frozen=True, slots=True)
class Spread:
    """Why two tools differ on a task: because one is better at it, or by the luck of a sample."""

    between: float  # the mean square of true differences between tasks
    within: float  # the luck of one sample, of both tools together
    together: float = 1.0  # by how much tasks of one cluster count less than as many alone
    told: str = ""  # where these figures are from
    seen: int = 0  # with how many samples a task they were seen; 0: not with the same number
    usual_seen: float = 0.0  # how large a difference then is, where there is one

    def square(self, samples: int) -> float:
        """The mean square of the difference of a task with so many samples of each tool."""
        return self.between + (self.within / samples if samples else 0.0)

    def usual(self, samples: int) -> float:
        """With one sample a difference is whole; with more, there are smaller ones."""
        if samples == self.seen:
            return self.usual_seen
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


def _as_seen(metric: Metric) -> Spread:
    """What a comparison saw, as it is: more samples of its tasks are no question then."""
    found = metric.found
    together = metric.units / metric.clusters
    return Spread(float(found.square), 0.0, together, usual_seen=float(found.usual))


def assumed(cluster_sizes: Sequence[int]) -> Spread:
    """Without a run: what tools of about the same strength showed in the suites that we know."""
    together = _together(cluster_sizes, 0.3)
    told = (
        "Assumed: with one sample a task, two tools differ on 30 % of the tasks, and half of that "
        "is luck. `--from RUN` takes both from a run of yours."
    )
    if together > 1.005:
        told += (
            f" {counted(sum(cluster_sizes), 'task')} in {counted(len(cluster_sizes), 'cluster')}, "
            f"whose tasks go along with each other: each counts as {1 / together:.2f} of a task."
        )
    return Spread(0.15, 0.15, together, told)


def _together(sizes: Sequence[int], alike: float) -> float:
    """The design effect of clusters whose tasks go along with each other to this degree."""
    total = sum(sizes)
    return 1 + alike * (sum(size**2 for size in sizes) / total - 1) if total else 1.0


def spread_of(scores: Scores, run: str = "") -> Spread:
    """From a run: the mean over all pairs of its tools, of what `compare` sees in each."""
    found = [_pair_spread(scores[a], scores[b]) for a, b in combinations(scores, 2)]
    known = [spread for spread in found if spread]
    if not known:
        raise PolyAssayError(
            "The run's tools have no two tasks in common.",
            hint="Name another run, or leave it out.",
        )
    seen = {spread.seen for spread in known}
    return Spread(
        fmean(spread.between for spread in known),
        fmean(spread.within for spread in known),
        fmean(spread.together for spread in known),
        _told(scores, run, known),
        seen.pop() if len(seen) == 1 else 0,
        fmean(spread.usual_seen for spread in known),
    )


def _told(scores: Scores, run: str, known: Sequence[Spread]) -> str:
    """Where the figures are from, and which of them `compare` says, too."""
    units = max(len(units) for units in scores.values())
    whose = "both tools" if len(known) == 1 else f"all {len(known)} pairs of tools, on average,"
    told = (
        f"From {whose} of {run or 'the run'}, on all its {counted(units, 'task')} of whichever "
        "suite; a task without an answer counts as failed."
    )
    samples = known[0].seen
    if len(known) > 1:
        told += " `compare` of two tools tells theirs."
    elif samples:
        told += f" With {counted(samples, 'sample')} this is what `compare` says."
    else:
        told += " Its tasks have unlike numbers of samples, so `compare` says others."
    if samples == 1:
        told += " One sample a task cannot tell luck from strength: half of the spread is luck."
    return told


def known_spread(a: Side, b: Side) -> Spread | None:
    """Of two tools; None where too little of both is known."""
    return _pair_spread(a[1], b[1])


def _pair_spread(a: Sequence[UnitScore], b: Sequence[UnitScore]) -> Spread | None:
    """What `compare` sees of two tools, in two parts; with as many samples it is the same again."""
    if not share_tasks(a, b):
        return None
    metric = compare(("a", a), ("b", b)).metrics[HEADLINE.name]
    if metric.units < 2:
        return None
    whole = _as_seen(metric)
    sides = [side for pair in pairs_of(a, b) for side in pair if side.counted]
    counts = {len(side.counted) for side in sides}
    # Of clusters, as the comparison draws them: within one, the luck of its tasks evens out.
    share = metric.clusters * whole.together**2
    if min(counts) > 1:
        within = sum(map(_luck, sides)) / share
        seen = sum(_luck(side) / len(side.counted) for side in sides) / share
        between = max(1e-4, whole.between - seen)
    else:
        between = within = whole.between / 2
    samples = counts.pop() if len(counts) == 1 else 0
    if samples:  # what is not between the tasks is luck, so that the sum is what was seen
        within = samples * (whole.between - between)
    return Spread(between, within, whole.together, seen=samples, usual_seen=whole.usual_seen)


def _luck(unit: UnitScore) -> float:
    """The variance of one sample of a task, p (1 - p), without bias."""
    n, passed = len(unit.counted), unit.passed / len(unit.counted)
    return passed * (1 - passed) * n / (n - 1)
