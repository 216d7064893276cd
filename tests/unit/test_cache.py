"""The cache folder: whose it may be, what is in it, and what is freed."""

import os
import time
from pathlib import Path

import pytest

from polyassay.environments import cache as cache_module
from polyassay.environments.cache import VARIABLE, cache_folder, mark_of, use
from polyassay.environments.freeing import entries, free, size_of, unused
from polyassay.errors import PolyAssayError

LONG_AGO = time.time() - 90 * 86_400


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def make(place: Path, *, used: float = LONG_AGO) -> Path:
    """An entry of one file, last used then."""
    place.mkdir(parents=True)
    (place / "file").write_bytes(b"x" * 10_000)
    os.utime(place, (used, used))
    return place


def let_go(entry: Path) -> None:
    """As when the process that uses an entry ends."""
    cache_module._held.pop(mark_of(entry)).close()


def test_the_users_folder_comes_before_the_working_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "mine"))
    assert cache_folder(tmp_path / "home") == tmp_path / "mine" / "polyassay"
    assert (tmp_path / "mine" / "polyassay").stat().st_mode & 0o777 == 0o700
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    assert cache_folder(tmp_path / "home") == tmp_path / "me" / ".cache" / "polyassay"


def test_without_a_folder_of_the_users_the_working_folder_has_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE)
    (tmp_path / "file").touch()
    for base in (str(tmp_path / "file"), "relative"):
        monkeypatch.setenv("XDG_CACHE_HOME", base)
        assert cache_folder(tmp_path / "home") == tmp_path / "home" / "cache"
    monkeypatch.delenv("XDG_CACHE_HOME")

    def nobody() -> Path:
        raise RuntimeError

    monkeypatch.setattr(Path, "home", nobody)
    assert cache_folder(tmp_path / "home") == tmp_path / "home" / "cache"


def test_a_folder_in_which_others_can_put_programs_is_refused(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(cache))
    assert cache_folder(cache.parent) == cache
    cache.chmod(0o777)
    with pytest.raises(PolyAssayError, match="everybody can write to it"):
        cache_folder(cache.parent)
    cache.chmod(0o755)
    monkeypatch.setattr(os, "geteuid", lambda: cache.stat().st_uid + 1)
    with pytest.raises(PolyAssayError, match="belongs to another user"):
        cache_folder(cache.parent)


def test_a_folder_that_cannot_be_written_is_refused(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(cache))
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(PolyAssayError, match="cannot be written"):
        cache_folder(cache.parent)


def test_entries_have_kinds_and_sizes(cache: Path) -> None:
    make(use(cache / "java-17-abc"))
    make(cache / "environments" / "0123")
    plan = cache / "plans" / "java-17-abc" / "4567"
    plan.parent.mkdir(parents=True)
    plan.write_bytes(b"plan")
    found = {entry.kind: entry.place for entry in entries(cache)}
    assert found == {
        "images": cache / "java-17-abc",
        "environments": cache / "environments" / "0123",
        "plans": plan,
    }
    assert size_of(cache / "java-17-abc") >= 10_000
    let_go(cache / "java-17-abc")


def test_what_was_not_used_for_long_is_freed(cache: Path) -> None:
    old, new = make(cache / "java-old"), make(use(cache / "java-new"))
    let_go(new)
    (found,) = unused(cache, time.time() - 86_400)
    assert found.place == old
    assert free(found)
    assert sorted(path.name for path in cache.iterdir()) == ["java-new", "java-new.used"]


def test_what_a_process_uses_is_never_freed(cache: Path) -> None:
    entry = make(use(cache / "java-17"))
    (found,) = unused(cache, time.time() + 1)
    assert not free(found) and entry.is_dir()
    let_go(entry)
    assert free(found)
    assert list(cache.iterdir()) == []


def test_an_entry_that_was_freed_can_be_used_again(cache: Path) -> None:
    entry = make(use(cache / "java-17"))
    mark_of(entry).unlink()  # freed while this process had lost its lock, or by hand
    use(entry)
    (found,) = entries(cache)
    assert not free(found), "the new mark is locked"
    let_go(entry)


def test_what_is_being_made_has_a_day(cache: Path) -> None:
    make(cache / "tmpold")
    make(cache / "tmpnew", used=time.time() - 60)
    assert [entry.place.name for entry in unused(cache, time.time())] == ["tmpold"]


def test_a_folder_without_room_for_marks_still_serves(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert use(tmp_path / "file" / "entry") == tmp_path / "file" / "entry"
