"""What became of a folder that was laid out: which stubs are filled, what else was touched."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath

from polyassay.candidates.solution.paths import is_test_file
from polyassay.collect.manifest import Item, Manifest, StubFile, plain, sha256
from polyassay.collect.stubs import notebook

LARGEST = 1 << 20  # bytes; no answer is near it
# What builds and editors leave, which is no edit of anything.
LEFTOVERS = frozenset(("build", "bin", "out", "target", "__pycache__", "node_modules"))


class State(StrEnum):
    UNTOUCHED = "untouched"
    FILLED = "filled"
    EDITED_OUTSIDE = "edited_outside"  # filled, and something besides the stub was changed
    MISSING = "missing"  # deleted, or no text any more


@dataclass(frozen=True, slots=True)
class Found:
    """One item as it is now."""

    item: Item
    state: State
    answers: Mapping[str, str]  # solution path (or "") → what is taken; only where it was filled
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Status:
    found: tuple[Found, ...]
    changed: tuple[str, ...]  # files that were to stay as they are
    deleted: tuple[str, ...]
    added: tuple[str, ...]  # files that were not laid out here, and that are not taken

    @property
    def counts(self) -> dict[str, int]:
        counted = Counter(one.state for one in self.found)
        return {str(state): counted[state] for state in State}


def status(folder: Path, manifest: Manifest) -> Status:
    changed, deleted = [], []
    for path, checksum in manifest.given.items():
        content = _content(folder / path)
        if content is None:
            deleted.append(path)
        elif sha256(content) != checksum:
            changed.append(path)
    own = {path for item in manifest.items for path in item.stubs} | manifest.given.keys()
    added = [path for path in _files_below(folder) if path not in own]
    outside = (*changed, *deleted)
    found = tuple(_found(folder, item, outside, added) for item in manifest.items)
    taken = {one.item.solution_root + path for one in found for path in one.answers}
    others = tuple(path for path in added if path not in taken)
    return Status(found, tuple(changed), tuple(deleted), others)


def _found(folder: Path, item: Item, outside: tuple[str, ...], added: Sequence[str]) -> Found:
    texts = {path: read_answer_file(folder, path) for path in item.stubs}
    if bad := [path for path, text in texts.items() if text is None]:
        return Found(item, State.MISSING, {}, f"{bad[0]} is gone, a link, too large or no text")
    there = {path: text for path, text in texts.items() if text is not None}
    if all(is_untouched(item.stubs[path], text) for path, text in there.items()):
        return Found(item, State.UNTOUCHED, {})
    touched = any(item.folder and path.startswith(f"{item.folder}/") for path in outside)
    if item.is_notebook:
        return _found_notebook(item, next(iter(there.values())), touched)
    answers = {
        item.stubs[path].solution: without_header(item.stubs[path], text)
        for path, text in there.items()
    }
    answers |= _helpers(folder, item, added)
    return Found(item, State.EDITED_OUTSIDE if touched else State.FILLED, answers)


def _helpers(folder: Path, item: Item, added: Sequence[str]) -> dict[str, str]:
    """New sources beside solution files; the reader of answers decides which of them count."""
    root = item.solution_root
    if not root:
        return {}
    beside = {(PurePosixPath(path).parent, PurePosixPath(path).suffix) for path in item.stubs}
    new = (path for path in added if not is_test_file(PurePosixPath(path.removeprefix(root))))
    texts = {
        path.removeprefix(root): read_answer_file(folder, path)
        for path in new
        if (PurePosixPath(path).parent, PurePosixPath(path).suffix) in beside
    }
    return {path: text for path, text in texts.items() if text is not None}


def _found_notebook(item: Item, text: str, touched: bool) -> Found:
    """Editors write outputs and counts into notebooks; only what its cells say counts."""
    (stub,) = item.stubs.values()
    try:
        answer, context = notebook.answer_in(text), notebook.context_in(text)
    except notebook.NotANotebook as error:
        return Found(item, State.MISSING, {}, f"{next(iter(item.stubs))} is no notebook: {error}")
    if sha256(plain(answer)) == stub.cell_sha256:
        return Found(item, State.UNTOUCHED, {})
    touched = touched or sha256(plain(context)) != stub.context_sha256
    answers = {"": without_header(stub, answer)}
    return Found(item, State.EDITED_OUTSIDE if touched else State.FILLED, answers)


def is_untouched(stub: StubFile, text: str) -> bool:
    return sha256(text.encode()) == stub.sha256 or sha256(plain(text)) == stub.plain_sha256


def without_header(stub: StubFile, text: str) -> str:
    """The tool's part: the comment of ours goes where it still stands as it was written."""
    lines = text.splitlines(keepends=True)
    header = "".join(lines[: stub.header_lines])
    if stub.header_sha256 and sha256(header.encode()) == stub.header_sha256:
        return "".join(lines[stub.header_lines :])
    return text


def _content(path: Path) -> bytes | None:
    """A file's bytes; a link could lead anywhere, and is not followed."""
    if path.is_symlink() or not path.is_file():
        return None
    return path.read_bytes()


def read_answer_file(folder: Path, path: str) -> str | None:
    """A stub's text; None for a link (also on the way to it), for no text and for a huge one."""
    place = folder / path
    inside = place.resolve().is_relative_to(folder.resolve())
    if not inside or place.is_symlink() or not place.is_file() or place.stat().st_size > LARGEST:
        return None
    try:
        return place.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return None


def _files_below(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("sample-*/**/*")):
        parts = path.relative_to(folder).parts
        leftover = any(part.startswith(".") or part in LEFTOVERS for part in parts[:-1])
        if not leftover and not parts[-1].startswith(".") and path.is_file():
            yield "/".join(parts)
