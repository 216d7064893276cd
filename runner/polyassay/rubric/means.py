"""Means and counts of graders' scores.

An answer's score is the mean over its graders, and a decision replaces it; a tool's mean is the
mean over its answers. So an answer that three people graded weighs as much as one that a single
person graded, and deciding a disagreement at the graders' mean changes nothing.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from polyassay.model import CandidateKey
from polyassay.rubric.rubrics import Dimension
from polyassay.rubric.sheets import Score, first_showings
from polyassay.statistics.clusters import by_cluster
from polyassay.statistics.intervals import mean_interval


@dataclass(frozen=True, slots=True)
class AnswerScore:
    """One answer's score of one dimension."""

    key: CandidateKey
    dimension: str
    value: float
    given: Mapping[str, int]  # grader → score, where nothing was decided: what it is the mean of
    decided: bool = False


@dataclass(frozen=True, slots=True)
class Mean:
    mean: float
    low: float
    high: float
    n: int  # answers
    scores: int  # that graders gave to them
    decided: int  # answers whose scores a decision replaced
    graders: Mapping[str, int]  # grader → scores


def answer_scores(scores: Iterable[Score]) -> list[AnswerScore]:
    """Every graded answer and dimension, in the order of answers."""
    known = list(scores)
    given: dict[tuple[CandidateKey, str], dict[str, int]] = {}
    for score in first_showings(known):
        given.setdefault((score.key, score.dimension), {})[score.grader] = score.score
    decided = {(score.key, score.dimension): score.score for score in known if score.decision}
    return [
        AnswerScore(
            *place,
            float(decided[place]) if place in decided else sum(by.values()) / len(by),
            by,
            place in decided,
        )
        for place in sorted(given.keys() | decided.keys())
        for by in [given.get(place, {})]
    ]


def of_tool(answers: Iterable[AnswerScore], tool: str, dimension: str) -> list[AnswerScore]:
    return [a for a in answers if (a.key.tool, a.dimension) == (tool, dimension)]


def mean_score(answers: Sequence[AnswerScore], dimension: Dimension) -> Mean:
    """Over answers; chance is drawn by tasks, whose answers go along with each other."""
    clusters = [(answer.key.suite, answer.key.task) for answer in answers]
    rows = by_cluster([answer.value for answer in answers], clusters)
    interval = mean_interval(rows, dimension.low, dimension.high)
    graders = Counter(grader for answer in answers for grader in answer.given)
    return Mean(
        mean=sum(answer.value for answer in answers) / len(answers),
        low=interval.low,
        high=interval.high,
        n=len(answers),
        scores=graders.total(),
        decided=sum(answer.decided for answer in answers),
        graders=dict(sorted(graders.items())),
    )


def point_counts(answers: Iterable[AnswerScore], dimension: Dimension) -> dict[str, int]:
    """How often graders gave each point."""
    found = Counter(score for answer in answers for score in answer.given.values())
    return {str(point.score): found[point.score] for point in dimension.points}
