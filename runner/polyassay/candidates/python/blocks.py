"""What a chat's other fenced blocks add to the one that was taken."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from polyassay.candidates.chat import code_blocks, has_fence
from polyassay.candidates.python.modules import with_modules
from polyassay.candidates.python.syntax import (
    definitions,
    names_bound,
    names_made,
    names_missing,
    only_defines,
    parse,
)
from polyassay.model import Language, Program, Task


def with_other_blocks(task: Task, text: str, program: Program) -> Program:
    """Puts imports and definitions that the code lacks above it."""
    if not has_fence(text) or not program.notes or program.problem:
        return program
    tree = parse(program.source)
    if tree is None:
        return program
    others = [
        (block.code, found)
        for block in code_blocks(text, Language.PYTHON)
        if block.code != program.code and (found := parse(block.code)) is not None
    ]
    program, modules = with_modules(task, others, program)
    others = [(code, found) for code, found in others if code not in modules]
    own = names_bound(tree) | {task.entry}
    helpers = "".join(_helpers(others, program.code, own))
    merged = parse(helpers + program.source)
    imports = "".join(_imports([found for _, found in others], names_missing(merged or tree)))
    if imports:
        imports += "\n\n"
    kinds = [name for name, part in (("imports", imports), ("definitions", helpers)) if part]
    if not kinds:
        return program
    note = f"with {' and '.join(kinds)} from other blocks"
    return _below(imports + helpers, program, (*program.notes, note))


def _helpers(others: Sequence[tuple[str, ast.Module]], code: str, own: set[str]) -> Iterator[str]:
    """Whole blocks that do nothing but define, among it what the code names, at any remove."""
    used: dict[int, str] = {}
    known = set(own)
    added = True
    while added:
        added = False
        together = "\n".join((*used.values(), code))
        words = set(re.findall(r"\w+", together))
        tree = parse("\n".join(used.values()))
        missing = names_missing(tree) if tree is not None else set()
        for number, (text, found) in enumerate(others):
            defined = set(definitions(found))
            # A block that only assigns may be an example of use, unless a helper needs it.
            wanted = words & defined or missing & names_made(found)
            if number not in used and only_defines(found) and wanted and not known & defined:
                used[number] = text
                known |= defined
                added = True
    # What a helper needs comes above it, as in the chat where the chat has it so.
    yield from (used[number].rstrip() + "\n\n\n" for number in sorted(used))


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
