"""A missing part skips tests for a newcomer, fails them under CI, and is asked for in one way."""

import ast
import re
from pathlib import Path

import pytest

from real_parts import COMMANDS, ROOT, missing, need

TESTS = ROOT / "tests"


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("POLYASSAY_MAY_LACK", raising=False)
    monkeypatch.delenv("CI", raising=False)


@pytest.mark.usefixtures("nothing_installed")
@pytest.mark.parametrize("part", COMMANDS)
def test_a_newcomer_skips_and_is_told_why(part: str) -> None:
    with pytest.raises(pytest.skip.Exception, match="apt-get install"):
        need(part)


@pytest.mark.usefixtures("nothing_installed")
def test_ci_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="CI must have tmux"):
        need("tmux")


@pytest.mark.usefixtures("nothing_installed")
def test_ci_may_lack_what_it_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    monkeypatch.setenv("POLYASSAY_MAY_LACK", "public data, tmux")
    with pytest.raises(pytest.skip.Exception):
        need("tmux")
    with pytest.raises(pytest.fail.Exception):
        need("gradle")


def test_parts_are_known_by_name() -> None:
    with pytest.raises(ValueError, match="tmuks"):
        missing("tmuks", "misspelt")


def test_tools_setup_installs_every_part_that_is_a_command() -> None:
    text = (ROOT / "tools" / "setup").read_text("utf-8")
    asked = set(re.findall(r"^ *(?:need|want) (\S+) (\S+)$", text, re.MULTILINE))
    assert asked == set(COMMANDS.values())


def test_nothing_else_skips_tests() -> None:
    folders = (TESTS, *(path for path in TESTS.rglob("*") if path.is_dir() and _has_tests(path)))
    files = {path for folder in folders for path in folder.glob("*.py")}
    assert {TESTS / "made.py", TESTS / "end_to_end" / "engines.py"} <= files
    found = {
        str(path.relative_to(TESTS))
        for path in files
        if "real_parts" not in path.name and _skips(path.read_text("utf-8"))
    }
    assert not found, "they skip by themselves; real_parts.py has what they want"


def _has_tests(folder: Path) -> bool:
    """A golden case's folder has answers and tests of a suite, which are no tests of ours."""
    return any(folder.glob("test_*.py")) and "golden" not in folder.parent.parts


@pytest.mark.parametrize(
    "source",
    [
        "pytest.skip('x')",
        "@pytest.mark.skipif(True)\ndef test(): ...",
        "from pytest import importorskip",
        "from pytest import mark as m",
        "from unittest import SkipTest",
        "raise unittest.SkipTest",
    ],
)
def test_a_skip_is_found(source: str) -> None:
    assert _skips(source)


def _skips(source: str) -> bool:
    """Whether the code itself does; tests of suites have other tests in their texts."""
    nodes = list(ast.walk(ast.parse(source)))
    used = (ast.unparse(node) for node in nodes if isinstance(node, ast.Attribute))
    imported = {
        f"{node.module}.{each.name}"
        for node in nodes
        if isinstance(node, ast.ImportFrom)
        for each in node.names
    }
    odd = re.compile(r"pytest\.(skip|importorskip|mark\.skip)|unittest\.(skip|SkipTest)")
    # Of a `mark` that is imported by itself nothing would be seen.
    return "pytest.mark" in imported or any(map(odd.match, (*used, *imported)))
