"""What the maintainer's documents and definitions promise is there."""

import os
import re
import tomllib
from typing import Any

import pytest

from real_parts import COMMANDS, OTHERS
from scripts import TOOLS, script

ROOT = TOOLS.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LOCK = (ROOT / "requirements.lock").read_text("utf-8")
WORKFLOW = (ROOT / ".github" / "workflows" / "tests.yml").read_text("utf-8")
OWN_PYTHON = """#!/usr/bin/env -S sh -c 'exec "$(dirname "$0")/../.venv/bin/python" "$0" "$@"'"""


def plain(requirement: str) -> str:
    return re.split(r"[\[<>=~! ;]", requirement)[0].lower().replace("_", "-")


def test_the_lock_file_pins_every_library_and_names_no_place() -> None:
    lines = [line for line in LOCK.splitlines() if line and not line.lstrip().startswith("#")]
    assert [line for line in lines if not re.match(r"[\w.-]+(\[[\w,-]+\])?==\S+", line)] == []
    pinned = {plain(line) for line in lines}
    extras = PROJECT["optional-dependencies"].values()
    asked = {plain(one) for group in (PROJECT["dependencies"], *extras) for one in group}
    assert asked - {"polyassay"} <= pinned
    assert not re.search(r"://|index-url|find-links", LOCK)
    assert "requirements.lock" in (TOOLS / "setup").read_text("utf-8")


def test_the_hosted_definition_says_that_it_has_not_run_and_calls_the_same_tests() -> None:
    assert "has not run" in WORKFLOW.splitlines()[0]
    assert "tools/test" in WORKFLOW
    for versions in (["3.11", "3.12", "3.13", "3.14"], ["17", "21", "25"]):
        assert ", ".join(f'"{version}"' for version in versions) in WORKFLOW
    # Gradle builds on one JDK, and the tests judge with the matrix's.
    assert "POLYASSAY_TEST_JDK: ${{ steps.tested.outputs.path }}" in WORKFLOW
    assert "JAVA_HOME=$POLYASSAY_TEST_JDK" in (TOOLS / "test").read_text("utf-8")
    listed = {c.rpartition(" ")[2] for c in PROJECT["classifiers"] if "Python :: 3." in c}
    assert listed == {"3.11", "3.12", "3.13", "3.14"}


def test_the_hosted_definition_installs_or_finds_every_part_that_is_a_command() -> None:
    """Docker's engine and a browser are in the service's own image."""
    for part, (command, package) in COMMANDS.items():
        assert re.search(rf"\b({command}|{package})\b", WORKFLOW), part


def test_the_hosted_definition_may_lack_only_what_tests_ask_for() -> None:
    """A word that no test asks for would hide a part that is missing."""
    line = next(line for line in WORKFLOW.splitlines() if "POLYASSAY_MAY_LACK:" in line)
    named = re.sub(r"\$\{\{.*?&& ' ' \|\| '|' \}\}", "", line.partition(": ")[2]).split(",")
    assert set(named) <= {*COMMANDS, *OTHERS}
    assert "java" not in named


def test_commits_and_ci_run_the_same_checks() -> None:
    assert "entry: tools/lint" in (ROOT / ".pre-commit-config.yaml").read_text("utf-8")
    assert "\ntools/lint\n" in (TOOLS / "test").read_text("utf-8")


def test_documented_gradle_tasks_exist() -> None:
    build = (ROOT / "build.gradle").read_text("utf-8")
    known = {*re.findall(r"^ *task (\w+)", build, re.MULTILINE), "check", "build", "clean"}
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / ".pre-commit-config.yaml"]
    named = {
        task
        for page in pages
        for task in re.findall(r":java-harness:(\w+)", page.read_text("utf-8"))
    }
    assert named
    assert named <= known


@pytest.mark.parametrize(
    "path", [path for path in sorted(TOOLS.iterdir()) if path.is_file() and not path.suffix]
)
def test_scripts_can_be_run_and_say_how(path: Any) -> None:
    first, second = path.read_text("utf-8").splitlines()[:2]
    assert os.access(path, os.X_OK)
    assert first in (OWN_PYTHON, "#!/usr/bin/env python3", "#!/usr/bin/env bash", "#!/bin/sh")
    assert second.startswith(('"""', "# "))
    if first == "#!/usr/bin/env python3":  # any interpreter must do
        foreign = r"^\s*(?:from|import) (?:polyassay|numpy|scipy|hostility|metering)\b"
        assert not re.search(foreign, path.read_text("utf-8"), re.MULTILINE)


def test_only_new_files_that_were_measured_can_be_below_the_floor() -> None:
    measured = {
        name: {"summary": {"percent_covered": percent}}
        for name, percent in (("new.py", 89.9), ("good.py", 90.0), ("old.py", 10.0))
    }
    low = script("new-files-covered").below_floor(measured, ["new.py", "good.py", "page.md"])
    assert low == {"new.py": 89.9}
