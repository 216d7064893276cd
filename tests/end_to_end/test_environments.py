"""Verdicts of one run come from one environment, which all working folders share."""

import fcntl
import json
import os
import platform
import shutil
import subprocess
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from command_line import PolyAssay, write_jsonl
from polyassay.dispatch.node import needs_of, prepare
from polyassay.environments.interpreters import interpreter_of
from polyassay.errors import PolyAssayError
from polyassay.harness import RunSettings
from polyassay.model import Suite
from polyassay.sandbox.none import NoSandbox

SUITE = (
    'version = "1.0"\n[libraries]\ncurrent = ["texttable==1.7.0"]\nolder = ["texttable==1.6.7"]\n'
)
TASK = 'language = "python"\nstyle = "function"\nentry = "version"\nlibraries = ["texttable"]\n'
ANSWER = "import texttable\ndef version():\n    return texttable.__version__\n"
MAKING = "making an environment for tabled: 1 library"


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


@pytest.fixture
def cache(polyassay: PolyAssay, place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder with one environment, which a run has made."""
    monkeypatch.setenv("POLYASSAY_CACHE", str(place / "cache"))
    assert MAKING in run(polyassay)
    return place / "cache"


def run(polyassay: PolyAssay) -> str:
    """What a run of the suite says on its way."""
    ran = polyassay("run", "-s", "tabled", "-c", "answers.jsonl", "--json")
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["tools"]["a"]["outcomes"]["passed"] == 1
    return ran.stderr


def freed(polyassay: PolyAssay, *flags: str) -> Any:
    ran = polyassay("gc", "--json", *flags)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def test_an_environment_is_shared_and_freed(polyassay: PolyAssay, cache: Path, place: Path) -> None:
    (environment,) = (path for path in (cache / "environments").iterdir() if path.is_dir())
    kept = {path.name for path in (place / ".polyassay" / "environments").iterdir()}
    assert kept == {"tabled.json"}, "the working folder has no environment of its own"
    (place / ".polyassay" / "environments" / "tabled.json").unlink()  # as in another folder
    assert MAKING not in run(polyassay)

    assert freed(polyassay)["freed"] == {}, "it was used a moment ago"
    assert "environments" in freed(polyassay, "--days", "0", "--dry-run")["freed"]
    with (cache / "environments" / f"{environment.name}.used").open() as mark:
        fcntl.flock(mark, fcntl.LOCK_SH)  # as a run does
        assert freed(polyassay, "--days", "0")["in_use"] == 1
    assert environment.is_dir()
    told = polyassay("gc", "--days", "0").stdout
    assert "environments" in told and f"freed in {cache}" in told
    assert not environment.exists()


def test_an_empty_node_gets_the_libraries_of_each_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLYASSAY_CACHE", str(tmp_path / "cache"))
    settings = RunSettings(NoSandbox(), tmp_path)
    sets = tomllib.loads(SUITE)["libraries"]
    suite = Suite("tabled", "1.0", "0" * 64, (), libraries={k: tuple(v) for k, v in sets.items()})
    bare = needs_of(settings, {"tabled": suite}, {})
    homes = {}
    for name in sets:  # two commands, one after the other, and both at work
        needs = replace(bare, environments={"tabled": (name, platform.python_version())})
        homes[name] = prepare(needs, lambda _: b"").home
    for name, home in homes.items():
        code = "from texttable import __version__; print('texttable==' + __version__)"
        python = interpreter_of(home, "tabled").executable
        told = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
        assert [told.stdout.strip()] == sets[name]
    other = replace(bare, environments={"tabled": ("older", "2.7.18")})
    with pytest.raises(PolyAssayError, match="the Python of tabled's libraries is version 3"):
        prepare(other, lambda _: b"")


def test_an_environment_of_an_earlier_version_serves_on(
    polyassay: PolyAssay, cache: Path, place: Path
) -> None:
    (environment,) = (path for path in (cache / "environments").iterdir() if path.is_dir())
    home = place / ".polyassay" / "environments"
    environment.rename(home / "tabled-0123456789ab")
    (home / "tabled.json").write_text('{"set": "current", "folder": "tabled-0123456789ab"}')
    shutil.rmtree(cache)
    assert MAKING not in run(polyassay)


def test_pip_installs_where_uv_fails(
    polyassay: PolyAssay, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = place / "asked"
    uv = place / "bin" / "uv"
    uv.parent.mkdir()
    uv.write_text(f'#!/bin/sh\necho "$@" > "{asked}"\nexit 1\n')
    uv.chmod(0o755)
    monkeypatch.setenv("PATH", str(uv.parent), prepend=os.pathsep)
    monkeypatch.setenv("POLYASSAY_CACHE", str(place / "cache"))  # which has no environment yet
    assert polyassay("env", "create", "tabled").returncode == 0
    assert asked.read_text().startswith("pip install --quiet --python ")
    assert asked.read_text().endswith("bin/python texttable==1.7.0\n")
    assert "1/1" in polyassay("run", "-s", "tabled", "-c", "answers.jsonl").stdout
