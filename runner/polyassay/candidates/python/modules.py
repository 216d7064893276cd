"""Modules that an answer imports and gives in other fenced blocks of its chat."""

import ast
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from polyassay.candidates.python.syntax import names_made, parse
from polyassay.model import Program, Style, Task
from polyassay.requirement import names_module

RESERVED = frozenset(("answer", "pytest", "polyassay_harness"))
NO_MODULES = (Style.CELL,)  # styles whose code is no module among others


def with_modules(
    task: Task, blocks: Sequence[tuple[str, ast.Module]], program: Program
) -> tuple[Program, list[str]]:
    """The program beside the modules that it needs, at any remove, and the blocks that they are."""
    if task.style in NO_MODULES or not blocks:
        return program, []
    files: dict[str, str] = {}
    waiting = [program.source]
    while waiting:
        for module, names in imports_of(waiting.pop()):
            path = f"{module}.py"
            if path in files or not module.isidentifier() or _is_known(task, module):
                continue
            found = next((text for text, tree in blocks if names <= names_made(tree)), None)
            if found is not None and names and found.strip() != program.code.strip():
                files[path] = found
                waiting.append(found)
    if not files:
        return program, []
    given = {path: _absolute(text, files) for path, text in files.items()}
    listing = "".join(f"\n\n# {path}\n{text.rstrip()}\n" for path, text in given.items())
    made = replace(
        program,
        source=_absolute(program.source, files),
        code=program.code.rstrip("\n") + "\n" + listing,
        notes=(*program.notes, f"with {', '.join(files)} from other blocks"),
        files=given,
    )
    return made, list(files.values())


def imports_of(code: str) -> Iterator[tuple[str, set[str]]]:
    """Modules, and what is used of them."""
    tree = parse(code)
    whole: dict[str, tuple[str, set[str]]] = {}
    for node in ast.walk(tree) if tree is not None else ():
        match node:
            case ast.ImportFrom(module=str(module), names=names, level=0 | 1):
                yield module, {alias.name for alias in names}
            case ast.ImportFrom(names=names, level=0 | 1) | ast.Import(names=names):
                whole |= {alias.asname or alias.name: (alias.name, set()) for alias in names}
    for node in ast.walk(tree) if tree is not None and whole else ():
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=used) if name in whole:
                whole[name][1].add(used)
    yield from whole.values()


def _is_known(task: Task, module: str) -> bool:
    known = module in sys.stdlib_module_names or module in RESERVED
    return known or names_module(task.libraries, module)


def _absolute(code: str, files: Mapping[str, str]) -> str:
    """There is no package around an answer."""
    names = "|".join(re.escape(path.removesuffix(".py")) for path in files)
    code = re.sub(rf"(?m)^(\s*from +)\.(?=(?:{names})\b)", r"\1", code)
    return re.sub(rf"(?m)^(\s*)from +\. +(?=import +(?:{names})\b)", r"\1", code)
