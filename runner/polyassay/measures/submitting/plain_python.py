"""Python's syntax tree without what a copy can be changed in at no cost.

Without docstrings, imports, annotations, `pass`, constants that nothing reads and helpers that
nothing calls; its own names are numbered in the order in which they appear.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from textwrap import dedent

from polyassay.measures.submitting.bare_code import bare_tokens
from polyassay.model import Language

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_IDLE = (ast.Import, ast.ImportFrom, ast.Pass)
# What says nothing about what code does.
_SKIPPED = {"annotation", "returns", "type_comment", "type_params", "type_ignores", "kind", "ctx"}
# Where a name stands that may be the code's own: fields of nodes.
_NAMED = {ast.Name: "id", ast.arg: "arg", ast.ExceptHandler: "name", ast.MatchAs: "name"}
_NAMED |= dict.fromkeys(_DEFINITIONS, "name")


def python_parts(code: str, entry: str) -> list[str]:
    """Of code that does not parse, or is nested too deeply, its tokens."""
    tree = _parsed(code)
    if tree is None:
        return bare_tokens(code, Language.PYTHON)
    try:
        return list(_python(tree, entry))
    except RecursionError:
        return bare_tokens(code, Language.PYTHON)


def _parsed(code: str) -> ast.Module | None:
    try:
        return ast.parse(dedent(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _python(tree: ast.Module, entry: str) -> Iterator[str]:
    body = _needed(tree.body, entry)
    read = _read(body)
    own = {name for statement in body for name in _bound(statement)} - {entry}
    numbers: dict[str, str] = {}
    for statement in body:
        yield from _written(statement, own, read, numbers)


def _needed(body: list[ast.stmt], entry: str) -> list[ast.stmt]:
    """Without helpers that nothing calls, where it is known what is called from outside."""
    defined = {part.name for part in body if isinstance(part, _DEFINITIONS)}
    while entry in defined:
        uses: Counter[str] = Counter()
        for part in body:
            own = {part.name} if isinstance(part, _DEFINITIONS) else set()
            uses.update(_read([part]) - own)
        kept = [
            part
            for part in body
            if not isinstance(part, _DEFINITIONS) or part.name == entry or uses[part.name]
        ]
        if len(kept) == len(body):
            break
        body = kept
    return body


def _read(body: list[ast.stmt]) -> set[str]:
    return {
        node.id
        for part in body
        for node in ast.walk(part)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }


def _bound(statement: ast.stmt) -> Iterator[str]:
    """Names that the code gives; methods are called by theirs."""
    methods = {
        id(part)
        for node in ast.walk(statement)
        if isinstance(node, ast.ClassDef)
        for part in node.body
    }
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif not isinstance(node, ast.Name) and id(node) not in methods:
            name = getattr(node, _NAMED.get(type(node), ""), None)
            if isinstance(name, str):
                yield name


def _written(
    node: ast.AST, own: set[str], read: set[str], numbers: dict[str, str]
) -> Iterator[str]:
    if isinstance(node, ast.stmt) and _does_nothing(node, own, read):
        return
    kind = ast.Assign if isinstance(node, ast.AnnAssign) else type(node)
    yield kind.__name__
    for field, value in ast.iter_fields(node):
        if field in _SKIPPED or field == "simple":
            continue
        yield f"{'targets' if field == 'target' and kind is ast.Assign else field}:"
        if isinstance(value, ast.AST):
            value = [value]
        if isinstance(value, list):
            for part in value:
                if isinstance(part, ast.AST):
                    yield from _written(part, own, read, numbers)
                else:
                    yield repr(part)
            yield "."
        elif value in own and isinstance(value, str) and _NAMED.get(type(node)) == field:
            yield numbers.setdefault(value, f"name {len(numbers)}")
        else:
            yield repr(value)


def _does_nothing(node: ast.stmt, own: set[str], read: set[str]) -> bool:
    """Docstrings, `...`, imports, and constants under names that nothing reads."""
    match node:
        case ast.Expr(value=ast.Constant()) | ast.AnnAssign(value=None):
            return True
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant()):
            return name in own and name not in read
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant()):
            return name in own and name not in read
    return isinstance(node, _IDLE)
