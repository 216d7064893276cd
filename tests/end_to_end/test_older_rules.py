"""Runs that were judged under older rules: told, and judged again."""

import json
import sqlite3
from pathlib import Path

from command_line import PolyAssay, write_jsonl

TASK = {
    "id": "echo",
    "language": "python",
    "style": "program",
    "tests": [{"name": "test_0", "stdin": "a\n", "stdout": "a\n"}],
    "prompts": {"en": "Print the input."},
}
ODD = "\x1b]52;c;aGk=\x07\u202e\x9b"
ANSWERS = [
    {"task": "echo", "tool": "trims", "answer": "print(input(), end='  ')\n"},
    {"task": "echo", "tool": "fails", "answer": f"raise ValueError({ODD + chr(0xD800)!r})\n"},
]


def make_old(store: Path) -> str:
    """Makes the only run one of release 0.1.0, which recorded no rules; gives its id."""
    with sqlite3.connect(store) as connection:
        ((run, text),) = connection.execute("SELECT id, provenance FROM runs").fetchall()
        facts = json.loads(text)
        assert facts.pop("rules") >= 2
        connection.execute("UPDATE runs SET provenance = ?", [json.dumps(facts)])
    return str(run)


def test_an_old_run_is_judged_again_and_kept(polyassay: PolyAssay, tmp_path: Path) -> None:
    write_jsonl(tmp_path / "tasks.jsonl", [TASK])
    write_jsonl(tmp_path / "answers.jsonl", ANSWERS)
    polyassay("suites", "add", "native", "--from", "tasks.jsonl", "--as", "s")
    first = polyassay("run", "-s", "s", "-c", "answers.jsonl", "--json")
    assert first.returncode == 0, first.stderr
    assert json.loads(first.stdout)["tools"]["trims"]["solved"] == 1
    old = make_old(tmp_path / ".polyassay" / "store.sqlite")

    resumed = polyassay("run", "--resume", old)
    assert resumed.returncode == 2
    assert f"polyassay run --again {old}" in resumed.stderr
    again = polyassay("run", "--again", old, "--json")
    assert again.returncode == 0, again.stderr
    new = json.loads(again.stdout)["run"]
    assert new != old

    compared = polyassay("compare", old, "trims", "trims", "--with", new)
    assert compared.returncode == 2
    assert "under other rules" in compared.stderr
    board = polyassay("leaderboard")
    assert f"polyassay run --again {old}" in board.stdout
    assert polyassay("compare", new, "trims", "fails").returncode == 0

    for command in (("verdicts", new), ("show", new, "echo"), ("export", new, "--format", "csv")):
        shown = polyassay(*command)
        assert shown.returncode == 0, shown.stderr
        assert not {"\x1b", "\x9b", "\x07", "\u202e"} & set(shown.stdout)
