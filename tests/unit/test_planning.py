"""`power`, and what it computes with."""

import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from statsmodels.stats.power import TTestPower

from made import make_run, make_task, make_verdict, scores_of
from measured import call
from polyassay.errors import PolyAssayError
from polyassay.measures.comparing.planning import Spread, assumed, spread_of
from polyassay.statistics.power import chance_to_show, detectable_with, tasks_needed
from polyassay.store import Store


def test_power_is_about_that_of_a_paired_t_test() -> None:
    other = TTestPower()
    for difference, deviation, tasks in ((0.1, 0.5, 200), (0.05, 0.3, 300), (0.03, 0.4, 1500)):
        square = deviation**2 + difference**2
        mine = float(chance_to_show(difference, square, 0.0, tasks, tasks - 1))
        assert mine == pytest.approx(other.power(difference / deviation, tasks, 0.05), abs=0.015)
        needed = tasks_needed(difference, square, 0.0)
        effect = difference / deviation
        assert needed == pytest.approx(other.solve_power(effect, None, 0.05, 0.8), rel=0.03)


def test_the_smallest_difference_and_the_number_of_tasks_agree() -> None:
    tasks = tasks_needed(0.05, 0.3, 1.0)
    assert tasks is not None
    assert detectable_with(0.3, 1.0, tasks) == pytest.approx(0.05, abs=0.0005)
    assert detectable_with(0.3, 1.0, 3) is None
    assert tasks_needed(1e-6, 0.3, 1.0) is None


def test_samples_take_luck_out_but_not_strength() -> None:
    spread = Spread(between=0.1, within=0.2)
    tasks = [spread.tasks(0.05, samples, 0.8) or 0 for samples in (1, 5, 100)]
    assert tasks[0] > 1.9 * tasks[1] > 1.9 * tasks[2]
    none = Spread(between=0.1, within=0.0)
    assert none.tasks(0.05, 2, 0.8) == none.tasks(0.05, 100, 0.8)


def test_the_split_is_found_again() -> None:
    """Known chances: how tasks differ and what luck adds are both estimated without bias."""
    rng = np.random.default_rng(1)
    chances = rng.random((2, 400))
    tasks = [make_task(str(i)) for i in range(400)]
    verdicts = [
        make_verdict(str(i), 2 * int(rng.random() < chances[t, i]), tool=tool, sample=n)
        for t, tool in enumerate(("finch", "heron"))
        for i in range(400)
        for n in range(4)
    ]
    found = spread_of(scores_of(verdicts, tasks))
    assert found.between == pytest.approx(np.mean((chances[1] - chances[0]) ** 2), abs=0.02)
    assert found.within == pytest.approx(np.mean((chances * (1 - chances)).sum(0)), abs=0.02)
    assert "half" not in found.told


def test_clusters_ask_for_more_tasks() -> None:
    alone, books = assumed([1] * 80), assumed([8] * 10)
    assert alone.together == 1.0
    assert (books.tasks(0.1, 1, 0.8) or 0) > 2.5 * (alone.tasks(0.1, 1, 0.8) or 0)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_power_keeps_its_contract(folder: Path) -> None:
    args = ("power", "--suite", "starter-python", "--difference", "5")
    value = json.loads(call(folder, *args, "--json").stdout)
    assert [(row["samples"], row["power"]) for row in value["rows"]] == [
        (samples, power) for samples in (1, 5, 10) for power in (0.8, 0.9)
    ]
    tasks = [row["tasks"] for row in value["rows"]]
    assert tasks[0] > tasks[2] > tasks[4] > 100
    assert tasks[1] > tasks[0]
    shown = call(folder, *args, "--samples", "5", "--picture", "plan.svg").stdout
    assert "● 5 samples" in shown and "Assumed: with one sample a task" in shown
    ElementTree.parse(folder / "plan.svg")


def test_power_takes_the_spread_from_a_run(folder: Path, store: Store) -> None:
    tasks = [make_task(str(i)) for i in range(40)]
    verdicts = [
        make_verdict(str(i), 2 * (i % 8 == t), tool=tool)
        for t, tool in enumerate(("finch", "heron"))
        for i in range(40)
    ]
    run = make_run(store, tasks, verdicts).id
    args = ("power", "--suite", "starter-python", "--difference", "5", "--from", run, "--json")
    value = json.loads(call(folder, *args).stdout)
    # Ten tasks of 40 differ, and one is added on which either side is ahead.
    assert value["spread"]["between"] == pytest.approx(12 / 42 / 2)
    assert "cannot tell luck from strength" in value["from"]


def test_power_needs_two_tools(folder: Path, store: Store) -> None:
    run = make_run(store, [make_task("0")], [make_verdict("0", 2)]).id
    with pytest.raises(PolyAssayError, match="has 1 of the two tools"):
        call(folder, "power", "--suite", "starter-python", "--difference", "5", "--from", run)
