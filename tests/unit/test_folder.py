"""The folder-per-task form gives the same tasks as a native file would."""

import base64
import json
import shutil
from pathlib import Path

import pytest

from polyassay.errors import PolyAssayError
from polyassay.model import Style, Test
from polyassay.suites.native import folder
from polyassay.suites.native import jsonl as native

SUITE = {"suite.toml": 'name = "mine"\nversion = "2.1"\nlicence = "MIT"\n'}
LINE = {
    "id": "f",
    "language": "python",
    "style": "function",
    "entry": "f",
    "prompts": {"en": "Do it."},
    "tests": [{"code": "assert f(1)"}],
}
HEAD = 'language = "python"\nprompts = { en = "Do it." }\n'


def lay_out(root: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content, "utf-8")
    return root


def test_functions_from_a_tests_file(tmp_path: Path) -> None:
    tests = (
        "import math\n\nLIMIT = 3\n\n\ndef test_low():\n    # why\n    x = clamp(-1)\n"
        "    assert x == 0\n\n\ndef helper():\n    return LIMIT\n\n\n"
        'def test_text():\n    assert clamp("""a\nb""") == 1\n'
    )
    files = {
        "clamp/task.toml": HEAD + 'style = "function"\nentry = "clamp"\n[limits]\nseconds = 2\n',
        "clamp/reference.py": "def clamp(x):\n    return x\n",
        "clamp/tests.py": tests,
        "clamp/files/in/data.txt": "héllo",
    }
    (suite,) = native.read(lay_out(tmp_path, SUITE | files), None)
    (task,) = suite.tasks
    assert (suite.name, suite.version, suite.source) == ("mine", "2.1", "MIT")
    assert task.id == "clamp" and task.limits.seconds == 2.0
    assert task.tests[0] == Test("test_low", code="x = clamp(-1)\nassert x == 0\n")
    assert eval(task.tests[1].code.removeprefix("assert ").strip(), {"clamp": len}) is False
    assert "a\nb" in eval(task.tests[1].code[len("assert clamp(") : -len(") == 1\n")])
    assert "LIMIT = 3" in task.setup and "def helper" in task.setup
    assert "test_" not in task.setup
    assert base64.b64decode(task.data_files["in/data.txt"]).decode() == "héllo"


def test_programs_sets_and_pytest_files(tmp_path: Path) -> None:
    files = {
        "echo/task.toml": HEAD + 'style = "program"\n',
        "echo/cases/one.in": "a\n",
        "echo/cases/one.out": "a\n",
        "echo/cases/silent.out": "",
        "many/task.toml": HEAD + 'style = "sets"\n',
        "many/sets.toml": 'original = ["f(1) == 1"]\nlist = ["f(1) == [1]", "f(2) == [2]"]\n',
        "file/task.toml": HEAD + 'style = "pytest"\nid = "other"\n',
        "file/tests.py": "import pytest\n\n\ndef test_a(tmp_path):\n    pass\n",
    }
    (suite,) = native.read(lay_out(tmp_path, SUITE | files), "named")
    tasks = {task.id: task for task in suite.tasks}
    assert suite.name == "named"
    assert tasks["echo"].tests == (Test("one", "", "a\n", "a\n"), Test("silent"))
    assert list(tasks["many"].sets) == ["original", "list"]
    assert tasks["other"].style is Style.PYTEST
    assert tasks["other"].test_source.startswith("import pytest")
    assert tasks["other"].tests == ()  # pytest itself finds them when the suite is added


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"suite.toml": ""}, "has no tasks"),
        ({"suite.toml": "name = "}, "not TOML"),
        ({"suite.toml": 'verson = "1"'}, '"verson" is not a field'),
        ({"a/task.toml": HEAD + 'style = "sets"\n'}, '"tests"'),
        ({"a/task.toml": HEAD + 'style = "function"\n'}, '"entry" is missing'),
        (
            {"a/task.toml": HEAD + 'style = "program"\n', "a/cases/b.in": ""},
            "has no b.out beside it",
        ),
        (
            {
                "a/task.toml": HEAD + 'style = "function"\nentry = "f"\n',
                "a/tests.py": "def test_a(x):\n    pass\n",
            },
            "line 1: test_a must have no arguments",
        ),
        (
            {
                "a/task.toml": HEAD + 'style = "function"\nentry = "f"\n',
                "a/tests.py": "def test_a(:\n",
            },
            "tests.py, line 1: not Python: ",
        ),
        (
            {
                "a/task.toml": HEAD + 'style = "function"\nentry = "f"\nreference = "x"\n',
                "a/reference.py": "y",
                "a/tests.py": "def test_a():\n    f()\n",
            },
            '"reference" stands in task.toml and in a file',
        ),
    ],
)
def test_mistakes_are_named(tmp_path: Path, files: dict[str, str], words: str) -> None:
    with pytest.raises(PolyAssayError) as caught:
        native.read(lay_out(tmp_path, SUITE | files), None)
    assert words in caught.value.problem


