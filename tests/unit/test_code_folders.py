"""A folder of code files is read as answers by its paths; what is no answer is counted."""

import json
from pathlib import Path

import pytest

from answer_files import a_suite, by_name, told, write
from polyassay.candidates import read_answers
from polyassay.candidates.sources import read_sources
from polyassay.errors import PolyAssayError
from polyassay.model import AnswerForm, Language, Style, Suite
from polyassay.suites.native.fields import Fields
from polyassay.suites.native.task_json import task_from, task_to

PYTHON = a_suite("py", "clamp", "en/0", "en/10", entry="clamp")
JAVA = a_suite(
    "java",
    "pad-left",
    "gcd",
    language=Language.JAVA,
    style=Style.JUNIT,
    entry="",
    class_name="text.Pad",
)
SEVERAL = a_suite("bank", "bank", solution={"bank/account.py": "", "bank/ledger.py": "# empty\n"})
ONE_FILE = a_suite("one", "one", solution={"one.py": ""})


def lay_out(folder: Path, *paths: str, **texts: str) -> Path:
    """Files that hold their own path, or what is given for their stem."""
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(texts.get(Path(path).stem, path))
    return folder


@pytest.mark.parametrize(
    ("path", "suite", "task", "sample"),
    [
        ("clamp.py", PYTHON, "clamp", 0),
        ("clamp/0.py", PYTHON, "clamp", 0),
        ("clamp/3.py", PYTHON, "clamp", 3),
        ("clamp/sample-2.py", PYTHON, "clamp", 2),
        ("clamp/sample-1/anything.py", PYTHON, "clamp", 1),
        ("clamp/solution.py", PYTHON, "clamp", 0),
        ("en/0.py", PYTHON, "en/0", 0),
        ("en_10.py", PYTHON, "en/10", 0),
        ("en-10/sample-4/x/y.py", PYTHON, "en/10", 4),
        ("pad-left.java", JAVA, "pad-left", 0),
        ("pad-left/Pad.java", JAVA, "pad-left", 0),
        ("pad-left/sample-0/src/main/java/text/Pad.java", JAVA, "pad-left", 0),
        ("pad-left/sample-7/src/main/java/text/Other.java", JAVA, "pad-left", 7),
    ],
)
def test_a_path_says_what_it_answers(
    tmp_path: Path, path: str, suite: Suite, task: str, sample: int
) -> None:
    answers = read_answers(lay_out(tmp_path, path), "finch", by_name(suite))
    assert answers.format == "files"
    assert told(answers, "task", "tool", "sample", "answer") == [(task, "finch", sample, path)]
    assert answers.stray == ()


def test_samples_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    lay_out(tmp_path, "clamp/10.py", "clamp/9.py", "en/0/0.py")
    answers = read_answers(tmp_path, "finch", by_name(PYTHON))
    assert told(answers, "task", "sample") == [("clamp", 9), ("clamp", 10), ("en/0", 0)]


def test_stray_files_are_named_and_not_fatal(tmp_path: Path) -> None:
    lay_out(
        tmp_path,
        *("clamp/solution.py", "clamp/test_solution.py", "clamp/notes.md", "README.md"),
        *("other.py", ".git/clamp.py", "clamp/__pycache__/solution.py"),
    )
    answers = read_answers(tmp_path, "finch", by_name(PYTHON))
    assert told(answers, "task", "answer") == [("clamp", "clamp/solution.py")]
    assert sorted(answers.stray) == [
        *("README.md", "clamp/notes.md", "clamp/test_solution.py", "other.py")
    ]
    sources = read_sources([f"finch={tmp_path}"], by_name(PYTHON), None, False, None)
    assert any("4 files that belong to no answer left out: " in r for r in sources.remarks)


FENCED = "```java\npublic class Pad {}\n```\n"


@pytest.mark.parametrize(
    ("text", "is_chat"),
    [
        (f"Sure! Here's a class:\n\n{FENCED}", True),
        (FENCED, True),
        ("public class Pad {}\n", False),
        (f"/** As in\n{FENCED} */\npublic class Pad {{}}\n", False),
        (f'public class Pad {{\n  String text = """\n{FENCED}""";\n}}\n', False),
    ],
)
def test_a_code_file_that_holds_a_chat_is_told_and_taken_as_it_is(
    tmp_path: Path, text: str, is_chat: bool
) -> None:
    lay_out(tmp_path, "pad-left/Pad.java", "gcd.java", Pad=text, gcd="public class Gcd {}")
    sources = read_sources([f"finch={tmp_path}"], by_name(JAVA), None, False, None)
    assert ("pad-left", text) in told(sources, "task", "answer")
    remarks = [remark for remark in sources.remarks if "1 file looks like a chat with" in remark]
    assert ["pad-left (sample 0)" in remark for remark in remarks] == [True] * is_chat


def test_the_files_of_one_tool_are_counted_together(tmp_path: Path) -> None:
    rows = [{"task": "clamp", "answer": "x"}, {"task": "en/0", "answer": "x"}]
    path = write(tmp_path / "a.jsonl", *rows)
    folder = lay_out(tmp_path / "code", "pad-left/Pad.java")
    suites = by_name(PYTHON, JAVA)
    names = [f"finch={path}", f"finch={folder}", f"heron={folder}"]
    sources = read_sources(names, suites, None, False, None)
    assert sources.remarks == [
        "finch: 1 task of py without an answer, counted as failed: en/10",
        "finch: 1 task of java without an answer, counted as failed: gcd",
        "heron: no answer to any task of py, so no score there",
        "heron: 1 task of java without an answer, counted as failed: gcd",
    ]
    assert read_sources(names, suites, None, False, limit=2).remarks == []
    assert read_sources(names, suites, None, False, None, some_tasks=True).remarks == []


