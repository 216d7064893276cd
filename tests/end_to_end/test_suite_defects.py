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


ALL = {
    "language": "java",
    "style": "junit",
    "class_name": "All",
    "prompts": {"en": "All numbers below n."},
    "signature": "public static List<Integer> below(int n)",
}
UNIT = "import org.junit.jupiter.api.*;\n"
ASSERT = "import static org.junit.jupiter.api.Assertions.*;\n"
USES = "class AllTest { @Test void none() { List<Integer> found = All.below(0); %s } }\n"
BODY = "List<Integer> all = new ArrayList<>(); for (int i = 0; i < n; i++) all.add(i); return all;"
BELOW = f"public static List<Integer> below(int n) {{ {BODY} }}"
# What is wrong is the suite's own, whatever the reference is like.
UNCOMPILABLE: dict[str, dict[str, Any]] = {
    "the reference lacks imports as well": {"reference": f"public class All {{ {BELOW} }}"},
    "the reference is a method alone": {"reference": BELOW},
    "the reference is a body alone": {"reference": BODY, "extra": {"reference_form": "completion"}},
    "the reference goes on from the context": {
        "context": "import java.util.*;\nclass All {\n  " + BELOW.partition("{")[0] + "{\n",
        "reference": BODY + " }\n}",
        "extra": {"reference_form": "completion"},
    },
    "the reference does not compile": {"reference": f"class All {{ {BELOW} int x = y; }}"},
    "there is no reference": {},
    "no method to assert with": {
        "test_source": UNIT + "import java.util.*;\n" + USES % "assertEquals(0, All.most());"
    },
    "no annotation": {"test_source": ASSERT + "import java.util.*;\n" + USES % "All.most();"},
    "a whole class": {
        "signature": "class All",
        "reference": f"import java.util.*; class All {{ {BELOW} }}",
    },
    "support and reference need each other": {
        "signature": "class All",
        "support": {"Some.java": "class Some { int n = All.below(0).size(); }"},
        "test_source": UNIT + USES % "new Some(1);",
        "reference": f"import java.util.*; class All {{ {BELOW} Some some; }}",
    },
    "several files": {
        "signature": "class All",
        "solution": {"All.java": "class All { }", "More.java": "class More { }"},
        "reference": {
            "All.java": f"import java.util.*; class All extends More {{ {BELOW} }}",
            "More.java": "class More { }",
        },
    },
}


def test_junit_classes_that_no_answer_compiles_with(polyassay: PolyAssay, tmp_path: Path) -> None:
    usual = ALL | {"test_source": UNIT + ASSERT + USES % "assertEquals(0, found.size());"}
    bad = [usual | {"id": name} | own for name, own in UNCOMPILABLE.items()]
    good = [
        task | {"id": f"with imports: {task['id']}", "test_source": mended(task["test_source"])}
        for task in bad
    ]
    tasks = [*bad, *good]
    write_jsonl(tmp_path / "ours.jsonl", tasks)
    answer = f"import java.util.*; class All {{ {BELOW} static int most() {{ return 0; }} }}"
    write_jsonl(tmp_path / "tool.jsonl", [{"task": t["id"], "answer": answer} for t in tasks])
    assert polyassay("suites", "add", "native", "--from", "ours.jsonl").returncode == 0
    ran = polyassay("run", "-s", "ours", "-c", "tool=tool.jsonl")
    rows = map(json.loads, polyassay("verdicts", "latest", "--json").stdout.splitlines())
    found = {row["task"]: (row["outcome"], row["reason"]) for row in rows}
    assert {name: found[name][0] for name in UNCOMPILABLE} == dict.fromkeys(
        UNCOMPILABLE, "not_runnable"
    )
    rest = {name: each for name, each in found.items() if name not in UNCOMPILABLE}
    assert {outcome for outcome, _ in rest.values()} == {"passed"}, rest
    assert "the tests do not compile: Tests.java:" in ran.stderr
    checked = polyassay("suites", "check", "ours")
    assert "not runnable: the reference is a method alone: the tests do not" in checked.stdout


def mended(tests: str) -> str:
    return UNIT + ASSERT + "import java.util.*;\n" + tests.replace("new Some(1)", "new Some()")


NEVER_RUN = {
    "it is private": "class MaxTest { @Test private void larger() { Max.max(1, 2); } }",
    "it is static": "class MaxTest { @Test static void larger() { Max.max(1, 2); } }",
    "it returns something": "class MaxTest { @Test int larger() { return Max.max(1, 2); } }",
    "In is not @Nested": "class MaxTest { class In { @Test void larger() { Max.max(1, 2); } } }",
    "no object can be made of MaxTest": (
        "abstract class MaxTest { @Test void larger() { Max.max(1, 2); } }"
    ),
    "all tests of": "@Disabled class MaxTest { @Test void larger() { Max.max(1, 2); } }",
}


def test_junit_methods_that_never_run_are_refused(polyassay: PolyAssay, tmp_path: Path) -> None:
    rows = [MAX | {"id": why, "test_source": UNIT + text} for why, text in NEVER_RUN.items()]
    write_jsonl(tmp_path / "ours.jsonl", rows)
    refused = polyassay("suites", "add", "native", "--from", "ours.jsonl")
    assert refused.returncode == 2
    assert all(why in refused.stderr for why in NEVER_RUN), refused.stderr


def test_junit_methods_that_run_elsewhere_are_tests(polyassay: PolyAssay, tmp_path: Path) -> None:
    tests = (
        UNIT + "class MaxTest { @Nested class In { @Test void nested() { Max.max(1, 2); } } "
        "@Nested class Also extends Base { } abstract class Base { @Test void inherited() { } } "
        "@Disabled @Nested class Off { @Test private void off() { } } }"
    )
    _, found = outcomes(polyassay, tmp_path, [MAX | {"id": "elsewhere", "test_source": tests}])
    assert found == {"elsewhere": ("passed", "")}
