"""Suites are kept whole or not at all, and found again as they were."""

import dataclasses
import json
import os
from pathlib import Path

import pytest

from polyassay.errors import PolyAssayError
from polyassay.model import Language, Style, Suite, Task, Test
from polyassay.suites.contents import statistics
from polyassay.suites.make import make_suite
from polyassay.suites.registry import Registry

TASK = Task(
    id="a",
    suite="mine",
    language=Language.PYTHON,
    style=Style.FUNCTION,
    prompts={"en": "Do it.", "zh": "做。"},
    tests=(Test("test_0", "assert f()"), Test("test_1", "assert f() == 1")),
    entry="f",
    libraries=("numpy",),
    tags=("open",),
)


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    shipped = tmp_path / "datasets" / "first"
    (shipped / "echo" / "cases").mkdir(parents=True)
    (shipped / "suite.toml").write_text('version = "1.0"\ndescription = "Programs."\n')
    (shipped / "echo" / "task.toml").write_text('language = "python"\nstyle = "program"\n')
    (shipped / "echo" / "cases" / "a.out").write_text("a\n")
    return Registry(tmp_path / "home", tmp_path / "datasets")


def suite_of(*tasks: Task, name: str = "mine") -> Suite:
    return make_suite(name, tasks, version="1", description="Mine.", source="here")


def test_added_suites_come_back_equal(registry: Registry) -> None:
    suite = suite_of(TASK, dataclasses.replace(TASK, id="b"))
    assert registry.add(suite) is True
    assert registry.load("mine") == suite
    assert registry.names() == ["first", "mine"]
    assert registry.add(suite) is False


def test_another_suite_of_the_name_needs_a_word(registry: Registry) -> None:
    registry.add(suite_of(TASK))
    changed = suite_of(dataclasses.replace(TASK, entry="g"))
    with pytest.raises(PolyAssayError, match="another suite"):
        registry.add(changed)
    assert registry.load("mine") == suite_of(TASK)
    assert registry.add(changed, replace=True) is True
    assert registry.load("mine") == changed


def test_shipped_suites_are_read_once_and_again_when_they_change(
    registry: Registry, tmp_path: Path
) -> None:
    first = registry.load("first")
    assert first.tasks[0].tests == (Test("a", stdout="a\n"),)
    assert registry.load("first") == first
    (tmp_path / "datasets/first/echo/cases/a.out").write_text("b\n")
    assert registry.load("first").tasks[0].tests == (Test("a", stdout="b\n"),)
    with pytest.raises(PolyAssayError, match="another suite"):
        registry.add(suite_of(TASK, name="first"), replace=True)


def test_the_same_suite_judged_by_newer_rules_is_kept_anew(registry: Registry) -> None:
    older = suite_of(dataclasses.replace(TASK, together_because="older rules"))
    assert registry.add(older) and not registry.add(older)
    assert registry.add(suite_of(TASK))
    assert registry.load("mine").tasks[0].together_because == ""


def test_overviews(registry: Registry) -> None:
    registry.add(suite_of(TASK))
    shipped, added = (registry.overview(name) for name in registry.names())
    assert (shipped.name, shipped.tasks, shipped.languages) == ("first", 1, ("python",))
    assert shipped.shipped and not added.shipped
    assert (added.version, added.tasks, added.description) == ("1", 1, "Mine.")


def test_unknown_suite(registry: Registry) -> None:
    for look in (registry.load, registry.overview):
        with pytest.raises(PolyAssayError, match='there is no suite "frist"') as caught:
            look("frist")
        assert caught.value.hint.startswith('did you mean "first"?')
    with pytest.raises(PolyAssayError, match="there is no suite"):
        registry.load("../datasets/first")


def test_public_suite_that_was_not_added(tmp_path: Path) -> None:
    registry = Registry(tmp_path)
    for name, kind in [
        ("odex", "odex"),
        ("mbupp-nl", "mbupp"),
        ("humaneval-x-java", "humaneval-x"),
    ]:
        with pytest.raises(PolyAssayError) as caught:
            registry.load(name)
        assert f"suites add {kind} --from" in caught.value.hint


@pytest.mark.parametrize("name", ["", ".hidden", "a/b", "..", "a b", "x" * 101])
def test_names_that_are_no_folders(registry: Registry, name: str) -> None:
    with pytest.raises(PolyAssayError, match="cannot be the name"):
        registry.add(suite_of(TASK, name=name))


def test_a_write_that_fails_leaves_nothing(
    registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(PolyAssayError, match="No space left"):
        registry.add(suite_of(TASK))
    assert registry.names() == ["first"]
    assert list((tmp_path / "home" / "suites").iterdir()) == []


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("tasks.jsonl", "assert f()", "assert g()"),
        ("tasks.jsonl", '"tests"', '"tests'),
        ("suite.json", '"checksum": "', '"checksum": "0'),
        ("suite.json", "{", ""),
    ],
)
def test_broken_suites_are_noticed_and_mended(
    registry: Registry, tmp_path: Path, file: str, old: str, new: str
) -> None:
    registry.add(suite_of(TASK))
    path = tmp_path / "home" / "suites" / "mine" / file
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(PolyAssayError, match="broken"):
        registry.load("mine")
    assert registry.add(suite_of(TASK), replace=True)
    assert registry.load("mine") == suite_of(TASK)


def test_statistics_count_what_reports_group_by() -> None:
    together = dataclasses.replace(TASK, id="b", together_because="mocks", prompts={"en": "x"})
    counts = statistics(suite_of(TASK, together))
    assert (counts.tasks, counts.tests) == (2, 4)
    assert counts.by_prompt_language == {
        "en": {"tasks": 2, "tests": 4, "libraries": 1, "open": 2},
        "zh": {"tasks": 1, "tests": 2, "libraries": 1, "open": 1},
    }
    assert counts.judged == {"apart": 1, "together": 1}
    assert counts.together_because == {"mocks": 1}
    assert counts.libraries == {"numpy": 2}
    json.dumps(dataclasses.asdict(counts))
