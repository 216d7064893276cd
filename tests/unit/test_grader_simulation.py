"""A small part of tools/simulate-graders, so that it cannot rot."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from simulation.graders import Grader, World, comparing, preferring, talking

REPEATS = 150
ERROR = 3.5 * (0.95 * 0.05 / REPEATS) ** 0.5 * 100  # in points
STRICT = (Grader(-0.5), Grader(0.8, noise=1.0))


@pytest.mark.parametrize(
    "graders", [(Grader(),), STRICT, (Grader(drift=1.0), Grader(careless=0.3))]
)
def test_grade_compare_is_seldom_wrong_and_its_intervals_hold(graders: tuple[Grader, ...]) -> None:
    equal = comparing(World(40, graders=graders), REPEATS, seed=1)
    assert equal["told"] < 5 + ERROR and equal["held"] > 95 - ERROR
    better = comparing(World(40, 0.6, graders), REPEATS, seed=2)
    assert better["held"] > 95 - ERROR and better["better"] > 40


def test_grade_compare_pairs_within_graders_who_share_the_tasks() -> None:
    row = comparing(World(40, graders=STRICT, half_each=True), REPEATS, seed=1)
    assert row["told"] < 5 + ERROR and row["held"] > 95 - ERROR


@pytest.mark.parametrize("leaning", [0.0, 0.8])
def test_bradley_terry_is_seldom_wrong_and_sees_who_leans(leaning: float) -> None:
    graders = (Grader(leaning=leaning), Grader(leaning=leaning))
    equal = preferring(World(40, graders=graders), REPEATS, seed=1)
    assert equal["told"] < 5 + ERROR and equal["held"] > 95 - ERROR
    assert equal["leaning"] > 90 if leaning else equal["leaning"] < 5 + ERROR
    better = preferring(World(40, 0.8, graders), REPEATS, seed=2)
    assert better["held"] > 95 - ERROR and better["told"] > 60


GOOD = (Grader(0.1), Grader(-0.1), Grader())


@pytest.mark.parametrize(
    ("last", "talk", "drift"),
    [
        (Grader(), (0, 15), (0, 15)),
        (Grader(1.0), (95, 100), (0, 15)),
        (Grader(drift=1.5), (90, 100), (80, 100)),
        (Grader(careless=0.6), (80, 100), (0, 20)),
    ],
)
def test_faulty_graders_are_found_and_others_left_alone(
    last: Grader, talk: tuple[int, int], drift: tuple[int, int]
) -> None:
    row = talking(World(60, graders=(*GOOD, last)), 30, seed=1)
    assert talk[0] <= row["talk"] <= talk[1]
    assert drift[0] <= row["drift"] <= drift[1]
    assert row["others"] <= 20
