"""Snippets in DS-1000's published form, from the file to verdicts by both judges."""

import json
from pathlib import Path

from command_line import PolyAssay, write_jsonl
from ds1000_rows import ROW

ANSWERS = {
    "right": "ordered = sorted(data)",
    "wrong": "ordered = data",
    "loops": "ordered = sorted([ x for x in data ])",
    "broken": "ordered = ((",
    "forged": "import sys\nordered = sorted(data)\nsys.modules['__main__'].exec_test = None",
}
OUTCOMES = {
    "right": "passed",
    "wrong": "failed",
    "loops": "failed",
    "broken": "unbuilt",
    "forged": "passed",
    "reference": "passed",
    "empty": "failed",
}


def test_both_judges_agree_on_snippets(polyassay: PolyAssay, tmp_path: Path) -> None:
    write_jsonl(tmp_path / "ds1000.jsonl", [ROW])
    added = polyassay("suites", "add", "ds1000", "--from", "ds1000.jsonl")
    assert added.returncode == 0, added.stderr
    tools = ["-c", "reference", "-c", "empty"]
    for tool, answer in ANSWERS.items():
        write_jsonl(tmp_path / f"{tool}.jsonl", [{"task": "0", "answer": answer}])
        tools += ["-c", f"{tool}={tool}.jsonl"]
    for judge in ("auto", "together"):
        ran = polyassay("run", "-s", "ds1000", *tools, "--judge", judge)
        assert ran.returncode == 0, ran.stderr
        lines = polyassay("verdicts", "latest", "--json").stdout.splitlines()
        verdicts = [json.loads(line) for line in lines]
        assert {each["tool"]: each["outcome"] for each in verdicts} == OUTCOMES
        assert {each["judged"] for each in verdicts} == {"apart" if judge == "auto" else "together"}
