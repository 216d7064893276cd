"""Adds to a chat's main fenced block what its other blocks define."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from polyassay.candidates.python.modules import with_modules
from polyassay.candidates.python.syntax import (
    FUNCTIONS,
    definitions,
    names_bound,
    names_made,
    names_missing,
    only_defines,
    parse,
    shows,
)
from polyassay.model import Program, Style, Task


def with_other_blocks(task: Task, blocks: Sequence[str], taken: str, program: Program) -> Program:
    """Puts imports and definitions that the code lacks above it."""
    if len(blocks) < 2 or program.problem:
        return program
    tree = parse(program.source)
    if tree is None:
        return program
    others = [
        (code, found) for code in blocks if code != taken and (found := parse(code)) is not None
    ]
    program, modules = with_modules(task, others, program)
    others = [(code, found) for code, found in others if code not in modules]
    own = names_bound(tree) | {task.entry}
    steps: list[str] = []
    if task.style in (Style.PROGRAM, Style.CELL):
        own |= set(re.findall(r"\w+", "\n".join((task.context, *task.extra.values()))))
        before = others[: sum(code in blocks[: blocks.index(taken)] for code, _ in others)]
        steps = _steps(before, names_missing(tree), own, is_cell=task.style is Style.CELL)
        others = [(code, found) for code, found in others if code not in steps]
    code = "".join(f"{step.rstrip()}\n\n\n" for step in steps)
    helpers = "".join(_helpers(others, code + program.code, own)) + code
    merged = parse(helpers + program.source)
    imports = "".join(_imports([found for _, found in others], names_missing(merged or tree)))
    if imports:
        imports += "\n\n"
    kinds = [name for name, part in (("imports", imports), ("definitions", helpers)) if part]
    if not kinds:
        return program
    note = f"with {' and '.join(kinds)} from other blocks"
    return _below(imports + helpers, program, (*program.notes, note))


def _steps(
    others: Sequence[tuple[str, ast.Module]], missing: set[str], own: set[str], *, is_cell: bool
) -> list[str]:
    """Blocks that make what later ones read, and show nothing: a chat's steps to its program.

    What a cell's notebook has already is not made anew.
    """
    used: list[str] = []
    for code, found in reversed(others):
        if (missing - own) & names_made(found) and not shows(found, is_cell=is_cell):
            used.insert(0, code)
            missing = (missing - names_made(found)) | names_missing(found)
    return used


def _helpers(others: Sequence[tuple[str, ast.Module]], code: str, own: set[str]) -> Iterator[str]:
    """Blocks' definitions, among them what the code names, at any remove; no examples of use."""
    used: dict[int, str] = {}
    known = set(own)
    added = True
    while added:
        added = False
        together = "\n".join((*used.values(), code))
        words = set(re.findall(r"\w+", together))
        tree = parse(together)
        missing = names_missing(tree) - own if tree is not None else set()
        for number, (text, found) in enumerate(others):
            defined = set(definitions(found))
            # A block that only assigns may be an example of use, unless what it makes is needed.
            wanted = words & defined or missing & names_made(found)
            if not only_defines(found):
                wanted, text = missing & defined, _definitions_alone(found)
            if number not in used and wanted and not known & defined:
                used[number] = text
                known |= defined
                added = True
    # What a helper needs comes above it, as in the chat where the chat has it so.
    yield from (used[number].rstrip() + "\n\n\n" for number in sorted(used))


def _definitions_alone(tree: ast.Module) -> str:
    kinds = (*FUNCTIONS, ast.ClassDef)
    return "\n\n\n".join(ast.unparse(item) for item in tree.body if isinstance(item, kinds))


def _imports(others: Sequence[ast.Module], missing: set[str]) -> Iterator[str]:
    """The statements that import what is missing, whatever else their block does."""
    for tree in others:
        for item in tree.body:
            if not isinstance(item, ast.Import | ast.ImportFrom) or not missing:
                continue
            names = names_bound(ast.Module([item], []))
            if "*" in names or names & missing:
                missing = missing - names
                yield ast.unparse(item) + "\n"


def _below(above: str, program: Program, notes: tuple[str, ...]) -> Program:
    """The program with more code above its own, as one piece where the head lets it."""
    start = "".join(line + "\n" for line in program.source.split("\n")[: program.first_line - 1])
    rest = program.source[len(start) :]
    if rest.startswith(program.code) and parse(start + above + rest):
        source, code = start + above + rest, above + program.code
        return replace(program, source=source, code=code, notes=notes)
    whole = above + program.source  # a body: its head stands between
    if parse(whole) is None:
        return program
    return Program(whole, 1, whole, notes)
