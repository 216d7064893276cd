"""The steps of the hosted action, with the real command and a real run."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from command_line import command, environment

FOLDER = Path(__file__).parents[2] / ".github" / "actions" / "compare"
TASKS = 12


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A suite of twelve tasks, a tool that is right and one that is wrong."""
    tasks = [
        {
            "id": f"plus-{i}",
            "language": "python",
            "style": "function",
            "entry": "plus",
            "prompts": {"en": f"Add {i}."},
            "tests": [{"name": "test_0", "code": f"assert plus(1) == {i + 1}"}],
        }
        for i in range(1, TASKS + 1)
    ]
    (tmp_path / "tasks.jsonl").write_text("".join(json.dumps(task) + "\n" for task in tasks))
    for tool, sign in (("right", "+"), ("wrong", "-")):
        rows = [
            {"task": f"plus-{i}", "answer": f"def plus(x):\n    return x {sign} {i}\n"}
            for i in range(1, TASKS + 1)
        ]
        (tmp_path / f"{tool}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "polyassay").write_text(f'#!/bin/sh\nexec {" ".join(command())} "$@"\n')
    (tmp_path / "polyassay").chmod(0o755)
    add = command("suites", "add", "native", "--from", "tasks.jsonl", "--as", "plus")
    subprocess.run(add, cwd=tmp_path, env=environment(), check=True, capture_output=True)
    return tmp_path


def act(work: Path, baseline: str, candidate: str, **more: str) -> tuple[int, str]:
    given = {
        "SUITE": "plus",
        "BASELINE": f"{baseline}={baseline}.jsonl",
        "CANDIDATE": f"{candidate}={candidate}.jsonl",
        "GITHUB_STEP_SUMMARY": str(work / "summary.md"),
        "POLYASSAY": str(work / "polyassay"),
    }
    done = subprocess.run(
        [FOLDER / "compare"],
        cwd=work,
        env=environment() | given | more,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    return done.returncode, done.stdout


def test_a_worse_tool_is_stopped_and_a_better_one_let_through(work: Path) -> None:
    assert act(work, "right", "wrong", MARGIN="5")[0] == 100
    told = (work / "summary.md").read_text()
    assert told.startswith("### right is better")
    assert "wrong is worse than right by more than 5 points" in told
    assert (work / "polyassay-report.html").stat().st_size > 10_000
    code, said = act(work, "wrong", "right", REPORT="other.html")
    assert (code, (work / "other.html").exists()) == (0, True)
    assert "right is better" in said


def test_no_answer_can_be_a_failure(work: Path) -> None:
    (work / "same.jsonl").write_text((work / "right.jsonl").read_text())
    assert act(work, "right", "same")[0] == 0
    assert act(work, "right", "same", FAIL_IF_CANNOT_TELL="true")[0] == 100


def test_the_action_hands_over_what_the_script_reads() -> None:
    action, script = (FOLDER / "action.yml").read_text(), (FOLDER / "compare").read_text()
    given = set(re.findall(r"^ {8}([A-Z_]+): \$\{\{ inputs\.", action, re.M))
    read = set(re.findall(r"\$\{?([A-Z_]+)", script)) - {"GITHUB_STEP_SUMMARY", "POLYASSAY"}
    assert given == read
    asked = set(re.findall(r"inputs\.([\w-]+)", action))
    assert asked == set(re.findall(r"^  ([\w-]+):$", action.partition("runs:")[0], re.M))
    assert os.access(FOLDER / "compare", os.X_OK)
