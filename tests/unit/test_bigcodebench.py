"""BigCodeBench's file becomes two suites with the same tests, whole or by a list of ids."""

import gzip
import json
import sys
import types
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from polyassay.errors import PolyAssayError
from polyassay.model import NAMED, Style, Suite
from polyassay.suites import ADAPTERS
from polyassay.suites.public.bigcodebench import JOINED
from polyassay.vetting.pytest_names import has_unnamed

ROW: dict[str, Any] = {
    "task_id": "BigCodeBench/13",
    "complete_prompt": 'import numpy as np\n\ndef task_func(xs):\n    """Mean."""\n',
    "instruct_prompt": "Write the mean of xs.\n",
    "code_prompt": "import numpy as np\ndef task_func(xs):\n",
    "canonical_solution": "    return np.mean(xs)",
    "test": "import unittest\nimport pandas as pd\n\nclass Helper:\n    def test_no(self): pass\n\n"
    "class TestCases(unittest.TestCase):\n    def setUp(self): pass\n"
    "    def test_b(self):\n        self.assertEqual(task_func([1]), 1)\n"
    "    def test_a(self):\n        self.assertEqual(task_func([2]), 2)\n",
    "entry_point": "task_func",
    "doc_struct": "{}",
    "libs": "['numpy']",
}
OTHER = ROW | {"task_id": "BigCodeBench/14"}


def write(folder: Path, *rows: dict[str, Any]) -> Path:
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "BigCodeBench.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    return folder


def read(path: Path, name: str | None = None) -> list[Suite]:
    return ADAPTERS["bigcodebench"](path, name)


def test_each_prompt_is_a_suite(tmp_path: Path) -> None:
    complete, instruct = read(write(tmp_path, ROW, OTHER))
    assert (complete.name, instruct.name) == ("bigcodebench-complete", "bigcodebench-instruct")
    assert (complete.version, complete.licence) == ("0.1.0+modified", "Apache-2.0")
    assert "numpy==1.23.5" in complete.libraries["default"]
    (first, _), (asked, _) = complete.tasks, instruct.tasks
    assert (first.id, first.style, first.entry) == ("BigCodeBench/13", Style.PYTEST, "task_func")
    assert [test.name for test in first.tests] == ["TestCases::test_a", "TestCases::test_b"]
    assert first.test_source.startswith(JOINED + ROW["test"])
    assert first.libraries == ("numpy", "pandas") and first.limits.total_seconds == 240
    assert first.prompts["en"] == ROW["complete_prompt"] == asked.context
    assert asked.prompts["en"] == ROW["instruct_prompt"] and asked.tests == first.tests
    assert first.cluster == asked.cluster and NAMED in first.extra
    assert first.reference == ROW["code_prompt"] + ROW["canonical_solution"]


def test_answer_and_tests_share_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = types.ModuleType("answer")
    exec("import json\ndef task_func(xs):\n    return math.fsum(xs)\n", vars(answer))
    monkeypatch.setitem(sys.modules, "answer", answer)
    test = "import math\nclass TestCases:\n    def test_a(self): assert task_func([1]) == json\n"
    (task, *_) = read(write(tmp_path, ROW | {"test": test}))[0].tasks
    scope: dict[str, Any] = {}
    exec(task.test_source, scope)
    assert answer.task_func([1, 2]) == 3 and "json" in scope
    assert answer.TestCases is scope["TestCases"] and answer.__name__ == "answer"


def test_tests_patch_the_answer_by_their_own_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = types.ModuleType("answer")
    exec("from random import randint\ndef task_func():\n    return randint(0, 9)\n", vars(answer))
    monkeypatch.setitem(sys.modules, "answer", answer)
    test = """from unittest.mock import patch
class TestCases:
    @patch(__name__ + ".randint", return_value=25)
    def test_a(self, randint):
        assert task_func() == 25
"""
    (task, *_) = read(write(tmp_path, ROW | {"test": test}))[0].tasks
    scope: dict[str, Any] = {"__name__": "test_answer"}
    exec(task.test_source, scope)
    scope["TestCases"]().test_a()


def test_a_list_of_ids_chooses_tasks(tmp_path: Path) -> None:
    write(tmp_path, ROW, OTHER)
    ids = tmp_path / "hard.txt"
    ids.write_text("BigCodeBench/14\n")
    complete, instruct = read(ids)
    assert complete.name == "bigcodebench-hard-complete"
    assert complete.description.endswith("; here 1 of them (complete)")
    assert [task.id for task in instruct.tasks] == ["BigCodeBench/14"]
    assert read(ids, "mine")[1].name == "mine-instruct"


def test_the_publishers_hard_file_is_known(tmp_path: Path) -> None:
    complete, _ = read(write(tmp_path, ROW | {"q_idx": 3, "question": "?", "score": 0.8}))
    assert complete.name == "bigcodebench-hard-complete"


def test_its_libraries_wait_for_the_first_run(tmp_path: Path) -> None:
    complete, _ = read(write(tmp_path, ROW))
    assert not has_unnamed(complete)
    (task,) = complete.tasks
    assert has_unnamed(replace(complete, tasks=(replace(task, extra={}),)))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"test": "(("}, "must be Python"),
        ({"test": "class Other:\n    def test_a(self): pass\n"}, "must have a class TestCases"),
        ({"canonical_solution": None}, "must be text"),
    ],
)
def test_other_rows_are_refused(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    with pytest.raises(PolyAssayError, match=words):
        read(write(tmp_path, ROW | change))


@pytest.mark.parametrize(
    ("ids", "words"), [("BigCodeBench/9\n", "such as BigCodeBench/9"), ("\n", "has no ids")]
)
def test_lists_that_do_not_fit_are_refused(tmp_path: Path, ids: str, words: str) -> None:
    write(tmp_path, ROW)
    (tmp_path / "hard.txt").write_text(ids)
    with pytest.raises(PolyAssayError, match=words):
        read(tmp_path / "hard.txt")
