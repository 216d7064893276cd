"""Which file a fenced block of Python is, by what it defines and what others import."""

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import PurePosixPath

from polyassay.candidates.python.modules import imports_of
from polyassay.candidates.python.syntax import definitions, names_bound, parse
from polyassay.candidates.solution.paths import Placed, is_helper
from polyassay.model import Task

_TESTS = re.compile(r"^\s*(?:import|from)\s+(?:unittest|pytest)\b", re.M)


def file_of(task: Task, code: str, every: Sequence[str]) -> Placed:
    """The module that others import it from, else the solution file whose stub defines the same.

    None for tests, and for what cannot be told.
    """
    tree = parse(code)
    if tree is None:
        return Placed()
    own = {PurePosixPath(path).stem: path for path in task.solution}
    modules = dict(_imports_in(code))
    bound = names_bound(tree) - {name for names in modules.values() for name in names}
    used = frozenset(modules)
    if modules.keys() & own.keys() and not definitions(tree):
        return Placed(is_use=True, modules=used)
    if _TESTS.search(code):
        return Placed(modules=used)
    folder = PurePosixPath(task.main_file).parent
    for other in (*every, *task.solution.values()):
        for module, names in _imports_in(other) if other != code else ():
            helper = (folder / f"{module}.py").as_posix()
            if names & bound and module not in own and is_helper(task, helper):
                return Placed(helper, modules=used)
    for path, stub in task.solution.items():
        known = parse(stub)
        wanted = set(definitions(known)) if known is not None else set()
        if path == task.main_file and task.entry:
            wanted.add(task.entry)
        if wanted & bound:
            return Placed(path, modules=used)
    return Placed(modules=used)


def parts_of(_task: Task, code: str) -> list[str]:
    """A block is one module: no line of it says where another begins."""
    return [code]


@lru_cache(64)  # each block is looked at for every other one
def _imports_in(code: str) -> list[tuple[str, set[str]]]:
    return list(imports_of(code))
