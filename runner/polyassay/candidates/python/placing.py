"""Which file a fenced block of Python is, by what it defines and what others import."""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from polyassay.candidates.python.syntax import definitions, names_bound, parse
from polyassay.model import Task

_TESTS = re.compile(r"^\s*(?:import|from)\s+(?:unittest|pytest)\b", re.M)


def file_of(task: Task, code: str, taken: Mapping[str, str]) -> str:
    """The solution file whose stub defines the same, else the module that others import it from.

    Empty for tests, and for what cannot be told.
    """
    tree = parse(code)
    if tree is None or _TESTS.search(code):
        return ""
    bound = names_bound(tree)
    for path, stub in task.solution.items():
        known = parse(stub)
        wanted = set(definitions(known)) if known is not None else set()
        if path == task.main_file and task.entry:
            wanted.add(task.entry)
        if wanted & bound:
            return path
    folder = PurePosixPath(task.main_file).parent
    for module, names in _imports([*taken.values(), *task.solution.values()]):
        if names & bound:
            return (folder / f"{module}.py").as_posix()
    return ""


def _imports(sources: list[str]) -> Iterator[tuple[str, set[str]]]:
    for source in sources:
        tree = parse(source)
        for node in ast.walk(tree) if tree is not None else ():
            if isinstance(node, ast.ImportFrom) and node.module and node.level <= 1:
                yield node.module, {alias.name for alias in node.names}
