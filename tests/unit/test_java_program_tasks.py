"""Java programs as suites have them: a class with a main method, and what it must print."""

import json
from pathlib import Path

import pytest

from polyassay.candidates import make_program
from polyassay.errors import PolyAssayError
from polyassay.languages import harness_key
from polyassay.model import AnswerForm, Candidate, CandidateKey, Language, Style, Task
from polyassay.suites.native import folder, jsonl

LINE = {
    "id": "sum",
    "language": "java",
    "style": "program",
    "prompts": {"en": "Print the sum."},
    "tests": [{"stdin": "1 2", "stdout": "3"}],
}


def read(tmp_path: Path, **more: object) -> Task:
    path = tmp_path / "sums.jsonl"
    path.write_text(json.dumps({**LINE, **more}) + "\n")
    (suite,) = jsonl.read(path, None)
    (task,) = suite.tasks
    return task


def test_a_program_is_called_main_where_its_task_does_not_say_otherwise(tmp_path: Path) -> None:
    task = read(tmp_path)
    assert (task.language, task.style) == (Language.JAVA, Style.PROGRAM)
    assert task.class_name == "Main"
    assert task.signature == "public static void main(String[] args)"
    assert read(tmp_path, class_name="Sum").class_name == "Sum"


def test_other_python_styles_do_not_go_with_java(tmp_path: Path) -> None:
    with pytest.raises(PolyAssayError, match="does not go with the language java"):
        read(tmp_path, style="function", entry="f")
    with pytest.raises(PolyAssayError, match="does not go with the language python"):
        read(tmp_path, style="junit", language="python")


def test_programs_as_folders(tmp_path: Path) -> None:
    place = tmp_path / "sums" / "sum"
    (place / "cases").mkdir(parents=True)
    (tmp_path / "sums" / "suite.toml").write_text('name = "sums"\nversion = "1"\n')
    (place / "task.toml").write_text(
        'language = "java"\nstyle = "program"\n[prompts]\nen = "Print the sum."\n'
    )
    (place / "Main.java").write_text("public class Main { }")
    (place / "cases" / "small.in").write_text("1 2")
    (place / "cases" / "small.out").write_text("3")
    (suite,) = folder.read(tmp_path / "sums", None)
    (task,) = suite.tasks
    assert [(test.name, test.stdin, test.stdout) for test in task.tests] == [("small", "1 2", "3")]
    assert task.reference == "public class Main { }"


def test_answers_become_the_class_that_is_run(tmp_path: Path) -> None:
    task = read(tmp_path)
    key = CandidateKey("sums", "sum", "tool", "en", 0)
    answer = "class Sum { public static void main(String[] args) { } }"
    assert "class Main {" in make_program(task, Candidate(key, answer)).source
    empty = make_program(task, Candidate(key, "", AnswerForm.EMPTY)).source
    assert "public static void main(String[] args)" in empty


def test_programs_are_left_to_the_usual_engine(tmp_path: Path) -> None:
    assert harness_key(read(tmp_path), "gradle") == ("java", "worker")
