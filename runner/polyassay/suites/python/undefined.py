"""Finds names that tests use and that neither they nor their task define."""

import ast
import builtins
import re

from polyassay.model import Style, Task

_NAMING = (ast.FunctionDef, ast.ClassDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)


def undefined(task: Task, trees: list[ast.Module]) -> str:
    """A name that neither tests nor task define must be the answer's, beside the entry.

    A class task's other classes are handles as well, and exceptions are known by their names.
    """
    if task.style is Style.CLASS:
        return ""
    known = {*vars(builtins), task.entry, "f", "candidate", *_defined_before(task)}
    used: list[str] = []
    for tree in trees:
        caught = {
            id(part)
            for node in ast.walk(tree)
            if isinstance(node, ast.ExceptHandler) and node.type and task.style is Style.FUNCTION
            for part in ast.walk(node.type)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and id(node) not in caught:
                (used.append if isinstance(node.ctx, ast.Load) else known.add)(node.id)
            elif isinstance(node, ast.arg):
                known.add(node.arg)
            elif isinstance(node, _NAMING) and node.name:
                known.add(node.name)
            elif isinstance(node, ast.alias):
                known.add((node.asname or node.name).partition(".")[0])
    other = next((name for name in used if name not in known), "")
    return f"tests use {other} of the answer" if other else ""


def _defined_before(task: Task) -> set[str]:
    return set(re.findall(r"(?m)^(?:def|class|import|from .* import) +(\w+)", task.context))
