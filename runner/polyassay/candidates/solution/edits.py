"""Blocks that say what to search for in a file and what to put in its place, as aider asks for."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from polyassay.candidates.solution.paths import solution_path
from polyassay.model import Task

SEARCH = re.compile(r"<{5,9} ?SEARCH>?\s*$")
DIVIDER = re.compile(r"={5,9}\s*$")
REPLACE = re.compile(r">{5,9} ?REPLACE\s*$")
FAR = 3  # lines above a block that may name its file
MARKS = re.compile(r"^[\s#*`>:-]+|[\s*`:]+$")


class Misfit(Exception):
    """Says which block does not fit its file."""


@dataclass(frozen=True, slots=True)
class Replacement:
    path: str  # as the chat writes it
    search: str
    replace: str


def edited_files(task: Task, text: str) -> dict[str, str]:
    """The files that the blocks change, as they are afterwards; empty where there is no block."""
    files: dict[str, str] = {}
    before = task.main_file
    for block in _replacements(text):
        path = solution_path(task, block.path) if block.path else before
        if not path:
            continue  # a file that is not the answer's to change
        known = files.get(path, task.solution.get(path, ""))
        files[path] = _replaced(known, block, path)
        before = path
    return files


def _replacements(text: str) -> Iterator[Replacement]:
    """Blocks of a file that the task does not know are left out by their paths."""
    above: list[str] = []
    part: list[str] | None = None
    search: list[str] = []
    path = ""
    for line in text.splitlines(keepends=True):
        if part is None:
            if SEARCH.match(line.strip()):
                path, part, search = _named(above), [], []
            else:
                above = [*above, line][-FAR:]
        elif DIVIDER.match(line.rstrip()) and not search:
            search, part = [*part, ""], []  # never empty, so that a second divider is content
        elif REPLACE.match(line.rstrip()):
            yield Replacement(path, "".join(search), "".join(part))
            part, above = None, []
        else:
            part.append(line)


def _named(above: list[str]) -> str:
    for line in reversed(above):
        bare = MARKS.sub("", line.strip())
        if re.fullmatch(r"[\w./\\-]*\w\.\w{1,8}", bare):
            return bare
    return ""


def _replaced(known: str, block: Replacement, path: str) -> str:
    if not block.search.strip():
        return (
            known + block.replace
            if not known.strip()
            else known.rstrip("\n") + "\n" + block.replace
        )
    if block.search in known:
        return known.replace(block.search, block.replace, 1)
    lines, wanted = known.splitlines(keepends=True), block.search.splitlines()
    while wanted and not wanted[0].strip():
        wanted = wanted[1:]
    while wanted and not wanted[-1].strip():
        wanted = wanted[:-1]
    for start in range(len(lines) - len(wanted) + 1):
        given = lines[start : start + len(wanted)]
        if [line.strip() for line in given] == [line.strip() for line in wanted]:
            margin = _margin(given, wanted)
            new = [
                margin + line if line.strip() else line for line in block.replace.splitlines(True)
            ]
            return "".join((*lines[:start], *new, *lines[start + len(wanted) :]))
    raise Misfit(f"a SEARCH block is not in {path}")


def _margin(given: list[str], wanted: list[str]) -> str:
    """The indentation that the chat has left out of a whole block."""
    for line, said in zip(given, wanted, strict=True):
        if said.strip():
            own = line[: len(line) - len(line.lstrip())]
            return own.removesuffix(said[: len(said) - len(said.lstrip())])
    return ""
