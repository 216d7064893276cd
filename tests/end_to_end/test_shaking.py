"""`run --shake N`: answers whose verdict is luck are found, kept and named."""

import json
from pathlib import Path
from typing import Any

from command_line import PolyAssay, write_jsonl

TASK: dict[str, Any] = {
    "language": "python",
    "style": "function",
    "entry": "f",
    "prompts": {"en": "Give the first one."},
}
MAX: dict[str, Any] = {
    "id": "java",
    "language": "java",
    "style": "junit",
    "class_name": "Order",
    "prompts": {"en": "Count."},
    "signature": "public static int next()",
    "test_source": "import static org.junit.jupiter.api.Assertions.*;\n"
    "import org.junit.jupiter.api.Test;\nclass OrderTest {\n"
    + "".join(
        f"  @Test void number{n}() {{ assertTrue(Order.next() > 0); assertTrue(true); }}\n"
        for n in range(6)
    )
    + "}\n",
}
# What each answer depends on: nothing, hash seeds, the address of None, the order of tests.
ANSWERS = {
    "honest": ("first", "def f(items):\n    return items[0]\n"),
    "seed": ("first", "def f(items):\n    return next(iter(set(items)))\n"),
    "address": ("none", "def f(items):\n    return list({None, 5, *items})\n"),
}
TASKS = [
    TASK | {"id": "first", "tests": [{"code": "assert f(['a', 'b', 'c', 'd']) in ('a', 'b')"}]},
    TASK | {"id": "none", "tests": [{"code": "assert f([]) == [None, 5]"}]},
]
ORDERED = "seen = []\n\ndef f(name):\n    seen.append(name)\n    return seen[0] == 'test_0'\n"
PYTEST = "from answer import f\n" + "".join(
    f"def test_{n}():\n    assert f('test_{n}')\n" for n in range(6)
)


def verdicts(polyassay: PolyAssay) -> dict[str, Any]:
    told = polyassay("verdicts", "latest", "--json").stdout
    return {f"{row['tool']} {row['task']}": row for row in map(json.loads, told.splitlines())}


def run(polyassay: PolyAssay, tmp_path: Path, tasks: list[Any], rows: list[Any], *more: str) -> str:
    write_jsonl(tmp_path / "ours.jsonl", tasks)
    added = polyassay("suites", "add", "native", "--from", "ours.jsonl", "--replace")
    assert added.returncode == 0, added.stderr
    write_jsonl(tmp_path / "answers.jsonl", rows)
    ran = polyassay("run", "-s", "ours", "-c", "answers.jsonl", *more)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_lucky_answers_are_flagged_counted_and_named(polyassay: PolyAssay, tmp_path: Path) -> None:
    rows = [{"task": task, "tool": tool, "answer": code} for tool, (task, code) in ANSWERS.items()]
    told = run(polyassay, tmp_path, TASKS, rows, "--shake", "8")
    found = verdicts(polyassay)
    assert found["honest first"]["flags"] == []
    assert found["seed first"]["flags"] == ["lucky"]
    assert "Lucky" in told and "seed first en 0" in told and "honest" not in told.split("Lucky")[1]
    score = json.loads(polyassay("score", "latest", "--json").stdout)
    assert (score["tools"]["seed"]["lucky"], score["tools"]["honest"]["lucky"]) == (1, 0)
    assert "lucky" in polyassay("show", "latest", "first", "--tool", "seed").stdout
    polyassay("report", "latest", "-o", "report")
    assert "Lucky" in (tmp_path / "report" / "index.html").read_text()


def test_a_verdict_is_the_same_however_often_it_is_judged(
    polyassay: PolyAssay, tmp_path: Path
) -> None:
    rows = [{"task": task, "tool": tool, "answer": code} for tool, (task, code) in ANSWERS.items()]
    seen = []
    for _ in range(3):
        run(polyassay, tmp_path, TASKS, rows)
        seen.append({name: row["outcome"] for name, row in verdicts(polyassay).items()})
    assert seen[0] == seen[1] == seen[2]


def test_the_order_of_tests_in_a_pytest_file_is_shaken(
    polyassay: PolyAssay, tmp_path: Path
) -> None:
    task = TASK | {"id": "order", "style": "pytest", "test_source": PYTEST}
    rows = [{"task": "order", "tool": "first", "answer": ORDERED}]
    told = run(polyassay, tmp_path, [task], rows, "--shake", "2")
    found = verdicts(polyassay)["first order"]
    assert (found["outcome"], found["flags"]) == ("passed", ["lucky"])
    assert "first order en 0" in told


def test_what_has_no_luck_is_said_to_have_none(polyassay: PolyAssay, tmp_path: Path) -> None:
    rows = [{"task": "first", "tool": "honest", "answer": ANSWERS["honest"][1]}]
    told = run(polyassay, tmp_path, TASKS, rows, "--shake", "1")
    assert "No verdict was luck: shaken 1 time, none changed." in told
    assert polyassay("run", "--resume", "latest").returncode == 0


def test_java_answers_that_depend_on_hash_codes(polyassay: PolyAssay, tmp_path: Path) -> None:
    body = "return new Object().hashCode() % 2 == 0 ? 1 : -1;"
    code = f"public class Order {{ public static int next() {{ {body} }} }}"
    rows = [{"task": "java", "tool": "t", "answer": code}]
    run(polyassay, tmp_path, [MAX], rows, "--shake", "2")
    assert "lucky" in verdicts(polyassay)["t java"]["flags"]


def test_the_run_says_what_was_pinned(polyassay: PolyAssay, tmp_path: Path) -> None:
    rows = [{"task": "first", "tool": "honest", "answer": ANSWERS["honest"][1]}]
    run(polyassay, tmp_path, TASKS, rows)
    shown = polyassay("show", "latest").stdout
    for words in ("hash seed", "addresses", "time zone", "umask", "interpreters"):
        assert words in shown
