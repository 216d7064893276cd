"""Reads Python answers just far enough to see what they are; never raises for any text."""

import ast
import builtins
import io
import re
import textwrap
import tokenize
from collections.abc import Iterator

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def parse(source: str) -> ast.Module | None:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def without_magics(cell: str) -> str:
    """A notebook's cell without IPython's own commands, which Python does not parse."""
    return re.sub(r"(?m)^([ \t]*)[%!].*$", r"\1pass", cell)


def names_bound(tree: ast.Module) -> set[str]:
    """What the module's own code binds: functions, classes, variables, imports."""
    found: set[str] = set()
    for statement in _own_statements(tree.body):
        match statement:
            case (
                ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.ClassDef(name=name)
            ):
                found.add(name)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found.update(alias.asname or alias.name.partition(".")[0] for alias in names)
            case ast.Assign(targets=targets):
                found.update(name for target in targets for name in _names(target))
            case ast.AnnAssign(target=target) | ast.For(target=target):
                found.update(_names(target))
    return found


def names_made(tree: ast.Module) -> set[str]:
    """What the module's own code binds, imports left out."""
    imports = (ast.Import, ast.ImportFrom)
    return names_bound(ast.Module([s for s in tree.body if not isinstance(s, imports)], []))


def names_missing(tree: ast.Module) -> set[str]:
    """What it reads and nowhere binds: names that only an import could bring."""
    read: set[str] = set()
    bound = set(dir(builtins))
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                read.add(name)
            case (
                ast.Name(id=name)
                | ast.arg(arg=name)
                | ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.ClassDef(name=name)
            ):
                bound.add(name)
            case ast.alias(name=name, asname=other):
                bound.add(other or name.partition(".")[0])
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                bound.add(name)
    return read - bound


def definitions(tree: ast.Module) -> list[str]:
    """Names of the functions and classes that the module itself defines."""
    kinds = (*FUNCTIONS, ast.ClassDef)
    return [item.name for item in _own_statements(tree.body) if isinstance(item, kinds)]


def only_defines(tree: ast.Module) -> bool:
    """Whether running it does nothing but bind names."""
    kinds = (*FUNCTIONS, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)
    text = (ast.Expr, ast.Constant)
    return all(
        isinstance(item, kinds) or (isinstance(item, text[0]) and isinstance(item.value, text[1]))
        for item in tree.body
    )


def is_stub(tree: ast.Module, name: str) -> bool:
    """Whether what it binds to a name has nothing in it: a signature that is still to be filled."""
    kinds = (*FUNCTIONS, ast.ClassDef)
    found = [s for s in _own_statements(tree.body) if isinstance(s, kinds) and s.name == name]
    return bool(found) and _is_empty(found[-1])


def _is_empty(item: ast.stmt) -> bool:
    match item:
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Raise(exc=ast.Name(id=name) | ast.Call(func=ast.Name(id=name))):
            return name == "NotImplementedError"
        case ast.ClassDef(bases=[], keywords=[], decorator_list=[], body=body):
            return all(map(_is_empty, body))
        case ast.FunctionDef(body=body) | ast.AsyncFunctionDef(body=body):
            return all(map(_is_empty, body))
    return False


def is_test(tree: ast.Module) -> bool:
    """Whether it is there to test other code: all that it defines are tests."""
    names = definitions(tree)
    return bool(names) and all(re.match(r"test_|Test[A-Z_]|Test$", name) for name in names)


SHOWING = re.compile(r"p?print|stdout|write|writelines|display|show|system")


def shows(tree: ast.Module, *, is_cell: bool = False) -> bool:
    """Whether it does anything by itself, and something in it shows a result.

    A notebook shows what a cell's last line is; magics are read as `pass`.
    """
    kinds = (*FUNCTIONS, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)
    own = [item for item in tree.body if not isinstance(item, (*kinds, ast.Pass))]
    if not any(not (isinstance(item, ast.Expr) and _is_empty(item)) for item in own):
        return False
    if is_cell and isinstance(tree.body[-1], ast.Expr):
        return True
    names = (
        node.id if isinstance(node, ast.Name) else node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Name | ast.Attribute)
    )
    return any(map(SHOWING.fullmatch, names))


