"""evalplus' files: what a row's tests accept and refuse, on rows made up here and on its own."""

import json
from pathlib import Path

import pytest

from polyassay.errors import PolyAssayError
from polyassay.model import Task
from polyassay.suites import ADAPTERS


def row(identity: str, entry: str, solution: str, *inputs: object, **others: object) -> object:
    return {
        "task_id": identity,
        "prompt": '"""Do it."""\n',
        "entry_point": entry,
        "canonical_solution": solution,
        "atol": 0,
        "base_input": list(inputs),
        "plus_input": list(inputs),
        **others,
    }


def task_of(folder: Path, value: object, kind: str = "evalplus") -> Task:
    path = folder / "MbppPlus.jsonl"
    path.write_text(json.dumps(value) + "\n")
    (suite,) = ADAPTERS[kind](path, None)
    assert suite.name == "mbppplus"
    return suite.tasks[0]


def passes(task: Task, answer: str) -> bool:
    for test in task.tests:
        try:
            exec(f"{answer}\n{test.code}", {})
        except (AssertionError, TypeError, ValueError):
            return False
    return True


ACCEPTED = [
    # Mbpp/2 gets tuples and is compared as sets.
    ("Mbpp/2", "similar_elements", "return tuple(set(a) & set(b))", [[1, 2], [2, 1]], "a, b",
     "assert type(a) is tuple\n    return [2, 1]", "return [2]"),
    # An entry may be called as publishers call their own functions.
    ("Mbpp/56", "check", "return n == 2", [2], "n", "return True", "return False"),
    ("Mbpp/737", "check_str", "import re; return re.match('a', s)", ["abc"], "s",
     "return object()", "return None"),
    ("Mbpp/404", "minimum", "return min(a, b)", [float("-inf"), 1], "a, b",
     "return a", "return b"),
    ("Mbpp/252", "polar", "return (abs(c), 0.0)", ["3+4j"], "c",
     "return (abs(c) + 1e-9, 0.0)", "return (abs(c) + 1e-3, 0.0)"),
    ("Mbpp/580", "keep", "return t", [[1, [2, [3]]]], "t", "return (1, (2, (3,)))", "return [1]"),
    ("Mbpp/115", "empties", "return all(not d for d in x)", [[[1], []]], "x",
     "return type(x[0]) is not set", "return type(x[0]) is set"),
    ("Mbpp/164", "are_equivalent", "return a == b", [1, 2], "a, b",
     "return 5", "raise TypeError"),
    ("Mbpp/558", "digit_distance_nums", "return 0", [1, 256], "a, b", "return 12", "return 13"),
    ("HumanEval/32", "find_zero", "return -0.5", [[1, 2]], "xs",
     "return -0.50001", "return -0.51"),
]  # fmt: skip


@pytest.mark.parametrize("case", ACCEPTED, ids=lambda case: case[0])
def test_results_are_compared_as_evalplus_does(tmp_path: Path, case: tuple[str, ...]) -> None:
    identity, entry, solution, inputs, parameters, right, wrong = case
    head = f"def {entry}({parameters}):\n    "
    atol = 1e-4 if entry == "find_zero" else 0
    task = task_of(tmp_path, row(identity, entry, head + solution + "\n", inputs, atol=atol))
    assert [test.name for test in task.tests] == ["base", "plus"]
    assert task.together_because == ""
    assert passes(task, head + right)
    assert not passes(task, head + wrong)


@pytest.mark.parametrize(
    ("answer", "right"),
    [("[0.1 + 0.2]", True), ("(0.1 + 0.2,)", False), ("[0.31]", False), ("[0.3, 0.3]", False)],
)
def test_floats_have_a_tolerance_and_keep_their_container(
    tmp_path: Path, answer: str, right: bool
) -> None:
    task = task_of(tmp_path, row("Mbpp/9", "f", "def f(): return [0.3]\n", []))
    assert passes(task, f"def f(): return {answer}") is right


def test_infinity_is_not_near_anything_else(tmp_path: Path) -> None:
    solution = "def f(): return float('inf')\n"
    task = task_of(tmp_path, row("Mbpp/9", "f", solution, []))
    assert passes(task, solution)
    assert not passes(task, "def f(): return 1.0")


def test_an_answer_that_changes_its_arguments_fools_no_oracle(tmp_path: Path) -> None:
    solution = "def find_zero(xs): return -0.5\n"
    task = task_of(tmp_path, row("HumanEval/32", "find_zero", solution, [[1, 2]], atol=1e-4))
    assert not passes(task, "def find_zero(xs):\n    xs[:] = [0]\n    return 7.0")


def test_without_plus_inputs_there_is_no_plus_test(tmp_path: Path) -> None:
    task = task_of(tmp_path, row("Mbpp/793", "f", "def f(): return 1\n", [], plus_input={}))
    assert [test.name for test in task.tests] == ["base"]


@pytest.mark.parametrize("kind", ["humaneval", "mbpp"])
def test_older_kinds_judge_the_plus_inputs_too(tmp_path: Path, kind: str) -> None:
    value = row("Mbpp/9", "f", "def f(x): return abs(x)\n", [1], plus_input=[[-1]], test="…")
    task = task_of(tmp_path, value, kind)
    assert not passes(task, "def f(x): return x")
    assert passes(task, "def f(x): return max(x, -x)")


def test_rows_of_another_form_are_refused(tmp_path: Path) -> None:
    """McEval's look like HumanEval's, but have no check()."""
    value = {"task_id": "Python/1", "prompt": "def f(x):\n", "entry_point": "f"}
    path = tmp_path / "Python.jsonl"
    path.write_text(json.dumps(value | {"canonical_solution": "  1", "test": "assert f(1)"}))
    with pytest.raises(PolyAssayError, match=r"check\(candidate\)"):
        ADAPTERS["humaneval"](path, None)


def test_the_released_files_are_taken_whole(shared_data: Path) -> None:
    suites = {suite.name: suite for suite in ADAPTERS["evalplus"](shared_data / "evalplus", None)}
    assert {name: len(suite.tasks) for name, suite in suites.items()} == {
        "humanevalplus": 164,
        "mbppplus": 399,
    }
    for suite in suites.values():
        assert suite.version == "1.0"
        together = [task.id for task in suite.tasks if task.together_because]
        assert together == (["Mbpp/255"] if suite.name == "mbppplus" else [])
        single = [task.id for task in suite.tasks if len(task.tests) != 2]
        assert single == (["Mbpp/793"] if suite.name == "mbppplus" else [])
