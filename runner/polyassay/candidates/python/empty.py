"""The built-in tool `empty` in Python: code that loads and does nothing."""

import ast

from polyassay.candidates.python.syntax import FUNCTIONS, before, parse
from polyassay.model import Program, Style, Task

ANY = "*args, **kwargs"


def empty_python(task: Task) -> Program:
    if task.style in (Style.PROGRAM, Style.CELL):
        return Program("")
    if task.style is Style.SETS:
        return Program(f"def f({ANY}):\n    return None\n")
    parts = _emptied_parts(task.reference)
    if task.entry and task.entry not in parts:
        parts[task.entry] = _unseen(task)
    return Program(before(task.context, task.entry) + "\n\n".join(parts.values()))


def empty_source(text: str) -> str:
    """The functions and classes of a source, in name only."""
    return "\n\n".join(_emptied_parts(text).values())


def _emptied_parts(source: str) -> dict[str, str]:
    tree = parse(source) or ast.Module([], [])
    kinds = (*FUNCTIONS, ast.ClassDef)
    return {item.name: _emptied(item) for item in tree.body if isinstance(item, kinds)}


def _emptied(item: ast.AST, margin: str = "") -> str:
    """A function or class of the reference, in name only, so that any call of it works."""
    if isinstance(item, ast.ClassDef):
        inside = [
            _emptied(part, margin + "    ") for part in item.body if isinstance(part, FUNCTIONS)
        ]
        return f"{margin}class {item.name}:\n" + ("\n".join(inside) or f"{margin}    pass\n")
    assert isinstance(item, FUNCTIONS)
    head = "async def" if isinstance(item, ast.AsyncFunctionDef) else "def"
    result = "" if item.name == "__init__" else " None"
    marks = [mark.id for mark in item.decorator_list if isinstance(mark, ast.Name)]
    lines = ["@property"] if "property" in marks else []
    lines += [f"{head} {item.name}({ANY}):", f"    return{result}"]
    return "".join(f"{margin}{line}\n" for line in lines)


def _unseen(task: Task) -> str:
    """An entry of which only the name is known."""
    if task.style is Style.CLASS:
        return (
            f"class {task.entry}:\n"
            f"    def __init__(self, {ANY}):\n        pass\n\n"
            "    def __getattr__(self, name):\n"
            f"        return lambda {ANY}: None\n"
        )
    head = "async def" if task.signature.lstrip().startswith("async") else "def"
    return f"{head} {task.entry}({ANY}):\n    return None\n"
