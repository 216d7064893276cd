"""How the work of a run is cut into lanes."""

from collections import Counter

import pytest

from polyassay.pipeline import _stretches


@pytest.mark.parametrize(
    ("counts", "jobs", "lanes"),
    [
        ([], 2, []),
        ([5], 3, [[5]]),
        ([10, 10, 100], 2, [[10, 10], [100]]),
        ([100, 1000], 2, [[100], [1000]]),
        ([50, 50, 100, 100], 2, [[50, 50], [100, 100]]),
        ([1, 1, 1, 97], 4, [[1, 1, 1], [97]]),
        ([3] * 8, 4, [[3, 3]] * 4),
    ],
)
def test_neighbours_stay_together_and_lanes_are_alike(
    counts: list[int], jobs: int, lanes: list[list[int]]
) -> None:
    groups = [("s", {str(number): None}) for number in range(len(counts))]
    due = Counter({("s", str(number)): count for number, count in enumerate(counts)})
    found = [
        [due[suite, task] for suite, tasks in stretch for task in tasks]
        for stretch in _stretches(groups, due, jobs)
    ]
    assert found == lanes
