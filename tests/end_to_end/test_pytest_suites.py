"""pytest and unittest files as suites: no names are listed, and pytest itself finds them."""

import json
from pathlib import Path
from typing import Any

import pytest

from command_line import PolyAssay, write_jsonl

TESTS = """
import unittest
import pytest
from answer import Stack


class StackTests(unittest.TestCase):
    def test_pop(self):
        stack = Stack()
        stack.push(1)
        self.assertEqual(stack.pop(), 1)

    @unittest.skip("later")
    def test_later(self):
        self.fail()


class OtherTests(unittest.TestCase):
    def test_pop(self):
        with self.assertRaises(IndexError):
            Stack().pop()


@pytest.mark.parametrize("many", [1, 3])
def test_order(many):
    stack = Stack()
    for number in range(many):
        stack.push(number)
    assert [stack.pop() for _ in range(many)] == list(range(many))[::-1]
"""
RIGHT = (
    "class Stack:\n    def __init__(self):\n        self.items = []\n"
    "    def push(self, item):\n        self.items.append(item)\n"
    "    def pop(self):\n        return self.items.pop()\n"
)
ENDS = RIGHT.replace(
    "        return", "        if len(self.items) == 3:\n            quit()\n        return"
)
LOOPS = ENDS.replace("quit()", "\n            while True: pass")
NAMES = [
    "StackTests::test_pop",
    "OtherTests::test_pop",
    "test_order[1]",
    "test_order[3]",
]
TASK = {
    "id": "stack",
    "language": "python",
    "style": "pytest",
    "prompts": {"en": "Write a stack."},
    "limits": {"seconds": 1, "total_seconds": 10},
}


def folder(place: Path) -> Path:
    task = place / "ours" / "stack"
    task.mkdir(parents=True)
    (task.parent / "suite.toml").write_text('version = "1.0"\n')
    (task / "task.toml").write_text(
        'language = "python"\nstyle = "pytest"\n[prompts]\nen = "Write a stack."\n'
        "[limits]\nseconds = 1\ntotal_seconds = 10\n"
    )
    (task / "tests.py").write_text(TESTS)
    (task / "reference.py").write_text(RIGHT)
    return task.parent


def lines(place: Path) -> Path:
    row = TASK | {"test_source": TESTS, "reference": RIGHT}
    return write_jsonl(place / "ours.jsonl", [row])


def verdicts(polyassay: PolyAssay) -> dict[str, Any]:
    told = polyassay("verdicts", "latest", "--json").stdout
    return {row["tool"]: row for row in map(json.loads, told.splitlines())}


@pytest.mark.parametrize("form", [folder, lines])
def test_classes_and_cases_count_under_the_names_that_pytest_gives_them(
    polyassay: PolyAssay, tmp_path: Path, form: Any
) -> None:
    source = form(tmp_path)
    for remark in ("added", "is there already"):
        added = polyassay("suites", "add", "native", "--from", str(source))
        assert added.returncode == 0 and remark in added.stdout, added.stderr
    answers = {"lacks": "class Stak: pass\n", "ends": ENDS, "loops": LOOPS}
    rows = [{"task": "stack", "tool": tool, "answer": code} for tool, code in answers.items()]
    write_jsonl(tmp_path / "answers.jsonl", rows)
    ran = polyassay("run", "-s", "ours", "-c", "reference", "-c", "answers.jsonl")
    assert ran.returncode == 0, ran.stderr
    found = verdicts(polyassay)
    assert [test["name"] for test in found["reference"]["tests"]] == NAMES
    assert found["reference"]["outcome"] == "passed", found["reference"]["reason"]
    assert found["lacks"]["outcome"] == "unbuilt"
    assert "cannot import name 'Stack'" in found["lacks"]["reason"]
    statuses = {tool: [test["status"] for test in found[tool]["tests"]] for tool in answers}
    assert statuses["ends"] == ["passed", "passed", "passed", "error"]
    assert statuses["loops"] == ["passed", "passed", "passed", "timed_out"]
    assert found["loops"]["outcome"] == "timed_out"


def test_a_file_that_cannot_be_collected_is_told_when_it_is_added(
    polyassay: PolyAssay, tmp_path: Path
) -> None:
    broken = TASK | {"id": "broken", "test_source": "import numpie\n" + TESTS}
    wrong = TASK | {"id": "wrong", "test_source": TESTS, "tests": [{"name": "test_pop"}]}
    write_jsonl(tmp_path / "ours.jsonl", [broken, wrong])
    added = polyassay("suites", "add", "native", "--from", "ours.jsonl")
    assert added.returncode == 0, added.stderr
    assert "broken cannot be judged here" in added.stderr and "numpie" in added.stderr
    assert "wrong cannot be judged here: pytest finds no test test_pop" in added.stderr
    answers = [{"task": name, "tool": "a", "answer": RIGHT} for name in ("broken", "wrong")]
    write_jsonl(tmp_path / "answers.jsonl", answers)
    ran = polyassay("run", "-s", "ours", "-c", "answers.jsonl")
    told = ran.stderr.splitlines()[:4]
    assert any("not runnable, 1 task of ours (broken): " in line for line in told), ran.stderr
    assert any("not runnable, 1 task of ours (wrong): " in line for line in told), ran.stderr
    rows = polyassay("verdicts", "latest", "--json").stdout.splitlines()
    assert [json.loads(row)["outcome"] for row in rows] == ["not_runnable", "not_runnable"]
