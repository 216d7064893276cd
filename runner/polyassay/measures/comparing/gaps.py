"""How much better one tool does on one group of tasks than on another."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from polyassay.measures.groups import NONE, grouped
from polyassay.measures.table import HEADLINE, Measure
from polyassay.measures.units import TaskKey, Unit, UnitScore
from polyassay.statistics.clusters import Interval, by_cluster
from polyassay.statistics.intervals import two_means_interval
from polyassay.statistics.paired import paired

SAME = 0.9  # two groups are paired where they share this part of the smaller one's tasks


@dataclass(frozen=True, slots=True)
class Gap:
    """What a measure has in the first group, less what it has in the second."""

    measure: Measure
    name: str  # what the groups differ in
    first: str
    second: str
    tasks: tuple[int, int]  # on which it stands
    paired: bool  # on the same tasks: those that both groups have, and no others
    values: tuple[float, float]
    interval: Interval

    @property
    def difference(self) -> float:
        return self.values[0] - self.values[1]


@dataclass(frozen=True, slots=True)
class Trend:
    """How a task's value goes with how many tasks use its rarest library."""

    tasks: int
    rho: float  # Spearman's
    p: float


def gaps(units: Sequence[UnitScore], name: str, by: Measure = HEADLINE) -> list[Gap]:
    """Every group of one tool against the largest one, such as Chinese prompts against English."""
    members = {labels[0]: group for labels, group in grouped(units, [name]).items()}
    members.pop(NONE, None)
    if len(members) < 2:
        return []  # most often there is nothing to compare
    known = {g: [u for u in units if by.of_unit(u) is not None] for g, units in members.items()}
    members = {label: group for label, group in known.items() if group}
    largest = max(members, key=lambda label: len(members[label]), default="")
    return [_gap(name, by, members, (label, largest)) for label in members if label != largest]


def _gap(name: str, by: Measure, members: dict[str, list[UnitScore]], pair: tuple[str, str]) -> Gap:
    # A task that was put in two prompt languages counts twice, unless these are what is compared.
    def key(unit: UnitScore) -> TaskKey | Unit:
        return unit.unit.task_key if name == "prompt_language" else unit.unit

    values = [{key(u): by.of_unit(u) or 0.0 for u in members[g]} for g in pair]
    clusters = {key(u): u.cluster for g in pair for u in members[g]}
    shared = [key for key in values[0] if key in values[1]]
    is_paired = len(shared) >= SAME * min(map(len, values))
    if is_paired:
        first, second = ([side[key] for key in shared] for side in values)
        differences = [x - y for x, y in zip(first, second, strict=True)]
        rows = by_cluster(differences, [clusters[key] for key in shared])
        interval = paired(rows[:, 0], rows[:, 1], span=by.scale.span).interval()
    else:
        first, second = (list(side.values()) for side in values)
        sides = [by_cluster(list(of.values()), [clusters[key] for key in of]) for of in values]
        interval = two_means_interval(sides[0], sides[1], by.scale.low, by.scale.high)
    tasks = [{unit.unit.task_key for unit in members[group]} for group in pair]
    return Gap(
        by,
        name,
        *pair,
        tasks=(len(shared), len(shared)) if is_paired else (len(tasks[0]), len(tasks[1])),
        paired=is_paired,
        values=(float(np.mean(first)), float(np.mean(second))),
        interval=interval,
    )


def library_trend(units: Sequence[UnitScore], of: Measure = HEADLINE) -> Trend | None:
    """None with too few tasks or only one frequency to see anything."""
    using = [u for u in units if u.task.libraries and of.of_unit(u) is not None]
    tasks = {unit.unit.task_key: unit.task for unit in using}
    uses = Counter(library for task in tasks.values() for library in task.libraries)
    rarest = [min(uses[library] for library in unit.task.libraries) for unit in using]
    values = [of.of_unit(unit) or 0.0 for unit in using]
    if len(using) < 10 or len(set(rarest)) < 2 or len(set(values)) < 2:
        return None
    from scipy import stats  # only here: it takes a second to import

    found = stats.spearmanr(rarest, values)
    return Trend(len(using), float(found.statistic), float(found.pvalue))
