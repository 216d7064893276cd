"""Makes the changes that a chat asks for in files."""

from collections.abc import Callable, Mapping, Sequence

from polyassay.candidates.solution.changes import Change
from polyassay.candidates.solution.paths import solution_path
from polyassay.model import Task


class Misfit(Exception):
    """Says which block does not fit its file."""


def changed_files(
    task: Task, changes: Sequence[Change], given: Mapping[str, tuple[str, int]]
) -> dict[str, str]:
    """The files that the changes make, of the stubs or of what the chat gives whole.

    `given` has a whole file's text and the line where the chat gives it: what came before that
    is in it already.
    """
    stubs = {**task.solution, **{path: text for path, (text, _) in given.items()}}
    files: dict[str, str] = {}
    before = task.main_file
    for change in changes:
        path = solution_path(task, change.path) if change.path else before
        if not path:
            continue  # a file that is not the answer's to change
        if path in given and given[path][1] > change.line:
            continue
        known = {**stubs, **files}
        fits = _changed(known.get(path, ""), change)
        for other in known if fits is None else ():
            if (fits := _changed(known[other], change)) is not None:
                path = other  # a chat may name the file no more
                break
        if fits is None:
            kind = "hunk of a diff" if change.in_diff else "SEARCH block"
            raise Misfit(f"a {kind} is not in {path}")
        files[path] = fits
        before = path
    return files


def _changed(known: str, change: Change) -> str | None:
    """None where the change does not fit."""
    if not change.search.strip():
        return _added(known, change)
    lines = known.splitlines(keepends=True)
    search, replace = change.search.splitlines(), change.replace.splitlines(keepends=True)
    if start := _place(lines, search, change.at, str.rstrip):
        return "".join((*lines[: start - 1], *replace, *lines[start - 1 + len(search) :]))
    if change.search in known:
        return known.replace(change.search, change.replace, 1)
    search, replace = _without_blank_ends(search, replace)
    if start := _place(lines, search, change.at, str.strip):
        given = lines[start - 1 : start - 1 + len(search)]
        margin = _margin(given, search)
        new = [margin + line if line.strip() else line for line in replace]
        return "".join((*lines[: start - 1], *new, *lines[start - 1 + len(search) :]))
    return None


def _place(
    lines: Sequence[str], wanted: Sequence[str], at: int, plain: Callable[[str], str]
) -> int:
    """The first line, from 1, of the place that is next to `at`; 0 for none."""
    bare = [plain(line) for line in lines]
    sought = [plain(line) for line in wanted]
    ends = range(len(lines) - len(wanted) + 1)
    places = [n + 1 for n in ends if bare[n : n + len(wanted)] == sought]
    return min(places, key=lambda place: abs(place - at) if at else place, default=0)


def _without_blank_ends(search: list[str], replace: list[str]) -> tuple[list[str], list[str]]:
    """Blank lines around what is searched for count for nothing, and neither do as many behind."""
    for first in (0, -1):
        while search and not search[first].strip():
            keep = slice(1, None) if first == 0 else slice(None, -1)
            search = search[keep]
            if replace and not replace[first].strip():
                replace = replace[keep]
    return search, replace


def _added(known: str, change: Change) -> str:
    """Without anything to search for: where a diff says, else at the end."""
    lines = known.splitlines(keepends=True)
    if not known.strip():
        return known + change.replace
    if 0 < change.at <= len(lines):
        return "".join((*lines[: change.at - 1], change.replace, *lines[change.at - 1 :]))
    return known.rstrip("\n") + "\n" + change.replace


def _margin(given: Sequence[str], wanted: Sequence[str]) -> str:
    """The indentation that the chat has left out of a whole block."""
    for line, said in zip(given, wanted, strict=True):
        if said.strip():
            own = line[: len(line) - len(line.lstrip())]
            return own.removesuffix(said[: len(said) - len(said.lstrip())])
    return ""