def test_a_folder_without_a_suite(tmp_path: Path) -> None:
    with pytest.raises(PolyAssayError, match=r"has no suite\.toml"):
        native.read(tmp_path, None)


def test_a_folder_needs_no_suite_toml_and_names_tell_the_style(tmp_path: Path) -> None:
    head = 'language = "java"\nsignature = "public static int max(int[] a)"\n'
    source = (
        "import org.junit.jupiter.api.*;\nclass MaxTest {\n"
        "  @Test void largest() { Assertions.assertEquals(3, Max.max(new int[] {1, 3})); }\n}\n"
    )
    files = {
        "clamp/task.toml": HEAD + 'entry = "clamp"\n',
        "clamp/tests.py": "def test_low():\n    assert clamp(-1) == 0\n",
        "pair/task.toml": HEAD,
        "pair/pair.py": "def pair(x):\n    return x, x\n",
        "pair/test_pair.py": "from pair import pair\n\ndef test_one():\n    assert pair(1)\n",
        "other/task.toml": HEAD + '[extra]\nmodule = "elsewhere"\n',
        "other/other.py": "x = 1\n",
        "other/other_test.py": "import elsewhere\n\ndef test_x():\n    pass\n",
        "max/task.toml": head + 'prompts = { en = "Find the largest." }\n',
        "max/Max.java": "class Max { static int max(int[] a) { return a[0]; } }\n",
        "max/MaxTest.java": source,
        "shout/task.toml": head.replace("java", "python", 1) + 'prompts = { en = "Shout." }\n',
        "shout/cases/one.out": "A\n",
    }
    lay_out(tmp_path / "mine", files)
    java = folder.read_task(tmp_path / "mine" / "max", "mine", {})  # without the JDK's parser
    assert (java.style, java.class_name) == (Style.JUNIT, "Max")
    shutil.rmtree(tmp_path / "mine" / "max")
    (suite,) = native.read(tmp_path / "mine", None)
    tasks = {task.id: task for task in suite.tasks}
    assert suite.name == "mine"
    assert tasks["clamp"].style is Style.FUNCTION
    assert tasks["pair"].style is Style.PYTEST
    assert tasks["pair"].extra["module"] == "pair"
    assert tasks["pair"].reference.startswith("def pair")
    assert tasks["other"].extra["module"] == "elsewhere"  # what was said stays
    assert tasks["shout"].style is Style.PROGRAM


