"""What was left out, and what a scale's zero is, stays told through every figure."""

import json
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from end_to_end.grading import grade, grading_folder
from end_to_end.test_grade_commands import refused, row, told, write
from polyassay.cli import polyassay
from polyassay.rubric import rubrics

FROM_ZERO = """
name = "from_zero"
[title]
en = "Zero is a score"
[[dimensions]]
id = "quality"
name = { en = "quality" }
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return grading_folder(tmp_path, monkeypatch)


def test_rows_left_out_are_named_until_they_are_mended(folder: Path) -> None:
    rows = [row(task, "quality", score) for task, score in enumerate((3, 3, 2, 0))]
    assert told("import", write("scores.csv", rows), "--partial")["imported"] == 3
    found = told("summary")
    assert found["tools"]["finch"]["quality"]["n"] == 3
    (left,) = found["left_out"]["rows"]
    assert (left["source"], left["row"]) == ("scores.csv", 4) and "found" in left["problem"]
    reach = found["left_out"]["tools"]["finch"]["quality"]
    assert reach == {"rows": 1, "low": 2.0, "high": 2.75, "as_written": 2.0}
    assert "could move its mean 2.6667 to anywhere from 2.0000 to 2.7500" in grade("summary").stdout
    agreed = grade("agreement").stdout
    assert "Left out at import: 1 score (scores.csv row 4)" in agreed and "finch" not in agreed
    assert told("agreement")["left_out"]["rows"] == [left]
    rows[3] = row(3, "quality", 1)
    told("import", write("scores.csv", rows))
    assert told("summary")["left_out"] == {"rows": [], "tools": {"finch": {}}}
    assert "Left out" not in grade("summary").stdout + grade("agreement").stdout


def test_a_scale_that_has_zero_is_imported_as_such(folder: Path) -> None:
    file = write("scores.csv", [row(task, "quality", score) for task, score in enumerate((3, 0))])
    assert "name its rubric with --rubric" in refused("import", file).hint
    points = "".join(
        f'[[dimensions.points]]\nscore = {n}\nlabel = {{ en = "{n}" }}\n' for n in range(4)
    )
    Path("zero.toml").write_text(FROM_ZERO + points, encoding="utf-8")
    assert rubrics.load("zero.toml").scales == {"quality": (0, 3)}
    assert told("import", file, "--rubric", "zero.toml")["imported"] == 2
    as_lines = Path("more.jsonl")
    names = ("suite", "task", "tool", "prompt_language", "sample", "grader", "dimension", "score")
    lines = [dict(zip(names, row(task, "quality", 0), strict=False)) for task in (2, 3)]
    as_lines.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert told("import", "more.jsonl", "--rubric", "zero.toml")["imported"] == 2
    found = told("summary", "--rubric", "from_zero")
    assert (found["tools"]["finch"]["quality"]["mean"]) == 0.75
    assert found["counts"]["finch"]["quality"] == {"0": 3, "1": 0, "2": 0, "3": 1}
    exported = grade("export", "--rubric", "from_zero").stdout
    assert exported.count(",quality,0,") == 3


def test_grade_compare_answers_and_power_plans(folder: Path) -> None:
    rows = [
        row(task, "quality", 1 + (task + more) % 2 + more, tool, grader)
        for task in range(30)
        for tool, more in (("finch", 0), ("heron", 1))
        for grader in ("ann", "bob")
    ]
    told("import", write("scores.csv", [*rows, row(1, "quality", 7, "heron", "cid")]), "--partial")
    found = told("compare", "finch", "heron", "--model")
    of = found["metrics"]["quality"]
    assert of["answer"] == "better" and of["difference"] == 1.0 and of["tasks"] == 30
    assert of["low"] < 1 < of["high"] and of["detectable"] < 1
    assert of["graders"] == {"ann": 30, "bob": 30} and found["left_out"]["rows"][0]["row"] == 121
    assert found["models"]["quality"] is None or found["models"]["quality"]["log_odds"] > 0
    text = grade("compare", "finch", "heron", "--model").stdout
    assert "heron is better in quality: it gets 1.0 points more for quality than finch" in text
    assert "1 score of heron, quality: could move its mean" in text and "Ordinal mixed" in text
    assert 'scored answers of "hern"' in refused("compare", "finch", "hern").problem

    plan = [*("power", "-s", "manual", "--difference", "0.3"), *("--graders", "1,2")]
    call = partial(CliRunner().invoke, polyassay)
    found = json.loads(call([*plan, "--dimension", "quality", "--json"]).stdout)
    assert found["from"].startswith("From the store's scores: 30 tasks, 30 of them")
    assert "items to grade" in call(plan).stdout
    for bad in (["--dimension", "style"], ["--from", "latest"], ["--difference", "9"]):
        assert call([*plan, *bad]).exit_code != 0
    assert call([*plan[:-2], "--rubric", "aixbench"]).exit_code == 2
