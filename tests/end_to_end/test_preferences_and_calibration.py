"""`grade start --prefer` and `grade calibrate`, line by line, as scripts do it."""

import json
from pathlib import Path

import pytest

from end_to_end.grading import grade, grading_folder
from polyassay.errors import PolyAssayError
from polyassay.rubric.preference.choices import preferences
from polyassay.store import Store
from polyassay.store.preferences import Choice, Preferences
from polyassay.store.scores import CALIBRATION, Scores

START = ("start", "-c", "a.jsonl", "--suite", "manual", "--grader", "ann", "--repeat", "0")
KNOWN = {
    "suite": "manual",
    "task": "t9",
    "answer": "return 9  # by finch",
    "scores": {"correctness": 4, "quality": 2, "maintainability": 5},
    "reason": "It does it all.",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    grading_folder(tmp_path, monkeypatch)
    rows = [
        {"task": f"t{n}", "tool": tool, "answer": f"def f():\n    return {how}  # by {tool}\n"}
        for n in (1, 2, 3)
        for tool, how in (("finch", n), ("heron", f"0 + {n}"))  # names may get the same mask
    ]
    Path("a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def keys(*pressed: str) -> str:
    return "".join(f"{key}\n" for key in pressed)


def test_preferences_are_kept_go_on_and_are_in_the_status(folder: Path) -> None:
    first = grade(*START, "--prefer", keys=keys("2", "d", "q"))
    assert "item 1 of 3" in first.stdout and "answer B" in first.stdout
    assert "-     return" in first.stdout and "as a whole: 1 A much better" in first.stdout
    assert "finch" not in first.stdout and "heron" not in first.stdout
    second = grade(*START, "--prefer", "--language", "zh", keys=keys("0", "f", "3"))
    assert "第 2 项，共 3 项" in second.stdout and "A 好得多" in second.stdout
    assert second.stderr == "全部完成。接下来：  polyassay grade preferences\n"
    found = preferences(Preferences(Store.at(folder / ".polyassay")).events())
    chosen = [choice.choice for choice in found]
    assert sorted(chosen) == sorted([Choice.A_BETTER, Choice.BOTH_BAD, Choice.TIE])
    (status,) = json.loads(grade("status", "--json").stdout)
    assert (status["items"], status["done"], status["flagged"]) == (3, 3, 1)


def test_scores_and_preferences_are_sessions_of_their_own(folder: Path) -> None:
    grade(*START, "--prefer", "--by-dimension", keys=keys("1", "1", "1", "2", "q"))
    result = grade(*START, keys=keys("4", "q"))
    assert "item 1 of 6" in result.stdout
    rows = json.loads(grade("status", "--json").stdout)
    assert [(row["what"], row["items"]) for row in rows] == [
        ("which is better", 3),
        ("one by one", 6),
    ]
    assert "go with --prefer" in grade(*START, "--pairs", "1").stderr


def test_calibration_comes_first_and_enters_no_mean(folder: Path) -> None:
    Path("known.jsonl").write_text(json.dumps(KNOWN) + "\n\n" + json.dumps(KNOWN) + "\n")
    assert json.loads(grade("calibrate", "known.jsonl", "--json").stdout) == {"kept": 2}
    assert "2 calibration items kept" in grade("calibrate", "known.jsonl").stdout
    pressed = [*("3", "2", "1", "n"), *("3", "2", "1", "n"), "4", "q"]
    result = grade(*START, keys=keys(*pressed))
    assert "item 1 of 10 · calibration" in result.stdout and "return 9" in result.stdout
    assert "Known scores: correctness 4, quality 2, maintainability 5" in result.stdout
    assert "It does it all." in result.stdout and "finch" not in result.stdout
    assert "item 3 of 10 ·" in result.stdout
    summary = json.loads(grade("summary", "--json").stdout)
    assert CALIBRATION not in summary["tools"]
    events = Scores(Store.at(folder / ".polyassay")).events()
    assert [event.key.tool == CALIBRATION for event in events] == [True] * 6 + [False]
    assert all(event.seconds is not None for event in events)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"task": "t999"}, 'line 1: there is no task "t999"'),
        ({"suite": "other"}, 'in a suite "other"'),
        ({"scores": {"correctness": 4}}, "scores are needed for correctness, quality"),
        ({"scores": {"correctness": 9, "quality": 2, "maintainability": 5}}, "must be 1 to 4"),
        ({"scores": {"correctness": True, "quality": 2, "maintainability": 5}}, "found True"),
        ({"answer": 5}, "must be texts"),
        ({"prompt_language": "ru"}, 'no prompt in "ru"'),
        ({"sample": 1}, '"sample" is not known'),
    ],
)
def test_bad_calibration_is_named(folder: Path, change: dict[str, object], problem: str) -> None:
    Path("known.jsonl").write_text(json.dumps(KNOWN | change) + "\n")
    error = grade("calibrate", "known.jsonl").exception
    assert isinstance(error, PolyAssayError) and problem in error.problem


@pytest.mark.parametrize("text", [b"", b"{", b"[1]", b"\xff"])
def test_what_is_no_calibration_file_is_refused(folder: Path, text: bytes) -> None:
    Path("known.jsonl").write_bytes(text)
    assert isinstance(grade("calibrate", "known.jsonl").exception, PolyAssayError)
    assert isinstance(grade("calibrate", "none.jsonl").exception, PolyAssayError)
