"""`grade preferences`: as a whole, by dimension, and for more than two tools."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from polyassay.cli import polyassay
from polyassay.errors import PolyAssayError
from polyassay.model import CandidateKey
from polyassay.rubric import rubrics
from polyassay.store import Store
from polyassay.store.preferences import Choice, PreferenceEvent, PreferenceKind, Preferences
from polyassay.store.scores import Scores

Call = Callable[..., Result]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Call:
    monkeypatch.chdir(tmp_path)
    store = Store.at(tmp_path / ".polyassay")
    Scores(store).save_rubric("aixbench", rubrics.load("aixbench").text)

    def called(*arguments: str) -> Result:
        return CliRunner().invoke(polyassay, ["grade", "preferences", *arguments])

    return called


def prefer(better: str, worse: str, tasks: int, dimension: str = "") -> None:
    log = Preferences(Store.at(Path(".polyassay")))
    for task in range(tasks):
        left, right = (CandidateKey("s", f"t{task}", tool, "en", 0) for tool in (worse, better))
        won = Choice.B_BETTER
        if task % 2:
            left, right, won = right, left, Choice.A_BETTER
        place = (PreferenceKind.CHOICE, "ann", "aixbench", left, right, 0, dimension)
        log.append(PreferenceEvent(*place, won, seconds=20.0))


def test_nobody_has_compared_anything(call: Call) -> None:
    assert isinstance(call().exception, PolyAssayError)


def test_dimensions_alone_are_told_without_being_asked_for(call: Call) -> None:
    prefer("heron", "finch", 12, "quality")
    assert list(json.loads(call("--json").stdout)) == ["quality"]
    text = call().stdout
    assert "\nquality\n" in text
    assert "People prefer heron to finch in quality." in text


def test_more_than_two_tools_have_a_table_of_pairs(call: Call) -> None:
    for pair in (("heron", "finch"), ("kite", "finch"), ("kite", "heron")):
        prefer(*pair, 12)
    found = json.loads(call("--json", "--by-dimension").stdout)["overall"]
    assert set(found["tools"]) == {"finch", "heron", "kite"}
    assert len(found["pairs"]) == 3
    text = call("--by-dimension").stdout
    assert text.count("kite") >= 3
    assert "quality" not in text  # nobody chose by it
