"""Folders that aider's benchmark has left, as answers."""

import json
from pathlib import Path

import pytest

from polyassay.candidates import Answers, read_answers
from polyassay.candidates.sources import read_sources
from polyassay.errors import PolyAssayError
from polyassay.model import AnswerForm, Language, Style, Suite, Task

TILL, COIN = "src/main/java/Till.java", "src/main/java/Coin.java"
JAVA = Task(
    *("till", "p-java", Language.JAVA, Style.JUNIT, {"en": "…"}),
    class_name="Till",
    solution={TILL: "stub", COIN: "stub"},
    support={"Money.java": "given"},
)
PYTHON = Task(
    *("till", "p-python", Language.PYTHON, Style.PYTEST, {"en": "…"}), solution={"till.py": "stub"}
)
SUITES = {task.suite: Suite(task.suite, "1", "", (task,)) for task in (JAVA, PYTHON)}


def lay_out(folder: Path, language: str, files: dict[str, str], *outcomes: bool) -> None:
    place = folder / language / "exercises" / "practice" / "till"
    for name, text in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    if outcomes:
        (place / ".aider.results.json").write_text(json.dumps({"tests_outcomes": outcomes}))


def read(folder: Path) -> Answers:
    return read_answers(folder, "aider", SUITES)


def test_each_language_has_its_own_answers(tmp_path: Path) -> None:
    given = {"src/test/java/TillTest.java": "tests", "src/main/java/Money.java": "changed"}
    built = {"build/generated/Till.java": "built", ".meta/src/reference/java/Till.java": "right"}
    files = {TILL: "edited", COIN: "stub", "src/main/java/Helper.java": "new"}
    lay_out(tmp_path, "java", {**files, **given, **built, "src/main/java/a/Odd.java": "x"}, True)
    lay_out(tmp_path, "python", {"till.py": "done", "till_test.py": "tests"}, False)
    answers = read(tmp_path)
    java, python = answers.candidates
    assert answers.format == "aider"
    assert (java.key.suite, java.key.tool, java.files) == ("p-java", "aider", files)
    assert (python.key.suite, python.answer, python.form) == (
        "p-python",
        "done",
        AnswerForm.PROGRAM,
    )
    assert [Path(path).name for path in answers.stray] == ["Odd.java"]


def test_a_run_with_second_tries_is_a_tool_of_its_own(tmp_path: Path) -> None:
    lay_out(tmp_path, "java", {TILL: "edited"}, True)
    lay_out(tmp_path, "python", {"till.py": "done"}, False, True)
    answers = read(tmp_path)
    assert {candidate.key.tool for candidate in answers.candidates} == {"aider[tries:2]"}
    assert [(c.origin or {})["attempt"] for c in answers.candidates] == [1, 2]
    named = read_sources([f"o1={tmp_path}"], SUITES, None, False, None)
    assert {candidate.key.tool for candidate in named.candidates} == {"o1[tries:2]"}


def test_an_exercise_that_aider_has_not_come_to_is_no_answer(tmp_path: Path) -> None:
    lay_out(tmp_path, "java", {TILL: "stub", COIN: "stub"})
    lay_out(tmp_path, "python", {"till.py": "edited"})
    assert [candidate.key.suite for candidate in read(tmp_path).candidates] == ["p-python"]


def test_a_stub_that_aider_left_as_it_was_is_an_answer(tmp_path: Path) -> None:
    lay_out(tmp_path, "python", {"till.py": "stub"}, False, False)
    (candidate,) = read(tmp_path).candidates
    assert candidate.answer == "stub"


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    lay_out(tmp_path, "python", {"till.py": "edited"})
    (tmp_path / "python/exercises/practice/till/till.py").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(PolyAssayError, match="is not UTF-8"):
        read(tmp_path)


@pytest.mark.parametrize("results", ["{", "[]", "{}", '{"tests_outcomes": 3}'])
def test_odd_results_say_nothing(tmp_path: Path, results: str) -> None:
    lay_out(tmp_path, "python", {"till.py": "edited"})
    (tmp_path / "python/exercises/practice/till/.aider.results.json").write_text(results)
    (candidate,) = read(tmp_path).candidates
    assert candidate.key.tool == "aider"
