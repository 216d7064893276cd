"""Several tests at once."""

from collections.abc import Sequence

from polyassay.statistics.clusters import ALPHA


def holm(ps: Sequence[float]) -> list[float]:
    """Adjusted so that the chance of any false answer among all of them stays at 5 %."""
    return [min(1.0, adjusted) for adjusted in _holm(ps)]


def levels(ps: Sequence[float]) -> list[float]:
    """The level at which Holm tests each: its interval leaves out zero where the answer does."""
    pairs = zip(ps, _holm(ps), strict=True)
    return [ALPHA * p / adjusted if p else ALPHA / len(ps) for p, adjusted in pairs]


def _holm(ps: Sequence[float]) -> list[float]:
    order = sorted(range(len(ps)), key=lambda i: ps[i])
    adjusted = [1.0] * len(ps)
    largest = 0.0
    for rank, i in enumerate(order):
        largest = max(largest, (len(ps) - rank) * ps[i])
        adjusted[i] = largest
    return adjusted
