"""Means and counts of graders' scores."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from polyassay.rubric.rubrics import Dimension
from polyassay.rubric.sheets import Score
from polyassay.statistics.intervals import by_cluster, mean_interval


@dataclass(frozen=True, slots=True)
class Mean:
    mean: float
    low: float
    high: float
    n: int


def mean_score(scores: Sequence[Score], dimension: Dimension) -> Mean:
    """Tasks are resampled, because scores of one task go along with each other."""
    width = dimension.high - dimension.low
    values = [(score.score - dimension.low) / width for score in scores]
    rows = by_cluster(values, [(score.key.suite, score.key.task) for score in scores])
    interval = mean_interval(rows)
    mean = sum(score.score for score in scores) / len(scores)
    low, high = (dimension.low + end * width for end in (interval.low, interval.high))
    return Mean(mean, low, high, len(scores))


def point_counts(scores: Sequence[Score], dimension: Dimension) -> dict[str, int]:
    found = Counter(score.score for score in scores)
    return {str(point.score): found[point.score] for point in dimension.points}
