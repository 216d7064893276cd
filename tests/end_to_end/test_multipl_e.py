"""MultiPL-E's Java tasks, through the JDK's parser and both judges."""

import json
from pathlib import Path

from command_line import PolyAssay, write_jsonl
from polyassay.suites.native.fields import Fields
from polyassay.suites.native.task_json import task_to
from polyassay.suites.public.translated.multipl_e import _java_tasks

ADD = {
    "name": "HumanEval_53_add",
    "language": "java",
    "prompt": "import java.util.*;\nclass Problem {\n    // Add two numbers\n"
    "    public static long add(long x, long y) {\n",
    "tests": "    }\n    public static void main(String[] args) {\n"
    "    assert(add((0l), (1l)) == (1l));\n    assert(add((2l), (3l)) == (5l));\n    }\n\n}\n",
    "stop_tokens": ["\n    }\n"],
}
ANSWERS = {"right": "return x + y;", "wrong": "return y;", "broken": "return"}


def test_each_assertion_is_a_test(polyassay: PolyAssay, tmp_path: Path) -> None:
    (task,) = _java_tasks([Fields("a", ADD)], "s")
    assert [test.name for test in task.tests] == ["test_0", "test_1"]
    assert task.signature == "public static long add(long x, long y)"
    write_jsonl(tmp_path / "s.jsonl", [task_to(task)])
    assert polyassay("suites", "add", "native", "--from", "s.jsonl").returncode == 0
    for tool, answer in ANSWERS.items():
        row = {"task": task.id, "answer": answer, "form": "completion"}
        write_jsonl(tmp_path / f"{tool}.jsonl", [row])
    flags = [flag for tool in ANSWERS for flag in ("-c", f"{tool}=./{tool}.jsonl")]
    for judge in ("apart", "together"):
        assert polyassay("run", "-s", "s", *flags, "--judge", judge).returncode == 0
        lines = polyassay("verdicts", "latest", "--json").stdout.splitlines()
        found = {v["tool"]: (v["outcome"], v["passed"]) for v in map(json.loads, lines)}
        assert found == {"right": ("passed", 2), "wrong": ("failed", 1), "broken": ("unbuilt", 0)}
