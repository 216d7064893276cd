"""Runs have labels and can be deleted; added suites can be removed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from made import make_run, make_task
from measured import TASKS, answers
from polyassay.cli import polyassay
from polyassay.errors import PolyAssayError
from polyassay.store import Store
from polyassay.store.housekeeping import delete_run, label_run
from polyassay.store.scores import Scores
from polyassay.suites.make import make_suite
from polyassay.suites.registry import Registry

Call = Callable[..., Result]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store_url: str) -> Call:
    monkeypatch.chdir(tmp_path)

    def called(*arguments: str, answer: str | None = None) -> Result:
        return CliRunner().invoke(polyassay, [*arguments, "--store", store_url], input=answer)

    return called


@pytest.fixture
def runs(store: Store) -> list[str]:
    verdicts = answers("finch", range(10)) + answers("heron", range(30))
    return [make_run(store, TASKS, verdicts).id for _ in range(2)]


def test_a_label_stands_for_an_id(store: Store, runs: list[str], call: Call) -> None:
    assert call("runs", "label", runs[0], "release-1").exit_code == 0
    assert store.run("release-1").id == runs[0]
    by_id, by_label = call("score", runs[0], "--json"), call("score", "release-1", "--json")
    assert by_id.exit_code == 0
    assert by_id.stdout == by_label.stdout
    assert call("runs", "label", "release-1", "--remove").exit_code == 0
    with pytest.raises(PolyAssayError, match='no run "release-1"'):
        store.run("release-1")


@pytest.mark.parametrize("label", ["latest", "a b", "../x", "-x", "x" * 101])
def test_what_cannot_be_a_label(store: Store, runs: list[str], label: str) -> None:
    with pytest.raises(PolyAssayError, match="cannot be a label"):
        label_run(store, store.run(runs[0]), label)


def test_a_label_names_one_run(store: Store, runs: list[str]) -> None:
    label_run(store, store.run(runs[0]), "mine")
    label_run(store, store.run(runs[0]), "mine")  # the same again changes nothing
    with pytest.raises(PolyAssayError, match=f"names the run {runs[0]} already"):
        label_run(store, store.run(runs[1]), "mine")
    with pytest.raises(PolyAssayError, match="already"):
        label_run(store, store.run(runs[0]), runs[1])


def test_runs_are_listed_newest_first(store: Store, runs: list[str], call: Call) -> None:
    label_run(store, store.run(runs[0]), "old")
    listed: list[dict[str, Any]] = json.loads(call("runs", "list", "--json").stdout)
    assert [one["run"] for one in listed] == runs[::-1]
    assert [one["label"] for one in listed] == ["", "old"]
    assert listed[0]["tools"] == ["finch", "heron"]
    assert listed[0]["judged"] == listed[0]["candidates"] == store.count_verdicts(runs[0])
    shown = call("runs", "list").stdout
    assert "old" in shown
    assert runs[1] in shown


def test_deleting_takes_all_of_a_run_and_nothing_else(
    store: Store, runs: list[str], call: Call
) -> None:
    kept = list(store.verdicts(runs[1]))
    assert call("runs", "delete", runs[0], answer="n\n").exit_code != 0
    assert store.count_verdicts(runs[0]) > 0
    assert call("runs", "delete", runs[0], answer="y\n").exit_code == 0
    assert [run.id for run in store.runs()] == [runs[1]]
    assert store.count_verdicts(runs[0]) == 0
    assert list(store.candidates(runs[0])) == []
    assert list(store.verdicts(runs[1])) == kept
    suites = store.suites(store.run(runs[1]))  # both runs had them
    checksums = [suite.checksum for suite in suites.values()]
    assert call("runs", "delete", runs[1], "--yes", "--json").exit_code == 0
    for checksum in checksums:
        with pytest.raises(Exception, match="No row"):
            store.suite(checksum)


def test_a_suite_that_graders_use_stays(store: Store) -> None:
    made = make_run(store, TASKS, answers("finch", range(3)))
    (suite,) = store.suites(made).values()
    scores = Scores(store)
    scores.save_rubric("quality", "text")
    scores.start_session(suite, "ann", "quality", "p" * 64, {}, lambda _: [])
    delete_run(store, made)
    assert store.runs() == []
    assert store.suite(suite.checksum) == suite


def test_an_added_suite_is_removed_and_a_shipped_one_stays(tmp_path: Path, call: Call) -> None:
    registry = Registry(tmp_path / ".polyassay")
    registry.add(make_suite("ours", [make_task("a", suite="ours")]))
    assert "ours" in registry.names()
    result = CliRunner().invoke(polyassay, ["suites", "remove", "ours"])
    assert result.output == "Removed: ours.\n"
    assert "ours" not in registry.names()
    assert list((tmp_path / ".polyassay/suites").iterdir()) == []
    for name, problem in (("ours", "no suite"), ("starter-python", "ships"), ("../x", "no suite")):
        with pytest.raises(PolyAssayError, match=problem):
            registry.remove(name)


def test_an_unknown_run(store: Store, runs: list[str], call: Call) -> None:
    result = call("runs", "delete", "r000x", "--yes")
    assert isinstance(result.exception, PolyAssayError)
    assert len(store.runs()) == 2