def test_a_test_or_a_helper_is_never_taken_for_the_class(tmp_path: Path) -> None:
    lay_out(
        tmp_path,
        "pad-left/src/main/java/text/Pad.java",
        "pad-left/src/main/java/text/Strings.java",
        "pad-left/src/test/java/text/PadTest.java",
        "gcd/src/test/java/GcdTest.java",
    )
    answers = read_answers(tmp_path, "finch", by_name(JAVA))
    assert told(answers, "task", "answer", "form") == [
        ("pad-left", "pad-left/src/main/java/text/Pad.java", AnswerForm.PROGRAM)
    ]
    assert len(answers.stray) == 3


def test_one_of_several_files_is_not_guessed(tmp_path: Path) -> None:
    lay_out(tmp_path, "clamp/a.py", "clamp/b.py", "en/0.py")
    answers = read_answers(tmp_path, "finch", by_name(PYTHON))
    assert told(answers, "task") == [("en/0",)]
    assert answers.stray == ("clamp/a.py", "clamp/b.py")


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.py"
    secret.write_text("secret")
    folder = lay_out(tmp_path / "answers", "en/0.py")
    (folder / "clamp.py").symlink_to(secret)
    answers = read_answers(folder, "finch", by_name(PYTHON))
    assert told(answers, "task") == [("en/0",)]


def test_a_folder_of_chats(tmp_path: Path) -> None:
    folder = lay_out(tmp_path, "clamp.md", "clamp/1.txt", "clamp/notes/2.md", "README.md")
    answers = read_answers(folder, "finch", by_name(PYTHON))
    assert told(answers, "task", "answer", "form") == [
        ("clamp", "clamp.md", AnswerForm.ANSWER),
        ("clamp", "clamp/1.txt", AnswerForm.ANSWER),
    ]
    assert answers.stray == ("README.md", "clamp/notes/2.md")


def test_beside_code_a_text_is_no_chat(tmp_path: Path) -> None:
    folder = lay_out(tmp_path, "clamp.py", "clamp.md")
    answers = read_answers(folder, "finch", by_name(PYTHON))
    assert told(answers, "answer") == [("clamp.py",)]
    assert answers.stray == ("clamp.md",)


def test_a_folder_of_answer_lines_is_read_as_before(tmp_path: Path) -> None:
    write(tmp_path / "clamp.jsonl", {"task": "clamp", "answer": "x"})
    assert read_answers(tmp_path, "finch", by_name(PYTHON)).format == "native"


def test_of_several_files_only_solution_files_are_taken(tmp_path: Path) -> None:
    folder = lay_out(tmp_path, "bank/sample-1/bank/account.py", "bank/sample-1/tests/test_bank.py")
    answers = read_answers(folder, "finch", by_name(SEVERAL))
    (candidate,) = answers.candidates
    assert (candidate.key.sample, candidate.form) == (1, AnswerForm.FILES)
    assert candidate.files == {
        "bank/account.py": "bank/sample-1/bank/account.py",
        "bank/ledger.py": "# empty\n",  # left alone: still the stub
    }
    assert answers.stray == ("bank/sample-1/tests/test_bank.py",)


def test_files_of_a_line(tmp_path: Path) -> None:
    files = {"bank/account.py": "a", "bank/ledger.py": "b", "conftest.py": "import os"}
    path = write(tmp_path / "a.jsonl", {"task": "bank", "files": files})
    answers = read_answers(path, "finch", by_name(SEVERAL))
    assert answers.candidates[0].files == {"bank/account.py": "a", "bank/ledger.py": "b"}
    assert len(answers.stray) == 1


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ({"task": "bank", "files": {"other.py": "x"}}, 'has none that task "bank" asks for'),
        ({"task": "bank", "files": {"x": "x"}, "answer": "x"}, "and has both"),
        ({"task": "bank", "files": ["x"]}, "must be an object of texts"),
        ({"task": "bank", "files": {"bank/account.py": 1}}, "must be an object of texts"),
    ],
)
def test_bad_files_of_a_line(tmp_path: Path, line: dict[str, object], problem: str) -> None:
    path = write(tmp_path / "a.jsonl", line)
    with pytest.raises(PolyAssayError, match=problem):
        read_answers(path, "finch", by_name(SEVERAL), "native")


def test_a_task_of_one_solution_file_is_answered_by_its_text(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", {"task": "one", "files": {"one.py": "x = 1"}})
    answers = read_answers(path, "finch", by_name(ONE_FILE))
    assert told(answers, "answer", "form") == [("x = 1", AnswerForm.PROGRAM)]
    folder = lay_out(tmp_path / "folder", "one.py")
    assert told(read_answers(folder, "finch", by_name(ONE_FILE)), "answer") == [("one.py",)]


def test_solution_files_survive_their_file() -> None:
    task = SEVERAL.tasks[0]
    value = json.loads(json.dumps(task_to(task)))
    value["tests"] = [{"code": "assert f"}]
    assert task_from(Fields("x", value), "bank").solution == task.solution
    value["solution"] = {"../x.py": ""}
    with pytest.raises(PolyAssayError, match="relative paths"):
        task_from(Fields("x", value), "bank")