def acts(tree: ast.Module) -> bool:
    """Whether it does anything but import."""
    return any(not isinstance(item, ast.Import | ast.ImportFrom) for item in tree.body)


def returns_outside(tree: ast.Module) -> bool:
    """Whether it returns or yields outside of any function, so that it is a function's body."""
    pending: list[ast.AST] = list(tree.body)
    while pending:
        node = pending.pop()
        if isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Lambda)):
            continue
        if isinstance(node, (ast.Return, ast.Yield, ast.YieldFrom)):
            return True
        pending.extend(ast.iter_child_nodes(node))
    return False


def are_methods(tree: ast.Module) -> bool:
    """Whether all functions take self: a class's inside without its head."""
    found = [item for item in tree.body if isinstance(item, FUNCTIONS)]
    return bool(found) and all(f.args.args and f.args.args[0].arg == "self" for f in found)


def methods(tree: ast.Module, name: str) -> set[str]:
    """Names of a class' methods."""
    classes = (item for item in tree.body if isinstance(item, ast.ClassDef) and item.name == name)
    return {item.name for kind in classes for item in kind.body if isinstance(item, FUNCTIONS)}


def before(context: str, entry: str) -> str:
    """The part of a context before the entry's own head: imports and helpers."""
    head = re.search(
        rf"(?m)^(?:@.*\n)*(?:async[ ]+)?(?:def|class)[ ]+{re.escape(entry)}\b", context
    )
    return context[: head.start()] if head and entry else ""


def at_margin(code: str) -> str:
    """The code moved to the margin as a whole, texts in it too where they stand as far in."""
    lines = code.splitlines(keepends=True)
    first = next((line for line in lines if line.strip()), "")
    margin = first[: len(first) - len(first.lstrip())]
    if margin and all(line.startswith(margin) or not line.strip() for line in lines):
        return "".join(line.removeprefix(margin) for line in lines)
    return indented(code, "")


def indented(code: str, margin: str) -> str:
    """The code under a head; lines inside of a long string stay as they are."""
    kept = _lines_in_strings(code)
    lines = textwrap.dedent(code).splitlines(keepends=True) if not kept else _dedented(code, kept)
    return "".join(
        line if number in kept or not line.strip() else margin + line
        for number, line in enumerate(lines, start=1)
    )


def _dedented(code: str, kept: set[int]) -> list[str]:
    lines = code.splitlines(keepends=True)
    movable = [line for number, line in enumerate(lines, 1) if number not in kept and line.strip()]
    width = min((len(line) - len(line.lstrip(" \t")) for line in movable), default=0)
    return [line if number in kept else line[width:] for number, line in enumerate(lines, 1)]


def _lines_in_strings(code: str) -> set[int]:
    """Numbers of the lines that begin inside of a string."""
    found: set[int] = set()
    if '"""' not in code and "'''" not in code:
        return found
    try:
        for token in tokenize.generate_tokens(io.StringIO(textwrap.dedent(code)).readline):
            if token.type == tokenize.STRING:
                found.update(range(token.start[0] + 1, token.end[0] + 1))
    except (SyntaxError, ValueError, RecursionError, tokenize.TokenError):
        pass
    return found


def _own_statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run when the module does, those inside of if and try included."""
    pending = list(reversed(body))
    while pending:
        statement = pending.pop()
        yield statement
        if isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
            continue
        for child in ast.iter_child_nodes(statement):
            if isinstance(child, ast.stmt):
                pending.append(child)
            elif isinstance(child, (ast.ExceptHandler, ast.match_case)):
                pending.extend(child.body)


def _names(target: ast.AST) -> Iterator[str]:
    return (node.id for node in ast.walk(target) if isinstance(node, ast.Name))
