"""Reads a chat's changes to files: SEARCH and REPLACE blocks, unified diffs, patches."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from polyassay.candidates.chat import FENCE
from polyassay.candidates.solution.blocks import above, in_fence, in_remark
from polyassay.model import Language

SEARCH = re.compile(r"<{5,9} ?(?:SEARCH|ORIGINAL|HEAD)>?\s*$", re.IGNORECASE)
DIVIDER = re.compile(r"={5,9}\s*$")
REPLACE = re.compile(r">{5,9} ?(?:REPLACE|UPDATED|MODIFIED)\b.*$", re.IGNORECASE)
HEADER = re.compile(r"(?:\+\+\+|\*\*\* (?:Update|Add) File:) +\"?([^\s\"]+)")
OTHER_HEADER = re.compile(r"--- |diff --git |index [0-9a-f]+\.\.|(?:new|deleted) file mode|\*\*\* ")
HUNK = re.compile(r"@@(?: -\d+(?:,\d+)? \+(\d+))?")
NOWHERE = "/dev/null"


@dataclass(frozen=True, slots=True)
class Change:
    path: str  # as the chat writes it; empty where it gives no name
    search: str
    replace: str
    line: int  # in the chat, where it begins
    at: int = 0  # the line of the file, where a diff says so
    in_diff: bool = False


def changes_in(text: str, language: Language) -> list[Change]:
    """All changes, in the chat's order."""
    lines = text.splitlines(keepends=True)
    found = [*_replacements(lines, language), *_diffs(lines, language)]
    return sorted(found, key=lambda change: change.line)


def _replacements(lines: Sequence[str], language: Language) -> Iterator[Change]:
    start: int | None = None
    part: list[str] = []
    search: list[str] = []
    for number, line in enumerate(lines):
        if start is None:
            if SEARCH.match(line.strip(" \t\r\n>")):
                start, part, search = number, [], []
        elif DIVIDER.match(line.rstrip()) and not search:
            search, part = [*part, ""], []  # never empty, so that a second divider is content
        elif REPLACE.match(line.rstrip()):
            path = _named(lines[:start], language)
            yield Change(path, "".join(search), "".join(part), start)
            start = None
        else:
            part.append(line)


def _named(before: Sequence[str], language: Language) -> str:
    """By the line above, in or behind the fence around, or above that."""
    upto = len(before)
    while upto and not before[upto - 1].strip():
        upto -= 1
    last = before[upto - 1] if upto else ""
    if FENCE.match(last.rstrip("\r\n")) is None:
        inside = above(before[max(upto - 3, 0) : upto], language)
        own = in_remark(last, language) or (inside if inside and inside.sure else None)
        if own:
            return own.path
        upto = next((n for n in range(upto, 0, -1) if FENCE.match(before[n - 1].rstrip())), upto)
        last = before[upto - 1] if upto else ""
    if name := in_fence(last, language):
        return name.path
    name = above(before[: upto - 1] if FENCE.match(last.rstrip("\r\n")) else before, language)
    return name.path if name else ""


def _diffs(lines: Sequence[str], language: Language) -> Iterator[Change]:
    """The hunks of unified diffs and of patches; in a fence for diffs a header may be missing."""
    path: str | None = None
    hunk: list[str] = []
    start = at = 0
    fenced = False
    for number, line in enumerate([*lines, "```\n"]):
        bare = line.rstrip("\r\n")
        mark = FENCE.match(bare)
        header = HEADER.match(bare)
        hunks = HUNK.match(bare)
        follows = lines[number + 1] if number + 1 < len(lines) else ""
        ends = bool(OTHER_HEADER.match(bare)) and (bare[:3] != "---" or follows[:4] == "+++ ")
        inside = path is not None and (not bare or bare[0] in " +-\\")
        if inside and not (mark or header or hunks or ends):
            hunk.append(line)
            continue
        if path is not None and hunk:
            yield from _change(path, hunk, start, at)
        hunk, start, at = [], number, 0
        if header:
            path = header[1] if header[1] != NOWHERE else None
        elif hunks and path is not None:
            at = int(hunks[1] or 0)
        elif mark is not None:
            fenced = not fenced
            is_diff = fenced and mark[3].lower() in ("diff", "patch", "udiff")
            path = _named(lines[: number + 1], language) if is_diff else None
        elif not ends:
            path = None


def _change(path: str, hunk: Sequence[str], line: int, at: int) -> Iterator[Change]:
    kept = [each if each.strip() else " \n" for each in hunk if each[0] != "\\"]
    while kept and not kept[-1].strip():
        kept = kept[:-1]
    if not any(each[0] in "+-" for each in kept):
        return
    before, after = (
        "".join(each[1:] for each in kept if each[0] in marks) for marks in (" -", " +")
    )
    yield Change(path.removeprefix("a/").removeprefix("b/"), before, after, line, at, True)
