"""tools/same-verdicts: two stores are the same only where every verdict is."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from made import make_run, make_task, make_verdict, set_verdict
from polyassay.model import Judging, Outcome, TestResult, TestStatus, Verdict
from polyassay.store import Store
from scripts import script

TASKS = [make_task(name) for name in ("a", "b", "c")]
GOOD = make_verdict("a", 2)
BAD = make_verdict("b", 1)
UNBUILT = make_verdict("c", 0, outcome=Outcome.UNBUILT)
VERDICTS = (GOOD, BAD, UNBUILT)


def stored(place: Path, *runs: tuple[Verdict, ...]) -> Path:
    place.mkdir()
    store = Store.at(place)
    for verdicts in runs:
        make_run(store, TASKS, verdicts)
    store.close()
    return place


def compared(
    left: Path,
    right: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *flags: str,
) -> tuple[int, dict[str, Any]]:
    monkeypatch.setattr("sys.argv", ["same-verdicts", str(left), str(right), "--json", *flags])
    code = script("same-verdicts").main()
    return code, json.loads(capsys.readouterr().out)


def test_equal_stores_are_the_same_whatever_took_how_long(tmp_path, capsys, monkeypatch):
    left = stored(tmp_path / "left", VERDICTS)
    right = stored(tmp_path / "right", tuple(replace(v, seconds=9.0) for v in VERDICTS))
    code, found = compared(left, right, capsys, monkeypatch)
    assert code == 0
    assert found["equal"] == 3
    assert found["outcomes"] == {"passed": 1, "failed": 1, "unbuilt": 1}


@pytest.mark.parametrize(
    ("changed", "part"),
    [
        (replace(BAD, outcome=Outcome.CRASHED), "outcome"),
        (replace(BAD, passed=0), "passed"),
        (replace(BAD, total=3), "total"),
        (replace(BAD, judged=Judging.TOGETHER), "judged"),
        (replace(BAD, tests=BAD.tests[::-1]), "tests"),
        (replace(BAD, tests=(*BAD.tests, TestResult("extra", TestStatus.PASSED))), "tests"),
        (set_verdict("b", {"original": (1, 2)}), "sets"),
    ],
)
def test_every_part_of_a_verdict_counts(changed, part, tmp_path, capsys, monkeypatch):
    left = stored(tmp_path / "left", VERDICTS)
    right = stored(tmp_path / "right", (GOOD, changed, UNBUILT))
    code, found = compared(left, right, capsys, monkeypatch)
    assert code == 1
    assert [d["task"] for d in found["different"]] == ["b"]
    assert part in found["different"][0]["a"]


def test_only_what_does_not_build_may_be_judged_otherwise(tmp_path, capsys, monkeypatch):
    left = stored(tmp_path / "left", VERDICTS)
    other = replace(UNBUILT, judged=Judging.TOGETHER)
    right = stored(tmp_path / "right", (GOOD, BAD, other))
    code, found = compared(left, right, capsys, monkeypatch)
    assert (code, found["judged_differently"]) == (0, 1)


def test_runs_of_two_ways_of_judging_are_compared_but_for_these(tmp_path, capsys, monkeypatch):
    left = stored(tmp_path / "left", VERDICTS)
    together = [replace(verdict, judged=Judging.TOGETHER) for verdict in VERDICTS]
    right = stored(tmp_path / "right", tuple(together))
    code, found = compared(left, right, capsys, monkeypatch, "--modes")
    assert (code, found["equal"], found["judged_differently"]) == (0, 3, 3)
    other = stored(tmp_path / "other", (GOOD, replace(together[1], passed=0), UNBUILT))
    code, found = compared(left, other, capsys, monkeypatch, "--modes")
    assert code == 1 and list(found["different"][0]["a"]) == ["passed", "judged"]


def test_a_verdict_that_one_side_lacks_is_a_difference(tmp_path, capsys, monkeypatch):
    left = stored(tmp_path / "left", VERDICTS)
    right = stored(tmp_path / "right", (GOOD, BAD))
    code, found = compared(left, right, capsys, monkeypatch)
    assert code == 1
    assert [(m["task"], m["only_in"]) for m in found["missing"]] == [("c", "A")]


def test_runs_of_the_same_candidates_are_compared_in_turn(tmp_path, capsys, monkeypatch):
    spoilt = (GOOD, replace(BAD, passed=2), UNBUILT)
    left = stored(tmp_path / "left", VERDICTS, spoilt)
    right = stored(tmp_path / "right", VERDICTS, VERDICTS)
    code, found = compared(left, right, capsys, monkeypatch)
    assert (code, found["equal"]) == (1, 5)
    assert found["different"][0]["earlier_runs"] == 1


def test_folders_of_working_folders_are_paired_by_name(tmp_path, capsys, monkeypatch):
    for side in ("left", "right"):
        (tmp_path / side).mkdir()
        stored(tmp_path / side / "one", VERDICTS)
        stored(tmp_path / side / "two", (GOOD,))
    code, found = compared(tmp_path / "left", tmp_path / "right", capsys, monkeypatch)
    assert (code, found["equal"]) == (0, 4)


def test_differences_are_printed_by_name(tmp_path, capsys, monkeypatch):
    left = stored(tmp_path / "left", VERDICTS)
    tests = (BAD.tests[0], TestResult("test_1", TestStatus.ERROR))
    right = stored(tmp_path / "right", (GOOD, replace(BAD, tests=tests), UNBUILT))
    monkeypatch.setattr("sys.argv", ["same-verdicts", str(left), str(right)])
    assert script("same-verdicts").main() == 1
    assert "s b heron en 0: test_1 failed → error" in capsys.readouterr().out


@pytest.mark.parametrize("content", [None, "no database"])
def test_what_is_no_store_is_said(content, tmp_path, capsys, monkeypatch):
    left = stored(tmp_path / "left", VERDICTS)
    other = tmp_path / "other"
    if content is not None:
        other.write_text(content)
    monkeypatch.setattr("sys.argv", ["same-verdicts", str(left), str(other)])
    with pytest.raises(SystemExit) as stopped:
        script("same-verdicts").main()
    assert stopped.value.code == 2
    assert "Hint" in capsys.readouterr().err
