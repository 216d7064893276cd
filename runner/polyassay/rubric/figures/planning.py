"""How many tasks and graders it takes to show a difference of scores.

Two tools' scores differ on a task because one is better at it, or by the mood of a grader. More
graders take the mood out, more tasks take both out. All shares are of the scale's span.
"""

from collections.abc import Sequence
from statistics import fmean, variance

from polyassay.measures.comparing.planning import Spread
from polyassay.rubric.figures.comparing import GradedPair

_BETWEEN, _WITHIN = 0.06, 0.06


def assumed() -> Spread:
    return Spread(
        _BETWEEN,
        _WITHIN,
        told="Assumed: one grader's scores of two tools differ by a third of the scale on a task, "
        "and half of that is the grader's mood. "
        "Where the store has scores of two graders, both come from them.",
    )


def spread_of(pairs: Sequence[GradedPair], span: float) -> Spread | None:
    """From tasks that were graded; none where no task has two graders."""
    differences = [
        [(b - a) / span for a, b in pair.by_grader.values()] for pair in pairs if pair.by_grader
    ]
    twice = [of for of in differences if len(of) > 1]
    if len(twice) < 2:
        return None
    within = fmean(variance(of) for of in twice)
    seen = fmean(fmean(of) ** 2 - within / len(of) for of in differences)
    told = f"From the store's scores: {len(differences)} tasks, {len(twice)} of them graded twice."
    return Spread(max(1e-4, seen), within, told=told)
