"""`suites widen` in a real terminal, with what failing answers of a real run say."""

import json
from contextlib import closing
from pathlib import Path

from command_line import PolyAssay, command, environment, write_jsonl
from real_parts import need
from terminal import Terminal

PAIR = {
    "id": "pair",
    "language": "python",
    "style": "function",
    "entry": "pair",
    "prompts": {"en": "Put a number and a name together."},
    "tests": [{"code": "assert pair(1, 'b') == [1, 'b']"}],
    "reference": "def pair(a, b):\n    return [a, b]\n",
}
ANSWERS = {
    "tuple": "def pair(a, b):\n    return (a, b)\n",
    "swapped": "def pair(b, a):\n    return [a, b]\n",
    "wrong": "def pair(a, b):\n    return None\n",
}


def test_widening_from_answers_to_a_suite(polyassay: PolyAssay, tmp_path: Path) -> None:
    need("tmux")
    write_jsonl(tmp_path / "mine.jsonl", [PAIR])
    assert polyassay("suites", "add", "native", "--from", "mine.jsonl").returncode == 0
    flags = []
    for tool, answer in ANSWERS.items():
        write_jsonl(tmp_path / f"{tool}.jsonl", [{"task": "pair", "answer": answer}])
        flags += ["-c", f"{tool}=./{tool}.jsonl"]
    assert polyassay("run", "-s", "mine", *flags).returncode == 0
    listed = polyassay("suites", "widen", "mine", "--answers", "latest", "--json").stdout
    met = {row["set"]: row["answers"] for row in map(json.loads, listed.splitlines())}
    meeting = {name for name, count in met.items() if count}
    assert meeting >= {"results-ListToTuple", "results-AnyIterable", "arguments-PermuteArgs(1, 0)"}
    assert list(met.values()) == sorted(met.values(), reverse=True)  # what answers meet comes first
    widen = command("suites", "widen", "mine", "--answers", "latest")
    with closing(Terminal(widen, tmp_path, environment())) as terminal:
        terminal.wait_for("Put a number", "1 failing answer meets it", "Accept it too?")
        terminal.type("y")
        terminal.press("Enter")
        terminal.wait_for("arguments-PermuteArgs", "results-ListToTuple")
        terminal.type("q")
        terminal.press("Enter")
        terminal.wait_for("1 assertion set added")
        terminal.wait_for_end()
    added = polyassay("suites", "add", "native", "--from", "mine-wide.jsonl", "--as", "wide")
    assert added.returncode == 0, added.stderr
    run = polyassay("run", "-s", "wide", *flags, "--json")
    tools = json.loads(run.stdout)["tools"]
    assert {name: of["solved"] for name, of in tools.items()}["wrong"] == 0
    assert sum(of["solved"] for of in tools.values()) == 1
