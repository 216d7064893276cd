"""LeetCode, LiveCodeBench and APPS, on files made here in their published forms."""

import base64
import json
import pickle
import zlib
from collections.abc import Mapping
from pathlib import Path

import pytest

from command_line import write_jsonl
from polyassay.errors import PolyAssayError
from polyassay.model import Style, Task
from polyassay.suites import ADAPTERS

TWO_SUM = {
    "task_id": "two-sum",
    "problem_description": "Find two numbers that add up to target.",
    "starter_code": "class Solution:\n    def twoSum(self, nums, target):\n        ",
    "prompt": "from typing import List\n",
    "completion": "class Solution:\n    def twoSum(self, nums, target):\n        return [0, 1]\n",
    "entry_point": "Solution().twoSum",
    "test": "def check(candidate):\n    assert candidate(nums=[2, 7], target=9) == [0, 1]\n",
}
STDIN = {
    "question_id": "1873_A",
    "question_content": "Add two numbers.",
    "starter_code": "",
    "public_test_cases": json.dumps([{"input": "1 2\n", "output": "3\n", "testtype": "stdin"}]),
    "private_test_cases": "",
    "metadata": "{}",
}
PRIVATE = json.dumps([{"input": "[1]\n2", "output": "3", "testtype": "functional"}])
FUNCTIONAL = STDIN | {
    "question_id": "2727",
    "starter_code": "class Solution:\n    def add(self, a: list, b: int) -> int:\n        ",
    "public_test_cases": json.dumps([{"input": "[4]\n1", "output": "5", "testtype": "functional"}]),
    "private_test_cases": base64.b64encode(zlib.compress(pickle.dumps(PRIVATE))).decode(),
    "metadata": json.dumps({"func_name": "add"}),
}
APPS = {
    "problem_id": 4000,
    "question": "Double a number.",
    "solutions": json.dumps(["print(2 * int(input()))"]),
    "input_output": json.dumps({"inputs": ["2\n", ["3"]], "outputs": ["4\n", ["6"]]}),
    "difficulty": "interview",
    "starter_code": "",
}
APPS_FUNCTION = APPS | {
    "problem_id": 4001,
    "input_output": json.dumps({"fn_name": "twice", "inputs": [[2]], "outputs": [[4]]}),
    "starter_code": "def twice(n):\n",
    "solutions": json.dumps(["def twice(n):\n    return 2 * n\n"]),
}


def read(kind: str, path: Path, *rows: Mapping[str, object]) -> list[Task]:
    write_jsonl(path / "data.jsonl", [dict(row) for row in rows])
    (suite,) = ADAPTERS[kind](path, None)
    assert suite.name == kind and suite.version == "1.0+unverified"
    return list(suite.tasks)


def test_leetcode_calls_a_method_of_a_fresh_object(tmp_path: Path) -> None:
    (task,) = read("leetcode", tmp_path, TWO_SUM)
    assert (task.style, task.entry) == (Style.CLASS, "Solution")
    assert task.tests[0].code.endswith("check(Solution().twoSum)\n")
    assert task.reference.startswith("from typing import List\n")


@pytest.mark.parametrize(
    ("test", "setup"),
    [
        ("assert candidate(2) == [[4] for x in range(1)]", ""),
        ("assert candidate(2) == far", "far = float('inf')\n\n"),
        (
            "assert candidate(2) == listed(Node(3))",
            "far = float('inf')\n\nclass Node:\n\n    def __init__(self, value):\n"
            "        self.value = value\n\ndef listed(node):\n    kept = node\n"
            "    return [far, kept.value]\n\n",
        ),
        ("assert candidate(2) == sqrt(4)", None),
        ("assert candidate(2) == Counter([4])", "from collections import Counter\n\n"),
    ],
)
def test_a_leetcode_test_gets_what_it_names(tmp_path: Path, test: str, setup: str | None) -> None:
    given = (
        "from math import *\nfrom collections import Counter\nfar = float('inf')\n"
        "class Node:\n    def __init__(self, value): self.value = value\n"
        "def listed(node):\n    kept = node\n    return [far, kept.value]\n"
    )
    row = TWO_SUM | {"prompt": given, "test": f"def check(candidate):\n    {test}\n"}
    (task,) = read("leetcode", tmp_path, row)
    assert task.setup == (given if setup is None else setup)
    assert task.context.startswith(given)


def test_plain_leetcode_tests_are_judged_apart(tmp_path: Path) -> None:
    given = TWO_SUM | {"prompt": "class Node:\n    pass\n"}
    named = TWO_SUM["test"].replace("[0, 1]", "Node()")
    plain, helped = read("leetcode", tmp_path, given, given | {"test": named, "task_id": "b"})
    assert not plain.together_because
    assert helped.together_because == "types that the tests define"


def test_livecodebench_has_programs_and_methods(tmp_path: Path) -> None:
    program, method = read("livecodebench", tmp_path, STDIN, FUNCTIONAL)
    assert program.style is Style.PROGRAM and program.id == "1873_A"
    assert (program.tests[0].stdin, program.tests[0].stdout) == ("1 2\n", "3\n")
    assert method.style is Style.CLASS and method.entry == "Solution"
    assert [test.code for test in method.tests] == [
        "assert same(Solution().add([4], 1), 5)",
        "assert same(Solution().add([1], 2), 3)",
    ]


def test_apps_has_programs_and_functions(tmp_path: Path) -> None:
    program, function = read("apps", tmp_path, APPS, APPS_FUNCTION, APPS | {"input_output": ""})
    assert program.id == "4000" and program.style is Style.PROGRAM
    assert [(test.stdin, test.stdout) for test in program.tests] == [("2\n", "4\n"), ("3", "6")]
    assert program.reference == "print(2 * int(input()))"
    assert function.style is Style.FUNCTION and function.entry == "twice"
    assert function.tests[0].code == "assert same(twice(2), 4)"


class _Evil:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return print, ("run",)


@pytest.mark.parametrize(
    ("kind", "row", "words"),
    [
        ("leetcode", TWO_SUM | {"entry_point": "twoSum"}, "must be a method"),
        ("leetcode", TWO_SUM | {"test": "assert True"}, "must define check"),
        ("leetcode", TWO_SUM | {"prompt": "def (:\n"}, '"prompt" must be Python'),
        ("livecodebench", STDIN | {"public_test_cases": "[]"}, "must have a test"),
        ("livecodebench", FUNCTIONAL | {"metadata": "{}"}, "must name the function"),
        ("livecodebench", STDIN | {"private_test_cases": "no"}, "must hold JSON"),
        ("livecodebench", STDIN | {"public_test_cases": "[1"}, "must hold JSON"),
        ("apps", APPS | {"input_output": "{}"}, "must have a list of inputs"),
        ("apps", APPS | {"problem_id": None}, "is missing"),
        (
            "apps",
            APPS | {"input_output": json.dumps({"inputs": ["1"], "outputs": []})},
            "as many outputs",
        ),
    ],
)
def test_other_rows_are_refused(
    tmp_path: Path, kind: str, row: dict[str, object], words: str
) -> None:
    with pytest.raises(PolyAssayError, match=words):
        read(kind, tmp_path, row)


@pytest.mark.parametrize("value", [_Evil(), [1]])
def test_a_pickle_makes_nothing_but_a_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], value: object
) -> None:
    packed = base64.b64encode(zlib.compress(pickle.dumps(value))).decode()
    with pytest.raises(PolyAssayError, match="private_test_cases"):
        read("livecodebench", tmp_path, STDIN | {"private_test_cases": packed})
    assert capsys.readouterr().out == ""
