"""Which file a fenced block of Java is, by the types that it declares."""

import re
from collections.abc import Mapping
from itertools import pairwise
from pathlib import PurePosixPath

from polyassay.candidates.java.tokens import TYPE_WORDS, Token, tokens
from polyassay.model import Task

_TESTS = re.compile(
    r"^\s*import\s+(?:static\s+)?(?:org\.junit|junit\.framework|org\.testng)\b", re.M
)


def file_of(task: Task, code: str, _taken: Mapping[str, str]) -> str:
    """The solution file of a type that it declares, else a helper named like its main type.

    Empty for tests, for a source that comes with the task, and for what declares no type.
    """
    if _TESTS.search(code):
        return ""
    declared = _types(tokens(code))
    for path in task.solution:
        if PurePosixPath(path).stem in declared:
            return path
    own = {PurePosixPath(path).stem for path in task.support}
    if not declared or own & declared.keys():
        return ""
    main = next((name for name, public in declared.items() if public), next(iter(declared)))
    return (PurePosixPath(task.main_file).parent / f"{main}.java").as_posix()


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
