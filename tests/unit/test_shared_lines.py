"""No code stands in two places: six lines that are the same are one function."""

from pathlib import Path

import pytest

from shared_lines import Shared, lines_of, shared_lines, tree

JAVA = "java-harness/src/main/java/com/polyassay/"
# What two places may share, with the reason.
NAMED = {
    (f"{JAVA}execute/Results.java", f"{JAVA}wire/TestMessages.java"): "a message lists its fields",
    (f"{JAVA}plan/Planner.java", f"{JAVA}wire/CompileMessages.java"): "a message lists its fields",
}
MIGRATIONS = "runner/polyassay/store/migrations/versions/"  # a step of the past is never changed


def _paths(shared: Shared) -> tuple[str, str]:
    return shared.one.rpartition(":")[0], shared.other.rpartition(":")[0]


def _may(paths: tuple[str, str]) -> bool:
    return paths in NAMED or all(path.startswith(MIGRATIONS) for path in paths)


@pytest.fixture(scope="module")
def found() -> list[Shared]:
    return shared_lines(tree())


def test_no_six_lines_stand_twice(found: list[Shared]) -> None:
    assert [shared for shared in found if not _may(_paths(shared))] == []


def test_each_named_pair_is_still_there(found: list[Shared]) -> None:
    assert {_paths(shared) for shared in found} >= NAMED.keys()


def test_lines_are_found_again_whatever_stands_between(tmp_path: Path) -> None:
    body = [f"a{n} = {n}" for n in range(6)]
    (tmp_path / "one.py").write_text("\n".join(["import os", *body, "one = 1"]))
    (tmp_path / "two.py").write_text("\n".join([*body[:3], "", "# why", *body[3:], "two = 1"]))
    files = {name: lines_of(tmp_path / name) for name in ("one.py", "two.py")}
    assert shared_lines(files) == [Shared("one.py:2", "two.py:1", 6)]
    assert shared_lines(files, least=7) == []


def test_imports_do_not_count(tmp_path: Path) -> None:
    names = "".join(f"    n{n},\n" for n in range(9))
    (tmp_path / "a.py").write_text(f"from m import (\n{names})\n")
    assert lines_of(tmp_path / "a.py") == []