def test_all_mistakes_of_a_folder_are_told_at_once(tmp_path: Path) -> None:
    files = {
        "a/task.toml": HEAD,
        "b/task.toml": HEAD + 'style = "functional"\n',
        "c/task.toml": HEAD,
        "c/test_c.py": "",
        "c/test_d.py": "",
    }
    with pytest.raises(PolyAssayError) as refused:
        native.read(lay_out(tmp_path, files), None)
    first, second, third = refused.value.problem.splitlines()
    assert '"style" is missing' in first
    assert "functional" in second
    assert "test_c.py, test_d.py" in third


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PolyAssayError, match=r"no folder in it has a task\.toml"):
        native.read(tmp_path, None)


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"a/tests.py": "def test_a():\n    assert f(1)\n"}, "has tests.py and no task.toml"),
        ({"a/cases/x.out": "1"}, "has cases and no task.toml"),
        ({"b/task.toml": HEAD + 'id = "same"\nentry = "f"\n'}, 'repeats the id "same"'),
        ({"a/task.toml": HEAD + 'entry = "f"\n', "a/tests.py": "assert f(1)\n"}, "no function"),
        ({"a/task.toml": HEAD + 'entry = "f"\n'}, "has neither tests.py"),
        (
            {"a/task.toml": 'language = "java"\nclass_name = "Max"\n', "a/MaxTst.java": ""},
            "has neither NAMETest.java",
        ),
        (
            {"a/task.toml": 'language = "java"\nclass_name = "Mx"\n', "a/MaxTest.java": ""},
            "there is no MxTest.java in .*/a, which has MaxTest.java",
        ),
        (
            {"a/task.toml": HEAD + 'style = "pytest"\n', "a/tests.py": "def test_a(:\n"},
            '"test_source" is not Python: line 1',
        ),
    ],
)
def test_mistakes_of_a_folder_are_named(tmp_path: Path, files: dict[str, str], words: str) -> None:
    fine = {
        "same/task.toml": HEAD + 'entry = "f"\n',
        "same/tests.py": "def test_a():\n    assert f(1)\n",
        "b/tests.py": "def test_a():\n    assert f(1)\n",
        "b/task.toml": HEAD + 'entry = "f"\n',
    }
    with pytest.raises(PolyAssayError, match=words) as refused:
        native.read(lay_out(tmp_path, fine | files), None)
    assert len(refused.value.problem.splitlines()) == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"tests": [{"code": "assert f(1"}]}, r'"tests\[0\].code" is not Python'),
        ({"setup": "import"}, '"setup" is not Python'),
        ({"reference": "def f(x): retrun x"}, '"reference" is not Python'),
        ({"id": "x" * 201}, ".*at most 200 characters"),
        ({"style": "sets", "tests": {"a": ["f(1) == 1", "f(1"]}}, '"a/test_1" is not Python'),
    ],
)
def test_lines_that_could_never_run_are_refused(
    tmp_path: Path, change: dict[str, object], words: str
) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps(LINE) + "\n" + json.dumps(LINE | {"id": "g"} | change), "utf-8")
    with pytest.raises(PolyAssayError, match="line 2: " + words):
        native.read(path, None)


def test_all_mistakes_name_what_was_probably_meant(tmp_path: Path) -> None:
    files = {
        "case/task.toml": 'language = "Java"\nclass_name = "Case"\n',
        "case/CaseTest.java": "class CaseTest {}\n",
        "slip/task.toml": 'language = "python"\n[prompt]\nen = "Do it."\n',
        "slip/tests.py": "def test_a():\n    assert f(1)\n",
    }
    with pytest.raises(PolyAssayError) as error:
        native.read(lay_out(tmp_path, files), None)
    case, slip, rest = error.value.problem.splitlines()
    assert case.endswith(
        '"language" must be one of java, python, found "Java"; did you mean "java"?'
    )
    assert slip.endswith('"prompt" is not a field of this file; did you mean "prompts"?')
    assert rest.endswith('"entry" is missing.')


def test_all_mistakes_of_a_task_are_told_and_a_misspelt_field_is_not_missing(
    tmp_path: Path,
) -> None:
    files = {
        "a/task.toml": 'langage = "python"\n[prompt]\nen = "Do it."\n[limits]\nsecond = 3\n',
        "a/tests.py": "def test_a():\n    assert f(1)\n",
    }
    with pytest.raises(PolyAssayError) as error:
        native.read(lay_out(tmp_path, files), None)
    told = [line.partition("task.toml")[2] for line in error.value.problem.splitlines()]
    assert told == [
        ': "langage" is not a field of this file; did you mean "language"?',
        ': "prompt" is not a field of this file; did you mean "prompts"?',
        ', "limits": "second" is not a limit; limits are seconds, total_seconds, memory_mb.',
        ': "entry" is missing.',
    ]


def test_answers_are_no_suite(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"task": "f", "answer": "def f(): pass"}\n', "utf-8")
    with pytest.raises(PolyAssayError, match="holds answers, and no tasks"):
        native.read(path, None)
