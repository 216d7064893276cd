"""Answers that use a suite's jars, from the command line, with both engines."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from command_line import PolyAssay, write_jsonl
from java_library import METHOD, write_suite
from real_parts import need

ANSWERS = {
    "imports": "import bounds.Bounds;\n" + METHOD,
    "imports all": "import bounds.*;\n" + METHOD,
    "spells out": METHOD.replace("Bounds.", "bounds.Bounds."),
    "imports nothing": METHOD,
}


@pytest.fixture
def place(polyassay: PolyAssay, tmp_path: Path) -> Path:
    write_suite(tmp_path / "bounded")
    rows = [{"task": "clamp", "tool": tool, "answer": text} for tool, text in ANSWERS.items()]
    write_jsonl(tmp_path / "answers.jsonl", rows)
    added = polyassay("suites", "add", "native", "--from", "bounded")
    assert added.returncode == 0, added.stderr
    return tmp_path


def verdict(polyassay: PolyAssay, tool: str) -> dict[str, Any]:
    shown = polyassay("show", "latest", "clamp", "--tool", tool, "--json")
    assert shown.returncode == 0, shown.stderr
    found: dict[str, Any] = json.loads(shown.stdout)
    return found


@pytest.mark.parametrize("engine", ["worker", "gradle"])
def test_what_is_imported_is_found(polyassay: PolyAssay, place: Path, engine: str) -> None:
    if engine == "gradle":
        need("gradle")
    ran = polyassay("run", "-s", "bounded", "-c", "answers.jsonl", "--engine", engine)
    assert ran.returncode == 0, ran.stderr
    found = {tool: verdict(polyassay, tool) for tool in ANSWERS}
    outcomes = {tool: one["outcome"] for tool, one in found.items()}
    assert outcomes == dict.fromkeys(ANSWERS, "passed") | {"imports nothing": "unbuilt"}
    assert "Bounds" in found["imports nothing"]["reason"]


def test_a_run_has_its_jars_when_its_suite_is_gone(polyassay: PolyAssay, place: Path) -> None:
    assert polyassay("run", "-s", "bounded", "-c", "answers.jsonl").returncode == 0
    shutil.rmtree(place / "bounded")
    shutil.rmtree(place / ".polyassay" / "suites")
    shutil.rmtree(place / ".polyassay" / "jars")
    again = polyassay("replay", "latest", "clamp", "--tool", "imports")
    assert again.returncode == 0, again.stderr
    assert "passed 2/2" in again.stdout
