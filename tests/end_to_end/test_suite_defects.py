"""What is wrong with a suite itself is told before the run begins, and is no tool's failure."""

import json
from pathlib import Path
from typing import Any

import pytest

from command_line import PolyAssay, write_jsonl

ADD: dict[str, Any] = {
    "language": "python",
    "style": "function",
    "entry": "add",
    "prompts": {"en": "Add two numbers."},
    "tests": [{"code": "assert add(1, 2) == 3"}],
    "reference": "def add(a, b):\n    return a + b\n",
}
MAX: dict[str, Any] = {
    "language": "java",
    "style": "junit",
    "class_name": "Max",
    "prompts": {"en": "The larger one."},
    "signature": "public static int max(int a, int b)",
    "reference": "class Max { public static int max(int a, int b) { return a > b ? a : b; } }",
}
JUNIT = (
    "import static org.junit.jupiter.api.Assertions.*;\nimport org.junit.jupiter.api.Test;\n"
    "class MaxTest {{ @Test void larger() {{ {} }} }}\n"
)


def outcomes(polyassay: PolyAssay, tmp_path: Path, tasks: list[dict[str, Any]]) -> tuple[str, Any]:
    """What a run of the references tells first, and task → outcome and reason."""
    write_jsonl(tmp_path / "ours.jsonl", tasks)
    added = polyassay("suites", "add", "native", "--from", "ours.jsonl")
    assert added.returncode == 0, added.stderr
    ran = polyassay("run", "-s", "ours", "-c", "reference")
    assert ran.returncode == 0, ran.stderr
    rows = map(json.loads, polyassay("verdicts", "latest", "--json").stdout.splitlines())
    return ran.stderr, {row["task"]: (row["outcome"], row["reason"]) for row in rows}


@pytest.mark.parametrize(
    ("setup", "why"),
    [
        ("from math import no_such_name", "cannot import name 'no_such_name'"),
        ("import no_such_module", "No module named 'no_such_module'"),
        ("from collections import Mapping", "cannot import name 'Mapping'"),
        ("import math\nLIMIT = math.factorial(-1)", "ValueError"),
        ("import string\nLETTERS = string.letters", "no attribute 'letters'"),
    ],
)
def test_a_setup_that_fails_without_any_answer(
    polyassay: PolyAssay, tmp_path: Path, setup: str, why: str
) -> None:
    tasks = [ADD | {"id": "good"}, ADD | {"id": "bad", "setup": setup}]
    told, found = outcomes(polyassay, tmp_path, tasks)
    assert found["good"][0] == "passed"
    assert found["bad"][0] == "not_runnable" and why in found["bad"][1]
    assert "not runnable, 1 task of ours (bad): its setup fails with these libraries" in told
    assert "as in the run" in polyassay("replay", "latest", "bad").stdout


def test_a_setup_that_needs_the_answer_is_sound(polyassay: PolyAssay, tmp_path: Path) -> None:
    setups = (
        "THREE = add(1, 2)",
        "try:\n    import no_such_module\nexcept ImportError:\n    no_such_module = None",
        "def broken():\n    import no_such_module",
    )
    tasks = [ADD | {"id": str(number), "setup": text} for number, text in enumerate(setups)]
    told, found = outcomes(polyassay, tmp_path, tasks)
    assert {outcome for outcome, _ in found.values()} == {"passed"}
    assert "not runnable" not in told


def test_a_reference_that_merely_fails_stays_in(polyassay: PolyAssay, tmp_path: Path) -> None:
    wrong = ADD | {"id": "wrong", "reference": "def add(a, b):\n    return a - b\n"}
    told, found = outcomes(polyassay, tmp_path, [wrong])
    assert found["wrong"][0] == "failed" and "not runnable" not in told


def test_a_junit_class_that_compiles_with_nothing(polyassay: PolyAssay, tmp_path: Path) -> None:
    good = MAX | {"id": "good", "test_source": JUNIT.format("assertEquals(2, Max.max(1, 2));")}
    bad = MAX | {"id": "bad", "test_source": JUNIT.format("assertEquals(2, Max.max(Maxx.A, 2));")}
    told, found = outcomes(polyassay, tmp_path, [good, bad])
    assert found["good"][0] == "passed" and found["bad"][0] == "not_runnable"
    assert "not runnable, 1 task of ours (bad): " in told and "Maxx" in told
