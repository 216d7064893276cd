"""`polyassay collect` on the starter suites: projects that build, edits taken exactly, judged."""

import json
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import agents
from command_line import PolyAssay
from polyassay.suites.datasets import datasets_folder
from polyassay.suites.native import folder as native_folder
from real_parts import need

SUITES = ("-s", "starter-java", "-s", "starter-python", "-s", "starter-notebooks")


@pytest.fixture
def laid_out(polyassay: PolyAssay, tmp_path: Path) -> Path:
    said = polyassay("collect", "new", "mine", *SUITES, "--tool", "finch", "--samples", "2")
    assert said.returncode == 0, said.stderr
    return tmp_path / "mine"


def counts(polyassay: PolyAssay) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(polyassay("collect", "status", "mine", "--json").stdout)
    return found


def test_untouched_stubs_build_as_a_project(polyassay: PolyAssay, laid_out: Path) -> None:
    gradle = need("gradle")
    project = laid_out / "sample-1"
    build = subprocess.run(
        [gradle, "--offline", "--no-daemon", "--console=plain", "compileJava"],
        cwd=project,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert build.returncode == 0, build.stdout + build.stderr
    classes = {path.stem for path in project.glob("*/build/classes/**/*.class")}
    assert len(classes) == 30
    assert "PadLeft" in classes
    command = [sys.executable, "-m", "compileall", "-q", "."]
    assert subprocess.run(command, cwd=project, check=False).returncode == 0
    assert len(list(project.rglob("*.pyc"))) == 33
    found = counts(polyassay)  # what a build leaves is no edit
    assert (found["untouched"], found["outside"]["added"]) == (190, [])


def test_an_edit_of_20_stubs_is_taken_exactly(
    polyassay: PolyAssay, laid_out: Path, tmp_path: Path
) -> None:
    references = _references()
    made = json.loads((laid_out / "collect.json").read_text())
    items = [item for item in made["items"] if item["task"] in references]
    chosen = random.Random(3).sample(items, 20)
    written = {}
    for item in chosen:
        (path,) = item["stubs"]
        (laid_out / path).write_text(references[item["task"]])
        written[item["task"], item["sample"]] = references[item["task"]]
    (laid_out / "sample-0/test_mine.py").write_text("def test_it(): assert True\n")
    found = counts(polyassay)
    assert (found["filled"], found["untouched"]) == (20, 170)
    assert found["outside"]["added"] == ["sample-0/test_mine.py"]
    said = polyassay(
        *("collect", "take", "mine", "-o", "finch.jsonl", "--json", "--model", "m-1"),
        *("--mode", "completion", "--tool-version", "2.0", "--not-edited-by-person"),
    )
    assert json.loads(said.stdout)["taken"] == 20
    rows = [json.loads(line) for line in (tmp_path / "finch.jsonl").open()]
    assert {(row["task"], row["sample"]): row["answer"] for row in rows} == written
    assert {row["origin"]["model"] for row in rows} == {"m-1"}
    assert {row["origin"]["edited_by_person"] for row in rows} == {False}
    again = polyassay("collect", "take", "mine", "-o", "again.jsonl")  # nobody is asked twice
    assert "unknown" not in again.stderr
    assert (tmp_path / "again.jsonl").read_text() == (tmp_path / "finch.jsonl").read_text()


def test_an_agent_fills_stubs_and_is_judged(
    polyassay: PolyAssay, laid_out: Path, tmp_path: Path
) -> None:
    references = {task: text for task, text in _references().items() if "class " in text}
    right = dict(sorted(references.items())[:3])
    (tmp_path / "answers.json").write_text(json.dumps(right))
    start = agents.script(tmp_path, "edits", agents.EDITS)
    command = agents.command(*start, "{prompt_file}", tmp_path / "answers.json", "{task}", "1")
    said = polyassay("collect", "run", "mine", "--command", command, "-j", "2", "--json")
    assert said.returncode == 0, said.stderr
    assert json.loads(said.stdout) == {
        "folder": "mine",
        "ran": 190,
        "edited": 6,
        "timed_out": 0,
        "exit_not_0": 190,
    }
    assert polyassay("collect", "take", "mine", "-o", "finch.jsonl").returncode == 0
    rows = [json.loads(line) for line in (tmp_path / "finch.jsonl").open()]
    assert {row["origin"]["mode"] for row in rows} == {"agent"}
    suites = ("-s", "starter-java", "-s", "starter-python")
    judged = polyassay("run", *suites, "-c", "finch=finch.jsonl", "--json", "-j", "1")
    score = json.loads(judged.stdout)["tools"]["finch"]
    assert score["solved"] == 3
    assert score["outcomes"]["passed"] == 6


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("new", "x", "-s", "no-such", "--tool", "t"), 'there is no suite "no-such"'),
        (("new", "x", "--tool", "t"), "No suite was named."),
        (("status", "nothing"), "nothing has no collect.json."),
        (("take", "nothing"), "nothing has no collect.json."),
        (("run", "nothing", "--command", "x"), "nothing has no collect.json."),
        (("run", "nothing", "--preset", "aidr"), "nothing has no collect.json."),
        (("run", "nothing"), "Give DIR and one of --command, --preset and --acp."),
    ],
)
def test_bad_use(polyassay: PolyAssay, arguments: tuple[str, ...], problem: str) -> None:
    said = polyassay("collect", *arguments)
    assert said.returncode == 2
    assert problem in said.stderr
    assert "Traceback" not in said.stderr


def _references() -> dict[str, str]:
    """Task → what its author holds to be right, from the folders that suites are written in."""
    found = {}
    for suite in ("starter-java", "starter-python"):
        for place in native_folder.task_folders(datasets_folder() / suite):
            sources = [*place.glob("reference.py"), *place.glob("*.java")]
            sources = [path for path in sources if not re.search(r"Test\.java$", path.name)]
            if len(sources) == 1:
                found[place.name] = sources[0].read_text()
    return found


def test_presets_are_listed(polyassay: PolyAssay) -> None:
    said = polyassay("collect", "run", "--list")
    assert "aider (tried here)" in said.stdout
    assert "codex (not tried)" in said.stdout
