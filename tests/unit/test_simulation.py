"""A small part of tools/simulate-statistics, so that it cannot rot."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from simulation import grid, trials
from simulation.worlds import World

REPEATS = 400
ERROR = 4 * (0.95 * 0.05 / REPEATS) ** 0.5 * 100  # four standard errors, in points


@pytest.mark.parametrize("measure", ["pass", "ratio"])
@pytest.mark.parametrize(("samples", "cluster"), [((1, 1), 1), ((1, 10), 1), ((5, 5), 4)])
@pytest.mark.parametrize("rate", [0.05, 0.5])
def test_intervals_hold_and_equal_tools_are_rarely_told_apart(
    measure: str, samples: tuple[int, int], cluster: int, rate: float
) -> None:
    world = World(100, rate, samples=samples, cluster=cluster, measure=measure)
    row = trials.two_tools(world, REPEATS, seed=1)
    assert row["difference"] > 95 - ERROR
    assert row["told"] < 5 + ERROR
    assert row["interval"] > 95 - ERROR
    assert row["contradicts"] == 0


def test_what_is_called_detectable_is_detected() -> None:
    row = trials.at_detectable(World(100, 0.3), REPEATS, seed=1)
    assert 72 < row["power"] < 90


def test_all_pairs_of_equal_tools_hold_together() -> None:
    row = trials.many_tools(World(60, 0.4, samples=(1,) * 8), 100, seed=1)
    assert row["any false, holm"] < 5 + 2 * ERROR
    assert row["false rank"] == row["any false, holm"]
    assert row["any false, plain"] > 25  # what Holm is for


def test_a_tool_that_is_worse_by_the_margin_is_seldom_called_not_worse() -> None:
    row = trials.margin(World(100, 0.5, -0.1), REPEATS, seed=1)
    assert row["not worse"] < 2.5 + ERROR


def test_stated_chances_come_true() -> None:
    row = trials.bayes(World(100, 0.5, 0.1), 2000, seed=1)
    for name in [name for name in row if name.endswith("said")]:
        assert row[name] == pytest.approx(row[name.replace("said", "true")], abs=12)


def test_rows_that_are_kept_are_not_computed_again(tmp_path: Path) -> None:
    kept = tmp_path / "rows.jsonl"
    first = list(grid.run("looks", [20], 50, 1, kept))
    text = kept.read_text()
    assert list(grid.run("looks", [20], 50, 1, kept)) == first
    assert kept.read_text() == text
