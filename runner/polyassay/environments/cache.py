"""The user's cache folder: what can be made again, shared by all working folders of a user.

An entry is named by what it was made from. ENTRY.used beside it is locked (shared) by every process
that uses the entry, until that process ends; its time is that of the last use. `freeing.py` frees
what nobody has used for long.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from polyassay.errors import PolyAssayError

VARIABLE = "POLYASSAY_CACHE"
USED = ".used"
_held: dict[Path, IO[str]] = {}  # marks that this process has locked


def cache_folder(home: Path) -> Path:
    """The user's, or one of the working folder's own where the user has none to write to."""
    folder = user_cache()
    return folder if folder else home / "cache"


def user_cache() -> Path | None:
    """The user's cache folder, if it can be written and nobody else can have put things there."""
    if named := os.environ.get(VARIABLE):
        folder = Path(named).absolute()
        if problem := _problem(folder):
            raise PolyAssayError(
                f"{folder} cannot be the cache folder: {problem}.",
                hint=f"Name one of your own in {VARIABLE}, or leave that variable away.",
            )
        return folder
    try:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "polyassay"
    except RuntimeError:  # a user without a home
        return None
    return None if not folder.is_absolute() or _problem(folder) else folder


def _problem(folder: Path) -> str:
    """Why programs from this folder cannot be trusted, or none be written; or nothing."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        about = folder.stat()
    except OSError as error:
        return (error.strerror or str(error)).lower()
    if about.st_uid != os.geteuid():
        return "it belongs to another user"
    if about.st_mode & 0o002:
        return "everybody can write to it"
    return "" if os.access(folder, os.W_OK) else "it cannot be written"


def use(entry: Path) -> Path:
    """Keeps an entry from being freed until this process ends. Called before it is looked for."""
    mark = mark_of(entry)
    with suppress(OSError):  # where nothing can be written, nothing is freed either
        mark.parent.mkdir(parents=True, exist_ok=True)
        while not _is(_held.get(mark), mark):
            file = mark.open("a")
            fcntl.flock(file, fcntl.LOCK_SH)
            _held[mark] = file  # the entry may have been freed while we waited: then once more
        os.utime(mark)
    return entry


def mark_of(entry: Path) -> Path:
    return entry.with_name(entry.name + USED)


def _is(file: IO[str] | None, path: Path) -> bool:
    """Whether the open file is still the one at that path."""
    try:
        return file is not None and os.path.samestat(os.fstat(file.fileno()), path.stat())
    except OSError:
        return False


@contextmanager
def making(entry: Path) -> Iterator[None]:
    """Keeps other processes from making the same entry at the same time."""
    entry.parent.mkdir(parents=True, exist_ok=True)
    with entry.with_name(entry.name + ".lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
