"""Completion for shells and man pages, as shells and man take them."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from command_line import PolyAssay
from polyassay.cli import COMMANDS
from real_parts import need


def completions(polyassay: PolyAssay, *words: str) -> list[str]:
    said = polyassay(
        COMP_WORDS=" ".join(("polyassay", *words)),
        COMP_CWORD=str(len(words)),
        _POLYASSAY_COMPLETE="bash_complete",
    )
    return [line.partition(",")[2] for line in said.stdout.splitlines() if line]


def test_commands_flags_suites_and_runs_are_completed(polyassay: PolyAssay, tmp_path: Path) -> None:
    assert completions(polyassay, "sco") == ["score"]
    assert completions(polyassay, "collect", "st") == ["status"]
    assert "--answered-only" in completions(polyassay, "run", "--a")
    assert completions(polyassay, "run", "-s", "starter-p") == ["starter-python"]
    assert completions(polyassay, "suites", "show", "starter-j") == ["starter-java"]
    assert completions(polyassay, "collect", "run", "x", "--preset", "cur") == ["cursor-agent"]
    assert completions(polyassay, "score", "") == []  # no run, and no store is made for it
    assert not (tmp_path / ".polyassay").exists()
    task: dict[str, Any] = {"id": "a", "language": "python", "style": "function", "entry": "f"}
    task |= {"prompts": {"en": "x"}, "tests": [{"code": "assert f() == 1"}]}
    (tmp_path / "t.jsonl").write_text(json.dumps(task))
    (tmp_path / "a.jsonl").write_text('{"task": "a", "answer": "def f(): return 1"}')
    polyassay("suites", "add", "native", "--from", "t.jsonl", "--as", "ours")
    assert polyassay("run", "-s", "ours", "-c", "a.jsonl", "-j", "1").returncode == 0
    assert polyassay("runs", "label", "latest", "release").returncode == 0
    assert completions(polyassay, "score", "rel") == ["release"]
    assert completions(polyassay, "compare", "la") == ["latest"]
    assert completions(polyassay, "leaderboard", "ch") == ["check"]
    assert "--label" in completions(polyassay, "leaderboard", "--la")
    for words in (("leaderboard",), ("leaderboard", "show"), ("leaderboard", "--label")):
        assert completions(polyassay, *words, "rel") == ["release"], words
    for words in (("runs", "delete"), ("run", "--again"), ("leaderboard", "--runs")):
        assert completions(polyassay, *words, "rel") == ["release"], words
    assert completions(polyassay, "leaderboard", "--runs", "latest,rel") == ["latest,release"]
    assert completions(polyassay, "suites", "remove", "our") == ["ours"]
    assert polyassay("score", "release").returncode == 0


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_for_each_shell(polyassay: PolyAssay, tmp_path: Path, shell: str) -> None:
    said = polyassay("completion", shell)
    assert said.returncode == 0
    assert "_POLYASSAY_COMPLETE" in said.stdout
    if program := shutil.which(shell):
        (tmp_path / "script").write_text(said.stdout)
        checked = subprocess.run([program, "-n", tmp_path / "script"], check=False)
        assert checked.returncode == 0


def test_every_command_has_a_man_page_that_groff_sets(polyassay: PolyAssay, tmp_path: Path) -> None:
    said = polyassay("manual", "-o", "man1", "--json")
    pages = json.loads(said.stdout)["pages"]
    assert {f"polyassay-{name}.1" for name in COMMANDS} | {"polyassay.1"} <= set(pages)
    assert "polyassay-collect-new.1" in pages
    groff = need("groff")
    for name in pages:
        page = tmp_path / "man1" / name
        command = [groff, "-man", "-ww", "-Tutf8", "-Kutf8", page]
        set_ = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (set_.returncode, set_.stderr) == (0, ""), name
        assert "SYNOPSIS" in re.sub(".\b", "", set_.stdout)  # bold is struck twice
