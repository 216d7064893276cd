"""`grade preferences`, `grade graders` and papers, from what the store has."""

from pathlib import Path

import pytest

from end_to_end.grading import grade, grading_folder
from end_to_end.test_grade_commands import refused, row, told, write
from polyassay.model import CandidateKey
from polyassay.store import Store
from polyassay.store.graders import Grader, GraderKind, Graders
from polyassay.store.preferences import Choice, PreferenceEvent, PreferenceKind, Preferences


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return grading_folder(tmp_path, monkeypatch)


def key(task: int, tool: str) -> CandidateKey:
    return CandidateKey("manual", f"t{task}", tool, "en", 0)


def prefer(folder: Path, grader: str, tasks: int, dimension: str = "") -> None:
    """Heron, on whichever side it is, and a tie on every tenth task."""
    log = Preferences(Store.at(folder / ".polyassay"))
    for task in range(tasks):
        left, right = key(task, "finch"), key(task, "heron")
        won = Choice.TIE if task % 10 == 0 else Choice.B_BETTER
        if task % 2:
            left, right, won = right, left, Choice.A_MUCH_BETTER
        place = (PreferenceKind.CHOICE, grader, "aixbench", left, right, 0, dimension)
        log.append(PreferenceEvent(*place, won, seconds=20.0))


def test_preferences_are_told_and_models_are_not_among_them(folder: Path) -> None:
    grade("import", write("scores.csv", [row(1, "quality", 1)]))  # keeps the rubric
    assert "Nobody has compared two answers" in refused("preferences").problem
    prefer(folder, "ann", 30)
    prefer(folder, "ann", 12, "quality")
    Graders(Store.at(folder / ".polyassay")).save_grader(Grader("judge", GraderKind.MODEL))
    prefer(folder, "judge", 20)
    found = told("preferences")
    assert list(found) == ["overall"]
    heron = found["overall"]["tools"]["heron"]
    assert (heron["wins"], heron["ties"], heron["much"]) == (27, 3, 15)
    assert heron["graders"] == {"ann": 30} and heron["low"] > 0
    assert found["overall"]["pairs"][0]["answer"] == "better"
    assert found["overall"]["sentence"] == "People prefer heron to finch."
    assert set(told("preferences", "--by-dimension")) == {"overall", "quality"}
    text = grade("preferences", "--by-dimension").stdout
    assert "People prefer heron to finch in quality." in text and "27 (15 much)" in text
    assert "Nobody has compared" in refused("preferences", "-s", "other").problem


def test_a_comparison_sends_nobody_to_itself_and_says_why_intervals_are_wide(folder: Path) -> None:
    rows = [
        row(task, dimension, 1 + (task + (tool == "heron")) % 3, tool)
        for task in range(12)
        for tool in ("finch", "heron")
        for dimension in ("quality", "maintainability")
        if (task, tool) != (0, "heron")
    ]
    grade("import", write("scores.csv", rows))
    text = grade("compare", "finch", "heron").stdout
    assert "heron − finch" in text and "tested together (Holm)" in text
    assert "pairs by task" not in text
    assert "`grade compare` pairs by task" in grade("summary").stdout


def test_graders_are_told_without_tools(folder: Path) -> None:
    strict = [
        row(task, "maintainability", 5 - (task % 3) - (2 if grader == "cid" else 0), tool, grader)
        for task in range(20)
        for tool in ("finch", "heron")
        for grader in ("ann", "bob", "cid")
    ]
    grade("import", write("scores.csv", strict))
    text = grade("graders").stdout
    assert "Talk to cid: scores maintainability 2.0 points lower than the others" in text
    assert "finch" not in text and "heron" not in text and "Talk to ann" not in text
    found = told("graders")
    assert found["graders"]["cid"]["severity"]["maintainability"]["value"] == -2.0
    assert found["graders"]["ann"]["talk"] == [] and found["models"] == {}
    Graders(Store.at(folder / ".polyassay")).save_grader(
        Grader("judge", GraderKind.MODEL, {"model": "m-1"})
    )
    judged = [row(task, "maintainability", 3, "finch", "judge") for task in range(20)]
    grade("import", write("judge.csv", judged))
    found = told("graders")
    assert found["models"]["judge"]["scores"]["maintainability"]["kappa"]["n"] == 20
    assert "judge" not in found["graders"]
    assert "judge (m-1) is a model, held against people" in grade("graders").stdout
    assert told("summary")["tools"]["finch"]["maintainability"]["graders"] == {
        "ann": 20,
        "bob": 20,
        "cid": 20,
    }
    agreed = told("agreement")["intervals"]["maintainability"]
    assert set(agreed["pairs"]) == {"ann,bob", "ann,cid", "bob,cid"}
    assert agreed["alpha"]["low"] < agreed["alpha"]["value"] < agreed["alpha"]["high"]


def test_papers_and_files_without_names(folder: Path) -> None:
    rows = [
        row(task, "quality", 1 + (task + len(grader)) % 3, tool, grader)
        for task in range(12)
        for tool in ("finch", "heron")
        for grader in ("annabel", "bob")
    ]
    grade("import", write("scores.csv", rows))
    hidden = grade("export", "--anonymous").stdout
    assert "annabel" not in hidden and "bob" not in hidden and "grader 2" in hidden
    assert {score["grader"] for score in told("export", "--anonymous")} == {"grader 1", "grader 2"}
    grade("export", "--latex", "-o", "tables.tex")
    text = Path("tables.tex").read_text()
    assert r"Quality & " in text and "2 people graded 24 answers" in text and "annabel" not in text
    assert grade("export", "--methods").stdout.startswith("2 people graded 24 answers")
    assert "cannot be written" in refused("export", "-o", "no/such/file.csv").problem
