"""Tools in order, with the ranks that the intervals allow."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from polyassay.measures.groups import Group, grouped
from polyassay.measures.passk import refuse_large_k
from polyassay.measures.scores import Estimate, Score, score
from polyassay.measures.units import UnitScore
from polyassay.statistics.gaps import Gap, gaps
from polyassay.statistics.intervals import SEED, Interval


@dataclass(frozen=True, slots=True)
class Standing:
    tool: str
    best_rank: int
    worst_rank: int  # the same as the best only where no neighbour's interval overlaps
    score: Score
    groups: Mapping[Group, Estimate]  # (language, prompt language) → pass@k
    gaps: tuple[Gap, ...]  # between prompt languages


def standings(
    tools: Mapping[str, Sequence[UnitScore]],
    k: int = 1,
    by: Sequence[str] = ("language", "prompt_language"),
    seed: int = SEED,
) -> list[Standing]:
    """The best first, by pass@k."""
    for tool, units in tools.items():
        refuse_large_k(k, ((str(u.unit), len(u.samples)) for u in units), tool)
    scores = {tool: score(units, (k,), seed) for tool, units in tools.items()}
    order = sorted(scores, key=lambda tool: (-scores[tool].pass_at[k].value, tool))
    ranks = rank_ranges([scores[tool].pass_at[k].interval for tool in order])
    return [
        Standing(
            tool,
            *rank,
            score=scores[tool],
            groups={
                labels: score(members, (k,), seed).pass_at[k]
                for labels, members in grouped(tools[tool], by).items()
            },
            gaps=tuple(gaps(tools[tool], "prompt_language", seed)),
        )
        for tool, rank in zip(order, ranks, strict=True)
    ]


def rank_ranges(intervals: Sequence[Interval]) -> list[tuple[int, int]]:
    """For each, one after all that lie wholly above it, and before all wholly below."""
    return [
        (
            1 + sum(other.low > own.high for other in intervals),
            len(intervals) - sum(other.high < own.low for other in intervals),
        )
        for own in intervals
    ]
