"""Lists the cache folder's entries with their sizes, and frees those not used for long."""

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from polyassay.environments.cache import USED, mark_of

# Kinds of entries, with where they are.
_KINDS = {
    "images": "java-*",
    "plans": "plans/*/*",
    "environments": "environments/*",
    "suites": "suites/*",
    "nodes": "nodes/*",  # what runs on a cluster brought to this machine
    "harness": "harness-*",
    "unfinished": "tmp*",  # what a process that was killed has left
}
_NO_ENTRIES = (USED, ".lock")


@dataclass(frozen=True, slots=True)
class CacheEntry:
    kind: str
    place: Path
    size: int  # bytes on the disk
    used: float  # when it was used last


def unused(cache: Path, before: float) -> Iterator[CacheEntry]:
    """Entries that nobody has used since then; what is being made has a day to be finished."""
    yesterday = time.time() - 86_400
    for entry in entries(cache):
        if entry.used <= (min(before, yesterday) if entry.kind == "unfinished" else before):
            yield entry


def entries(cache: Path) -> Iterator[CacheEntry]:
    """Everything that can be freed."""
    for kind, pattern in _KINDS.items():
        for place in sorted(cache.glob(pattern)):
            if not place.name.endswith(_NO_ENTRIES):
                with suppress(FileNotFoundError):  # another process may free it meanwhile
                    yield CacheEntry(kind, place, size_of(place), _last_use(place))


def free(entry: CacheEntry) -> bool:
    """Frees an entry; False where a process uses it."""
    mark = mark_of(entry.place)
    with mark.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        _remove(entry.place)
        for name in (USED, ".lock"):
            entry.place.with_name(entry.place.name + name).unlink(missing_ok=True)
    return True


def size_of(place: Path) -> int:
    """What it takes on the disk; links are not followed."""
    found = [place.lstat()]
    for folder, folders, files in os.walk(place):
        for name in (*folders, *files):
            with suppress(FileNotFoundError):
                found.append(Path(folder, name).lstat())
    return sum(about.st_blocks for about in found) * 512


def _last_use(place: Path) -> float:
    """Where nobody has locked a mark, as for plans, that of the entry itself."""
    mark = mark_of(place)
    return mark.stat().st_mtime if mark.exists() else place.lstat().st_mtime


def _remove(place: Path) -> None:
    """By a rename first, so that nobody finds half of it."""
    if not place.is_dir() or place.is_symlink():
        place.unlink(missing_ok=True)
        return
    with tempfile.TemporaryDirectory(dir=place.parent, ignore_cleanup_errors=True) as aside:
        place.rename(Path(aside, "entry"))
        shutil.rmtree(aside, ignore_errors=True)
