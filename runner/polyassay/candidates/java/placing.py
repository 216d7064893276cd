"""Which files a fenced block of Java is, by the types that it declares."""

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import PurePosixPath

from polyassay.candidates.java.tokens import (
    TYPE_WORDS,
    Token,
    blank,
    directives,
    edited,
    missing_closers,
    tokens,
)
from polyassay.candidates.solution.paths import Placed
from polyassay.model import Task

_TESTS = re.compile(
    r"^\s*import\s+(?:static\s+)?(?:org\.junit|junit\.framework|org\.testng)\b", re.M
)


def file_of(task: Task, code: str, _every: Sequence[str]) -> Placed:
    """The solution file of a type that it declares, else a helper named like its main type.

    None for tests, for a source that comes with the task, and for what declares no type.
    """
    declared = _types(tokens(code))
    for path in task.solution:
        if PurePosixPath(path).stem in declared:
            return Placed(path)
    if not declared or _TESTS.search(code):
        return Placed(is_use=True)
    own = {PurePosixPath(path).stem for path in task.support}
    if own & declared.keys():
        return Placed()
    main = next((name for name, public in declared.items() if public), next(iter(declared)))
    return Placed((PurePosixPath(task.main_file).parent / f"{main}.java").as_posix())


def parts_of(task: Task, code: str) -> list[str]:
    """One part for each type that has a file of its own: public ones, and those of the task.

    Other types stay with the one above them; imports are each part's.
    """
    found = tokens(code)
    files = {PurePosixPath(path).stem for path in (*task.solution, *task.support)}
    owners = [name for name, public in _types(found).items() if public or name in files]
    if len(owners) < 2 or missing_closers(code):
        return [code]
    lines = [(found[place[0]], found[place[-1]]) for _, _, place in directives(found)]
    heads = [code[first.start : last.end] for first, last in lines]
    bare = edited(code, [blank(code, first, last) for first, last in lines])
    parts: list[str] = []
    at = 0
    for token in tokens(bare):
        if token.text == "}" and token.depth == 0:
            part, at = bare[at : token.end], token.end
            if not parts or set(_types(tokens(part))) & set(owners):
                parts.append(part)
            else:
                parts[-1] += part
    head = "".join(f"{line}\n" for line in dict.fromkeys(heads))
    return [f"{head}\n{part.strip()}\n" for part in parts]


def _types(found: list[Token]) -> dict[str, bool]:
    """The types outside of all braces, and whether they are public."""
    outside = [token for token in found if token.depth == 0]
    declared: dict[str, bool] = {}
    public = False
    for word, name in pairwise(outside):
        if word.text == "public":
            public = True
        elif word.text in (";", "}"):
            public = False
        elif word.text in TYPE_WORDS and name.kind == "word":
            declared[name.text] = public
            public = False
    return declared
