"""Ranks that follow from paired answers."""

from collections.abc import Sequence


def rank_ranges(better: Sequence[Sequence[bool]]) -> list[tuple[int, int]]:
    """For each, one after all that are better, and before all that are worse.

    `better[i][j]`: whether i was shown to be better than j. Where all answers hold together with
    95 % confidence, so do all ranges.
    """
    count = len(better)
    return [
        (
            1 + sum(better[other][own] for other in range(count)),
            count - sum(better[own][other] for other in range(count)),
        )
        for own in range(count)
    ]
