"""The adapters of public Python suites, on rows made up here and on the publishers' files."""

import json
from pathlib import Path

import pytest

from polyassay.errors import PolyAssayError
from polyassay.model import Style
from polyassay.suites import ADAPTERS
from polyassay.suites.contents import statistics

ROW = {
    "task_id": 7,
    "prompt": "def f_7(x):\n\treturn ",
    "suffix": "",
    "canonical_solution": "x + 1",
    "test_start": "\nimport math\n\ndef check(candidate):",
    "test": ["\n    assert candidate(1) == 2\n", "\n    assert candidate(2) == 3\n"],
    "entry_point": "f_7",
    "intent": "add one",
    "library": ["math"],
}


def lines(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_odex_keys_tasks_by_file_and_line(tmp_path: Path) -> None:
    (suite,) = ADAPTERS["odex"](lines(tmp_path / "ja_test.jsonl", ROW, ROW), None)
    assert [task.id for task in suite.tasks] == ["ja/0", "ja/1"]
    task = suite.tasks[0]
    assert (task.prompts, task.domain, task.libraries) == ({"ja": "add one"}, "open", ("math",))
    assert task.setup == "import math"
    assert task.tests[1].code.startswith("def check(candidate):\n    assert candidate(2) == 3")
    names: dict[str, object] = {}
    exec(task.reference + "\n" + task.tests[1].code, names)
    assert set(suite.libraries) == {"current", "older"}


def test_odex_needs_a_name_that_tells_the_language(tmp_path: Path) -> None:
    with pytest.raises(PolyAssayError, match="language of its prompts"):
        ADAPTERS["odex"](lines(tmp_path / "tasks.jsonl", ROW), None)


def test_mbupp_calls_the_function_f(tmp_path: Path) -> None:
    sets = {"original": ["assert add (1, 2) == 3"], "ip-Swap(1, 0)": ["assert add(2, 1) == 'add('"]}
    row = {"task_id": 11, "text": "…", "code": "def add(a, b):\r\n    return a + b"}
    (tmp_path / "MBPP.json").write_text(json.dumps([{**row, "updated_test_list": sets}]))
    (suite,) = ADAPTERS["mbupp"](tmp_path, None)
    assert (suite.name, suite.tasks[0].id) == ("mbupp-mbpp", "11")
    assert {test.name: test.code for test in suite.tasks[0].tests} == {
        "original/test_0": "f(1, 2) == 3",
        "ip-Swap(1, 0)/test_0": "f(2, 1) == 'add('",
    }


def test_mbpp_finds_the_entry(tmp_path: Path) -> None:
    row = {"task_id": 2, "text": "…", "code": "def help(): pass\ndef mean(xs): return 1"}
    row |= {"test_list": ["assert round(mean([1])) == 1"], "test_setup_code": "import math"}
    (suite,) = ADAPTERS["mbpp"](lines(tmp_path / "mbpp.jsonl", row), None)
    task = suite.tasks[0]
    assert (suite.name, task.id, task.entry, task.setup) == ("mbpp", "2", "mean", "import math")


def test_odex_statistics_are_those_of_the_paper(shared_data: Path) -> None:
    (suite,) = ADAPTERS["odex"](shared_data / "odex", None)
    found = statistics(suite)
    assert (found.tasks, found.tests, len(found.libraries)) == (945, 1707, 79)
    assert found.by_prompt_language == {
        "en": {"tasks": 439, "tests": 837, "libraries": 45, "open": 230, "closed": 209},
        "es": {"tasks": 90, "tests": 156, "libraries": 20, "open": 48, "closed": 42},
        "ja": {"tasks": 164, "tests": 261, "libraries": 44, "open": 113, "closed": 51},
        "ru": {"tasks": 252, "tests": 453, "libraries": 35, "open": 114, "closed": 138},
    }
    assert suite.version == "1.0"


def test_mbupp_gives_four_suites(shared_data: Path) -> None:
    suites = ADAPTERS["mbupp"](shared_data / "mbupp", None)
    assert {suite.name for suite in suites} == {"mbupp-mbpp", "mbupp-nl", "mbupp-tests", "mbupp"}
    for suite in suites:
        assert len(suite.tasks) == 466
        assert all(task.style is Style.SETS and task.tests for task in suite.tasks)


def test_humaneval_has_one_test_a_task(shared_data: Path) -> None:
    (suite,) = ADAPTERS["humaneval"](shared_data / "humaneval", None)
    assert len(suite.tasks) == 164
    assert all(len(task.tests) == 1 for task in suite.tasks)


def test_mxeval_files_without_java_start_no_java(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(sources: object) -> None:
        raise AssertionError(f"javac was given {sources}")

    monkeypatch.setattr("polyassay.suites.public.java_main.parse", refuse)
    row = {"task_id": "MBPP/1", "language": "python", "prompt": "def f():\n", "entry_point": "f"}
    row |= {"test": "def check(candidate):\n    assert candidate() == 1\n"}
    (suite,) = ADAPTERS["mxeval"](lines(tmp_path / "mbpp_release.jsonl", row), None)
    assert [task.language for task in suite.tasks] == ["python"]
