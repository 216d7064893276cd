"""Answers to tasks that name their solution files, as chats, folders and lines give them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from polyassay.candidates import make_program, read_answers, reference_candidates
from polyassay.candidates.solution.paths import counts
from polyassay.model import (
    AnswerForm,
    Candidate,
    CandidateKey,
    Language,
    Program,
    Style,
    Suite,
    Task,
)
from polyassay.prompts import PromptSettings, render
from polyassay.suites.native.fields import Fields
from polyassay.suites.native.task_json import task_from, task_to

KEY = CandidateKey("s", "t", "tool", "en", 0)
HANGMAN, OUTPUT = "src/main/java/Hangman.java", "src/main/java/Output.java"
FRAME, THROW = "src/main/java/Frame.java", "src/main/java/Throw.java"
GAME_STUB = "class Hangman {\n    int play() {\n        return 0;\n    }\n}\n"
JAVA = Task(
    *("t", "s", Language.JAVA, Style.JUNIT, {"en": "…"}),
    class_name="Hangman",
    solution={HANGMAN: GAME_STUB, OUTPUT: "class Output {}\n"},
    support={"Part.java": "", "LocaleExtension.java": ""},
    reference="both",
    reference_files={
        HANGMAN: "class Hangman { int play() { return 7; } }",
        OUTPUT: "class Output {}",
    },
)
PYTHON = Task(
    *("p", "s", Language.PYTHON, Style.PYTEST, {"en": "…"}),
    solution={"dice.py": "def roll():\n    pass\n"},
    libraries=("numpy",),
)


def chat(task: Task, text: str) -> Program:
    return make_program(task, Candidate(KEY, text))


def fence(code: str, before: str = "", info: str = "java") -> str:
    return f"{before}\n```{info}\n{code}\n```\n\n"


def files_of(task: Task, program: Program) -> dict[str, str]:
    """Without white space at the ends; stubs that were left alone are left out."""
    found = {task.main_file: program.source, **program.files}
    return {path: text.strip() for path, text in found.items() if text != task.solution.get(path)}


GAME = "import java.util.List;\n\npublic class Hangman { Frame frame; }"
FRAMES = "import java.util.Map;\n\npublic class Frame { Throw first; }"
SOLO = "public class Hangman { int play() { return 1; } }"
THROWS = "record Throw(int pins) {}"


@pytest.mark.parametrize(
    "before",
    [
        "Here is `Hangman.java`:",
        f"**{HANGMAN}**",
        "### 1. Hangman.java",
        f"File: {HANGMAN}\n",
        f"{HANGMAN}",
    ],
)
def test_the_line_above_a_fence_names_the_file(before: str) -> None:
    program = chat(JAVA, fence("class A {}", before))
    assert files_of(JAVA, program) == {HANGMAN: "class A {}"}
    assert program.notes == ("from a fenced block", f"as given: {OUTPUT}")


@pytest.mark.parametrize(
    "info", [f"java {HANGMAN}", 'java title="Hangman.java"', f"java:{HANGMAN}"]
)
def test_the_fence_names_the_file(info: str) -> None:
    assert files_of(JAVA, chat(JAVA, fence("class A {}", info=info))) == {HANGMAN: "class A {}"}


def test_a_remark_in_the_first_line_names_the_file() -> None:
    code = f"// {OUTPUT}\nclass A {{}}"
    assert files_of(JAVA, chat(JAVA, fence(code))) == {OUTPUT: code}


def test_several_fences_with_imports_each_are_files_each() -> None:
    program = chat(JAVA, fence(GAME) + "and\n" + fence(FRAMES) + fence(THROWS))
    assert files_of(JAVA, program) == {HANGMAN: GAME, FRAME: FRAMES, THROW: THROWS}
    assert program.code.count("// src/main/java/") == 4  # with the stub that it left alone


def test_a_helper_that_nothing_names_is_an_example() -> None:
    program = chat(
        JAVA, fence(GAME) + fence("class Main { Hangman game; }") + fence("class Frame {}")
    )
    assert files_of(JAVA, program) == {HANGMAN: GAME, FRAME: "class Frame {}"}


def test_a_source_of_the_task_that_is_repeated_stays_the_tasks() -> None:
    blocks = fence("enum Part { HEAD }", "`Part.java`") + fence("enum Part { HEAD }") + fence(SOLO)
    assert files_of(JAVA, chat(JAVA, blocks)) == {HANGMAN: SOLO}


def test_tests_before_the_answer_are_not_the_answer() -> None:
    tests = "import org.junit.jupiter.api.Test;\nclass HangmanTest { Hangman game; }"
    for before in ("", "HangmanTest.java"):
        program = chat(JAVA, fence(tests, before) + fence(SOLO))
        assert files_of(JAVA, program) == {HANGMAN: SOLO}


def test_the_last_of_several_blocks_of_a_name_counts() -> None:
    program = chat(
        JAVA, fence("class Old {}", "Output.java") + fence("class Output {}", "Output.java")
    )
    assert program.files[OUTPUT].strip() == "class Output {}"


def test_a_method_alone_goes_into_the_main_file() -> None:
    program = chat(JAVA, fence("int play() { return 1; }"))
    assert "class Hangman" in program.source and program.files == {OUTPUT: "class Output {}\n"}
    assert f"as given: {OUTPUT}" in program.notes


def edit(search: str, replace: str, path: str = HANGMAN) -> str:
    return f"{path}\n```java\n<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n```\n"


def test_blocks_that_search_and_replace_edit_the_stub() -> None:
    first = edit("        return 0;\n", "        return 1;\n")
    program = chat(JAVA, first + edit("return 1;\n", "return 2;\n", "Hangman.java"))
    assert files_of(JAVA, program) == {HANGMAN: GAME_STUB.replace("0", "2").strip()}


def test_a_search_that_lost_its_indentation_still_fits() -> None:
    program = chat(JAVA, edit("\nint play() {\n    return 0;\n", "int play() {\n    return 3;\n"))
    assert program.source == GAME_STUB.replace("0", "3")


def test_an_empty_search_adds_a_file() -> None:
    program = chat(JAVA, edit("return 0;\n", "return 4;\n") + edit("", f"{THROWS}\n", THROW))
    assert program.files[THROW] == f"{THROWS}\n"


def test_a_search_that_fits_nowhere_is_told() -> None:
    program = chat(JAVA, edit("return 9;\n", "return 1;\n"))
    assert program.problem == f"a SEARCH block is not in {HANGMAN}" and not program.source


def test_a_test_file_that_an_edit_adds_is_not_taken() -> None:
    sly = edit("", "class HangmanTest {}\n", "src/test/java/HangmanTest.java")
    program = chat(JAVA, edit("return 0;\n", "return 1;\n") + sly)
    assert HANGMAN not in program.files and "HangmanTest" not in program.source + program.code


def test_a_python_module_of_its_own() -> None:
    main, helper = "from faces import FACES\n\ndef roll():\n    return FACES", "FACES = 6"
    for before in ("`faces.py`:", ""):
        program = chat(PYTHON, fence(helper, before, "python") + fence(main, info="python"))
        assert files_of(PYTHON, program) == {"dice.py": main, "faces.py": helper}


def test_tests_that_stand_before_the_code_are_not_the_answer() -> None:
    tests = "import unittest\nfrom dice import roll\n\n\nclass Tests(unittest.TestCase):\n    pass"
    code = "def roll():\n    return 6"
    program = chat(PYTHON, fence(tests, info="python") + fence(code, info="python"))
    assert program.source.strip() == code and not program.files


def test_python_blocks_of_one_file_are_read_as_ever() -> None:
    program = chat(PYTHON, fence("def roll():\n    return 6", info="python"))
    assert program.source.strip() == "def roll():\n    return 6" and not program.files


@pytest.mark.parametrize(
    ("task", "path", "taken"),
    [
        (JAVA, HANGMAN, True),
        (JAVA, FRAME, True),
        (JAVA, "src/main/java/Part.java", False),  # the task's own
        (JAVA, "src/main/java/HangmanTest.java", False),
        (JAVA, "src/test/java/Frame.java", False),
        (JAVA, "src/main/java/a/Frame.java", False),
        (JAVA, "src/main/java/Fr ame.java", False),
        (JAVA, "build.gradle", False),
        (PYTHON, "faces.py", True),
        (PYTHON, "dice_test.py", False),
        (PYTHON, "conftest.py", False),
        (PYTHON, "unittest.py", False),  # hides what tests rely on
        (PYTHON, "pytest.py", False),
        (PYTHON, "numpy.py", False),
        (PYTHON, "notes.txt", False),
    ],
)
def test_what_counts(task: Task, path: str, taken: bool) -> None:
    assert counts(task, path) is taken


def test_a_line_of_files_has_its_helpers_and_no_tests(tmp_path: Path) -> None:
    files = {HANGMAN: "class Hangman {}", FRAME: "class Frame {}", "src/test/java/X.java": "x"}
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"task": "t", "files": files}))
    answers = read_answers(path, "finch", {"s": Suite("s", "1", "", (JAVA,))})
    (candidate,) = answers.candidates
    assert set(candidate.files) == {HANGMAN, OUTPUT, FRAME} and len(answers.stray) == 1


def test_empty_answers_and_references_have_all_files() -> None:
    (reference,) = reference_candidates(Suite("s", "1", "", (JAVA,)))
    assert make_program(JAVA, reference).source == JAVA.reference_files[HANGMAN]
    empty = make_program(JAVA, Candidate(KEY, "", AnswerForm.EMPTY))
    assert empty.source == "class Hangman { int play() { return 0; } }" and OUTPUT in empty.files
    nothing = make_program(PYTHON, Candidate(KEY, "", AnswerForm.EMPTY))
    assert nothing.source == PYTHON.solution["dice.py"]  # no reference: the stub


@pytest.mark.parametrize(
    ("answer", "problem"), [("", "the answer is empty"), ("I cannot do that for you.", "no code")]
)
def test_no_code(answer: str, problem: str) -> None:
    assert problem in chat(JAVA, answer).problem


def test_references_of_files_survive_their_file() -> None:
    value = json.loads(json.dumps(task_to(JAVA))) | {"test_source": "class HangmanTest {}"}
    task = task_from(Fields("x", value), "s")
    assert task.reference_files == JAVA.reference_files
    assert task.reference.startswith(f"// {HANGMAN}\n")


def said(task: Task) -> str:
    return "\n".join(each.content for each in render(task, PromptSettings()).messages)


def test_a_prompt_shows_the_stubs_and_what_they_name() -> None:
    stub = {HANGMAN: "class Hangman { Part next; }", OUTPUT: "class Output {}"}
    parts = {"Part.java": "enum Part { HEAD }", "X.java": "import org.junit.jupiter.api.Test;"}
    asked = replace(JAVA, solution=stub, support=parts)
    text = said(asked)
    assert "these files, and answer with all of each file" in text
    assert f"{HANGMAN}\n```java\n{stub[HANGMAN]}\n```" in text and parts["Part.java"] in text
    assert "org.junit" not in text
    alone = said(PYTHON)
    assert "this file" in alone and "dice.py\n```python\ndef roll():" in alone
