"""LeetCodeDataset: methods of a class Solution, judged by check(Solution().name).

Every row gives the same imports and helpers (lists and trees of nodes) to answer and test. A test
gets here what it names of them: most compare plain values, and need not be in the answer's process.
"""

import ast
import builtins
import re
from pathlib import Path

from polyassay.model import Language, Style, Suite, Task, Test
from polyassay.suites.native.fields import Fields
from polyassay.suites.public.contests.released import read_released
from polyassay.suites.python.special_names import imported_names

_ENTRY = re.compile(r"(\w+)\(\)\.(\w+)")


def read(path: Path, name: str | None) -> list[Suite]:
    """A released file, or a folder that has one."""
    return read_released("leetcode", path, name, _task)


def _task(row: Fields, suite: str) -> Task:
    entry, test = _ENTRY.fullmatch(row.text("entry_point")), row.text("test")
    if entry is None:
        row.refuse("entry_point", "must be a method of an object, as Solution().twoSum")
    if "def check(candidate)" not in test:
        row.refuse("test", "must define check(candidate)")
    given, starter = row.text("prompt"), row.text("starter_code")
    return Task(
        id=row.text("task_id"),
        suite=suite,
        language=Language.PYTHON,
        style=Style.CLASS,
        prompts={"en": f"{row.text('problem_description').strip()}\n\n{starter.rstrip()}\n"},
        tests=(Test("test_0", f"{test.strip()}\n\ncheck({entry[0]})\n"),),
        entry=entry[1],
        setup=_named_by(_names(_parsed(row, "test")), _parsed(row, "prompt").body, given),
        context=f"{given.rstrip()}\n\n\n{starter.rstrip()}\n",
        reference=f"{given.rstrip()}\n\n\n{row.text('completion')}\n",
    )


def _parsed(row: Fields, field: str) -> ast.Module:
    try:
        return ast.parse(row.text(field))
    except SyntaxError:
        row.refuse(field, "must be Python")


def _named_by(wanted: set[str], statements: list[ast.stmt], given: str) -> str:
    """The statements that give these names, and what those name; all, where one is not found.

    `from math import *` may give anything, so a name that no statement binds may come from there.
    """
    needed: list[ast.stmt] = []
    while wanted:
        found = [node for node in statements if node not in needed and _binds(node) & wanted]
        if not found:
            return given
        needed += found
        wanted = wanted.union(*map(_names, found)) - set[str]().union(*map(_binds, needed))
    return "".join(f"{ast.unparse(node)}\n\n" for node in statements if node in needed)


def _names(tree: ast.AST) -> set[str]:
    """The names that code takes from elsewhere: neither Python's, nor bound in the code itself."""
    nodes = list(ast.walk(tree))
    names = [node for node in nodes if isinstance(node, ast.Name)]
    own = {node.arg for node in nodes if isinstance(node, ast.arg)}
    own |= {node.id for node in names if isinstance(node.ctx, ast.Store)}
    own |= {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    return {node.id for node in names} - own - imported_names(nodes) - set(vars(builtins))


def _binds(statement: ast.stmt) -> set[str]:
    """What a statement gives those below it, as far as the published prompts go."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return {statement.name}
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return imported_names([statement]) | {n.id for n in targets if isinstance(n, ast.Name)}
