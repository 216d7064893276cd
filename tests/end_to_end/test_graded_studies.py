"""Suites without tests: from study.toml to a grading session."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from end_to_end.grading import grade
from end_to_end.grading_pages import answered_folder
from polyassay.cli import polyassay
from polyassay.errors import PolyAssayError
from polyassay.store import Store
from polyassay.store.scores import Scores

STUDY = """
suites = ["manual"]

[[tool]]
name = "writer"
via = "command"
command = ["cat", "said.txt"]

[[tool]]
name = "finch"
via = "files"
path = "finch.jsonl"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    answered_folder(tmp_path, 4)
    rows = Path("answers.jsonl").read_text().splitlines(keepends=True)
    Path("finch.jsonl").write_text("".join(row for row in rows if '"finch"' in row))
    Path("study.toml").write_text(STUDY)
    Path("said.txt").write_text("```python\ndef add(x):\n    return x + 7  # by writer\n```\n")
    return tmp_path


def study(*arguments: str) -> Result:
    result = CliRunner().invoke(polyassay, ["study", *arguments])
    if result.exception and not isinstance(result.exception, SystemExit | PolyAssayError):
        raise result.exception
    return result


def test_tasks_that_only_people_grade_are_asked_and_then_graded(folder: Path) -> None:
    early = grade("start", "--study", "study.toml", "--grader", "ann").exception
    assert isinstance(early, PolyAssayError) and "study run study.toml" in early.hint
    assert "4" in study("preview", "study.toml").stdout
    ran = study("run", "study.toml")
    assert "polyassay grade start --study study.toml --grader NAME" in ran.stdout
    told = json.loads(study("run", "study.toml", "--json").stdout)
    assert told["run"] is None and set(told["answers"]) == {"writer", "finch"}
    start = ("start", "--study", "study.toml", "--grader", "ann", "--repeat", "0", "--plain")
    result = grade(*start, keys="4\n3\n5\nq\n")
    assert "item 1 of 8" in result.stdout and "1 of 8 items done" in result.stderr
    assert "writer" not in result.stdout and "finch" not in result.stdout
    store = Scores(Store.at(folder / ".polyassay"))
    (session,) = store.sessions()
    assert {item.key.tool for item in store.items(session.id)} == {"writer", "finch"}


def test_a_study_with_tests_and_people_does_both(folder: Path) -> None:
    """The starter suite is judged, the manual one is left to people."""
    text = STUDY.replace('["manual"]', '["manual", "starter-python"]\nlimit = 1')
    Path("study.toml").write_text(text.partition('\n[[tool]]\nname = "finch"')[0])
    ran = study("run", "study.toml")
    assert ran.exit_code == 0, ran.output
    assert "People grade the rest" in ran.stdout
    result = grade("start", "--study", "study.toml", "--grader", "ann", "--plain", keys="q\n")
    assert "item 1 of 1" in result.stdout


def test_a_study_is_named_instead_of_a_run_or_answers(folder: Path) -> None:
    both = grade("start", "--study", "study.toml", "-c", "answers.jsonl", "--grader", "ann")
    assert "either a RUN" in both.stderr
