"""Verdicts of one run come from one environment."""

from pathlib import Path

import pytest

from command_line import PolyAssay, write_jsonl

SUITE = (
    'version = "1.0"\n[libraries]\ncurrent = ["texttable==1.7.0"]\nolder = ["texttable==1.6.7"]\n'
)
TASK = 'language = "python"\nstyle = "function"\nentry = "version"\nlibraries = ["texttable"]\n'
ANSWER = "import texttable\ndef version():\n    return texttable.__version__\n"


@pytest.fixture
def place(polyassay: PolyAssay, tmp_path: Path) -> Path:
    task = tmp_path / "tabled" / "version"
    task.mkdir(parents=True)
    (task.parent / "suite.toml").write_text(SUITE)
    (task / "task.toml").write_text(TASK)
    (task / "prompt.en.md").write_text("Which version is it?")
    (task / "tests.py").write_text('def test_it():\n    assert version() == "1.7.0"\n')
    write_jsonl(tmp_path / "answers.jsonl", [{"task": "version", "tool": "a", "answer": ANSWER}])
    added = polyassay("suites", "add", "native", "--from", "tabled")
    assert added.returncode == 0, added.stderr
    return tmp_path


def test_a_run_goes_on_with_its_own_libraries_or_not_at_all(
    polyassay: PolyAssay, place: Path
) -> None:
    ran = polyassay("run", "-s", "tabled", "-c", "answers.jsonl")
    assert ran.returncode == 0, ran.stderr
    assert "passed 1/1" in polyassay("replay", "latest", "version").stdout
    assert polyassay("env", "create", "tabled", "--set", "older").returncode == 0
    for again in (["replay", "latest", "version"], ["run", "--resume", "latest"]):
        refused = polyassay(*again)
        assert refused.returncode == 2
        assert "had the current libraries of tabled" in refused.stderr
        assert "polyassay env create tabled --set current" in refused.stderr
    assert polyassay("env", "create", "tabled", "--set", "current").returncode == 0
    assert "as in the run" in polyassay("replay", "latest", "version").stdout
