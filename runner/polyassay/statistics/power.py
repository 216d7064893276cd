"""What a number of tasks can show, and how many tasks a difference needs."""

from typing import Any

import numpy as np
from scipy import special

from polyassay.statistics.clusters import ALPHA, POWER
from polyassay.statistics.paired import FEWEST, Difference

_MOST = 10_000_000  # tasks: more than this is no plan


def detectable(found: Difference, power: float = POWER) -> Any:
    """The smallest difference that a comparison like this one shows in 80 of 100 cases.

    NaN where not even the largest possible difference would be shown. Found by halving: a larger
    difference changes the spread, because to differ that much, tools must differ on more tasks.
    """

    def enough(difference: Any) -> Any:
        spread, size = (found.square, found.usual), (found.clusters, found.degrees)
        return chance_to_show(difference, *spread, *size, found.lean) >= power

    low = np.zeros_like(np.asarray(found.square, float))
    high = np.full_like(low, found.high if found.high is not None else 1e12)
    shown = enough(high)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = np.where(enough(middle), low, middle), np.where(enough(middle), middle, high)
    # However alike the other tasks are, fewer than FEWEST that differ never give an answer.
    high = np.maximum(high, found.usual * FEWEST / found.clusters)
    shown &= np.asarray(found.clusters) >= FEWEST
    return np.where(shown, high if found.high is None else np.minimum(high, found.high), np.nan)


def chance_to_show(
    difference: Any, square: Any, usual: Any, clusters: Any, degrees: Any, lean: Any = 0.0
) -> Any:
    """The power of `paired` against a true difference.

    `square` is the mean square of a cluster's difference, `usual` how large one is where there is
    one: tools that differ by much must differ on many tasks.
    """
    difference = np.asarray(difference, float)
    spread = np.maximum(square, difference * usual) - difference**2
    total = clusters + 2.0
    error = np.sqrt(np.maximum(spread, 1e-18) / total)
    needed = special.stdtrit(degrees, 1 - ALPHA / 2)
    # With few clusters their spread is known badly, which costs more than the t-distribution says.
    seen = difference * (1 - 12 / total**2) * clusters / total - lean
    return special.stdtr(degrees, seen / error - needed)


def tasks_needed(
    difference: float, square: float, usual: float, power: float = POWER
) -> int | None:
    """How many clusters show this difference; None where no plan could."""
    low, high = FEWEST - 1, FEWEST
    while chance_to_show(difference, square, usual, high, high - 1) < power:
        low, high = high, 2 * high
        if high > _MOST:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        enough = chance_to_show(difference, square, usual, middle, middle - 1) >= power
        low, high = (low, middle) if enough else (middle, high)
    return high


def detectable_with(
    square: float, usual: float, clusters: float, power: float = POWER, span: float = 1.0
) -> float | None:
    """The smallest difference that so many clusters show; None where they show none."""
    few = clusters < FEWEST
    if few or chance_to_show(span, square, usual, clusters, clusters - 1) < power:
        return None
    low, high = 0.0, span
    for _ in range(40):
        middle = (low + high) / 2
        enough = chance_to_show(middle, square, usual, clusters, clusters - 1) >= power
        low, high = (low, middle) if enough else (middle, high)
    return high
