"""Means and counts of graders' scores."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from polyassay.rubric.rubrics import Dimension
from polyassay.rubric.sheets import Score
from polyassay.statistics.clusters import by_cluster
from polyassay.statistics.intervals import mean_interval


@dataclass(frozen=True, slots=True)
class Mean:
    mean: float
    low: float
    high: float
    n: int


def mean_score(scores: Sequence[Score], dimension: Dimension) -> Mean:
    """Tasks are resampled, because scores of one task go along with each other."""
    clusters = [(score.key.suite, score.key.task) for score in scores]
    rows = by_cluster([score.score for score in scores], clusters)
    interval = mean_interval(rows, dimension.low, dimension.high)
    mean = sum(score.score for score in scores) / len(scores)
    return Mean(mean, interval.low, interval.high, len(scores))


def point_counts(scores: Sequence[Score], dimension: Dimension) -> dict[str, int]:
    found = Counter(score.score for score in scores)
    return {str(point.score): found[point.score] for point in dimension.points}
