"""More than two tools: all pairs tested together, and the ranks that follow from it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from polyassay.errors import PolyAssayError
from polyassay.measures.comparing.gaps import Gap, gaps
from polyassay.measures.comparing.steps import is_passing, mean_step
from polyassay.measures.comparing.two import (
    Answer,
    Metric,
    adjusted,
    compared_measures,
    metric_of,
)
from polyassay.measures.groups import Group, grouped
from polyassay.measures.scores import Estimate, ToolScore, estimate, score
from polyassay.measures.table import HEADLINE, RATIO, Measure, refuse_missing_samples
from polyassay.measures.units import Scores, Unit, UnitScore, distinct_tasks, same_for_all
from polyassay.statistics.clusters import Interval, cluster_numbers, renumbered
from polyassay.statistics.ranks import rank_ranges


@dataclass(frozen=True, slots=True)
class Pairing:
    a: str
    b: str
    metrics: Mapping[str, Metric]


@dataclass(frozen=True, slots=True)
class Versus:
    """One tool against another, by the measure that decides."""

    first: str
    second: str
    difference: float  # of the first, less what the second has
    interval: Interval  # of the level at which Holm tested the pair
    p_adjusted: float
    answer: Answer  # about the first


@dataclass(frozen=True, slots=True)
class Matrix:
    """Every tool against every other, on the units that all of them have."""

    tools: tuple[str, ...]  # the best first, by the measure that decides
    decides: Measure
    tasks: int  # units
    distinct: int  # tasks of these units; fewer where prompts are in several languages
    asked: int  # units that any of them was asked
    scores: Mapping[str, ToolScore]  # over the common units
    pairs: tuple[Pairing, ...]
    ranks: Mapping[str, tuple[int, int]]

    @property
    def may_be_best(self) -> list[str]:
        return [tool for tool in self.tools if self.ranks[tool][0] == 1]

    def answer(self, first: str, second: str) -> Answer:
        """About the first of two tools, against the second."""
        metric, is_b = self.metric(first, second)
        turned = {Answer.BETTER: Answer.WORSE, Answer.WORSE: Answer.BETTER}
        return metric.answer if is_b else turned.get(metric.answer, metric.answer)

    def versus(self) -> Iterator["Versus"]:
        """Every pair that was compared, the tool that ranks first in front."""
        for first, second in combinations(self.tools, 2):
            pair = next(pair for pair in self.pairs if {pair.a, pair.b} == {first, second})
            if self.decides.name in pair.metrics:
                metric, is_b = self.metric(first, second)
                low, high = metric.interval.low, metric.interval.high
                yield Versus(
                    first,
                    second,
                    metric.difference if is_b else 0.0 - metric.difference,  # there is no −0.0
                    Interval(low, high) if is_b else Interval(0.0 - high, 0.0 - low),
                    metric.p_adjusted,
                    self.answer(first, second),
                )

    def metric(self, first: str, second: str) -> tuple[Metric, bool]:
        """What was found between two tools, and whether the first is its `b`."""
        for pair in self.pairs:
            if {pair.a, pair.b} == {first, second}:
                return pair.metrics[self.decides.name], pair.b == first
        raise KeyError((first, second))


def compare_all(
    scores: Scores, measures: Sequence[str] = (HEADLINE.name,), decides: str = ""
) -> Matrix:
    """All pairs of these tools; each measure is adjusted over all pairs, after Holm.

    The first of `measures` decides where `decides` names none.
    """
    chosen = compared_measures([*measures, RATIO, *([decides] if decides else [])])
    row = next((m for m in chosen if m.name == decides), chosen[0])
    common = common_units(scores)
    for tool, units in common.items():
        refuse_missing_samples(chosen, units, tool)
    found = {tool: score(units, chosen) for tool, units in common.items()}
    sign = -1 if row.more_is_better else 1
    order = sorted(found, key=lambda tool: (sign * found[tool][row.name].number, tool))
    pairs = _pairs(common, [tool for tool in scores if tool in common], chosen)
    first = next(iter(common.values()))
    better = [[_better(pairs, row, i, j) for j in order] for i in order]
    return Matrix(
        tools=tuple(order),
        decides=row,
        tasks=len(first),
        distinct=distinct_tasks(first),
        asked=len({unit.unit for units in scores.values() for unit in units}),
        scores=found,
        pairs=tuple(Pairing(a, b, metrics) for (a, b), metrics in pairs.items()),
        ranks=dict(zip(order, rank_ranges(better), strict=True)),
    )


def common_units(scores: Scores) -> dict[str, list[UnitScore]]:
    """What all tools were asked and what counts for all of them, in one order."""
    by_tool = {tool: {u.unit: u for u in units if not u.left_out} for tool, units in scores.items()}
    shared = set.intersection(*(set(units) for units in by_tool.values())) if by_tool else set()
    if not shared:
        raise PolyAssayError(
            f"{', '.join(scores)} have no task in common.",
            hint="Compare tools that answered the same suite in the same prompt language.",
        )
    order: list[Unit] = sorted(shared)
    return {tool: [units[unit] for unit in order] for tool, units in by_tool.items()}


def _pairs(
    common: Scores, tools: Sequence[str], chosen: Sequence[Measure]
) -> dict[tuple[str, str], dict[str, Metric]]:
    found: dict[tuple[str, str], dict[str, Metric]] = {pair: {} for pair in combinations(tools, 2)}
    clusters = cluster_numbers([unit.cluster for unit in common[tools[0]]])
    for row in chosen:
        # What is unknown is no number; all tools have their units in one order.
        values = {
            tool: np.array([row.of_unit(unit) for unit in common[tool]], float) for tool in tools
        }
        steps = {tool: mean_step(common[tool]) for tool in tools if is_passing(row, common[tool])}
        metrics = {}
        for a, b in found:
            known = ~(np.isnan(values[a]) | np.isnan(values[b]))
            if known.any():
                numbers = clusters if known.all() else renumbered(clusters[known])
                sides = values[a][known], values[b][known]
                both = (steps[a], steps[b]) if a in steps and b in steps else (0.0, 0.0)
                metrics[a, b] = metric_of(*sides, numbers, row, both)
        for pair, metric in zip(metrics, adjusted(list(metrics.values())), strict=True):
            found[pair][row.name] = metric
    return found


def _better(
    pairs: Mapping[tuple[str, str], Mapping[str, Metric]], row: Measure, first: str, second: str
) -> bool:
    if (second, first) in pairs:
        metric, wanted = pairs[second, first].get(row.name), Answer.BETTER
    elif (first, second) in pairs:
        metric, wanted = pairs[first, second].get(row.name), Answer.WORSE
    else:
        return False
    return metric is not None and metric.answer is wanted


@dataclass(frozen=True, slots=True)
class Standing:
    tool: str
    best_rank: int
    worst_rank: int
    score: ToolScore
    groups: Mapping[Group, Estimate]  # (language, prompt language) → the measure that ranks
    gaps: tuple[Gap, ...]  # between prompt languages


def standings(
    tools: Scores, decides: str = HEADLINE.name, by: Sequence[str] = ("language", "prompt_language")
) -> tuple[Matrix, list[Standing]]:
    """The best first, with the ranks that the paired answers allow."""
    even = same_for_all(tools)
    matrix = compare_all(even, [decides])
    return matrix, [
        Standing(
            tool,
            *matrix.ranks[tool],
            score=matrix.scores[tool],
            groups={
                labels: estimate([u for u in members if not u.left_out], matrix.decides)
                for labels, members in grouped(even[tool], by).items()
            },
            gaps=tuple(gaps(even[tool], "prompt_language", matrix.decides)),
        )
        for tool in matrix.tools
    ]
