"""Changes of Python code, by its syntax tree."""

import ast
import copy
import hashlib
import warnings
from collections.abc import Iterator, Mapping, Sequence
from types import CodeType
from typing import Any, TypeAlias

from polyassay.harness import Harness
from polyassay.model import Program, Task
from polyassay.trust.mutants.change import CodeChange, Kind

_OPERATORS: Mapping[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.MatMult: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
}
_BOUNDARIES: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
_OPPOSITES: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
Node: TypeAlias = ast.expr | ast.stmt
_NOT_BEHAVIOUR = frozenset(("annotation", "returns", "decorator_list", "type_params"))


class PythonMutations:
    def changes(self, source: str, first: int, last: int) -> Sequence[CodeChange]:
        """None where the source is not plain Python, as a notebook's cell may not be."""
        try:
            tree = _quietly_parsed(source)
        except (SyntaxError, ValueError, RecursionError):
            return []
        starts = _line_starts(source)
        return [
            CodeChange(kind, old.lineno, *_span(old, starts), _text(new))
            for node in _behaviour(tree)
            if first <= getattr(node, "lineno", 0) <= last
            for old, kind, new in _replacements(node)
        ]

    def fingerprint(self, task: Task, program: Program, harness: Harness) -> bytes:
        """Of the code objects, without the positions of lines."""
        digest = hashlib.sha256()
        try:
            for source in (program.source, *program.files.values()):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    code = compile(source, "mutant", "exec", dont_inherit=True)
                digest.update(repr(_essence(code)).encode())
        except (SyntaxError, ValueError, RecursionError):
            return b""
        return digest.digest()


def _quietly_parsed(source: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source)


def _essence(code: CodeType) -> tuple[object, ...]:
    constants = tuple(
        _essence(each) if isinstance(each, CodeType) else (type(each).__name__, repr(each))
        for each in code.co_consts
    )
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    shape = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    return (code.co_name, code.co_code, code.co_exceptiontable, constants, names, shape)


def _behaviour(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes that do something, in the order of the source.

    Annotations, decorators and docstrings are left out, and what is inside of an f-string, whose
    positions are not those of the file in every release.
    """
    yield node
    if isinstance(node, ast.JoinedStr) or _is_docstring(node):
        return
    for name, value in ast.iter_fields(node):
        if name in _NOT_BEHAVIOUR:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _behaviour(child)


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _line_starts(source: str) -> list[int]:
    starts = [0]
    for line in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def _span(node: ast.expr | ast.stmt, starts: Sequence[int]) -> tuple[int, int]:
    assert node.end_lineno is not None and node.end_col_offset is not None
    begin = starts[node.lineno - 1] + node.col_offset
    return begin, starts[node.end_lineno - 1] + node.end_col_offset


def _text(new: Node) -> str:
    """An expression stands in parentheses, so that it fits anywhere."""
    text = ast.unparse(ast.fix_missing_locations(new))
    return text if isinstance(new, ast.stmt) else f"({text})"


def _replacements(node: ast.AST) -> Iterator[tuple[Node, Kind, Node]]:
    """What may be put in the place of a node, or of the condition in it."""
    if isinstance(node, ast.expr):
        yield from ((node, kind, new) for kind, new in _expressions(node))
    match node:
        case ast.AugAssign(op=op):
            yield node, Kind.OPERATOR, _with(node, op=_OPERATORS[type(op)]())
        case ast.Return(value=ast.expr() as value) if not _is_none(value):
            yield node, Kind.RETURN, ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call() | ast.Await()):
            yield node, Kind.CALL, ast.Pass()
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            if not isinstance(test, ast.Compare | ast.UnaryOp):  # these are changed themselves
                yield test, Kind.CONDITION, ast.UnaryOp(ast.Not(), test)


def _expressions(node: ast.expr) -> Iterator[tuple[Kind, Node]]:
    match node:
        case ast.BinOp(op=op):
            yield Kind.OPERATOR, _with(node, op=_OPERATORS[type(op)]())
        case ast.UnaryOp(op=ast.USub() | ast.Invert(), operand=operand):
            yield Kind.OPERATOR, operand
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield Kind.CONDITION, operand
        case ast.BoolOp(op=op):
            other = ast.And() if isinstance(op, ast.Or) else ast.Or()
            yield Kind.CONDITION, _with(node, op=other)
        case ast.Compare():
            yield from _compared(node)
        case ast.Constant(value=value):
            yield from ((Kind.CONSTANT, ast.Constant(each)) for each in _other_constants(value))
        case ast.Call():
            yield from ((Kind.CALL, new) for new in _without_call(node))


def _with(node: Node, **fields: object) -> Node:
    new = copy.copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new


def _compared(node: ast.Compare) -> Iterator[tuple[Kind, Node]]:
    for place, op in enumerate(node.ops):
        for kind, table in ((Kind.BOUNDARY, _BOUNDARIES), (Kind.CONDITION, _OPPOSITES)):
            if type(op) in table:
                ops = [*node.ops[:place], table[type(op)](), *node.ops[place + 1 :]]
                yield kind, _with(node, ops=ops)


def _other_constants(value: object) -> Sequence[Any]:
    match value:
        case bool():
            return [not value]
        case int():
            return [value + 1, value - 1]
        case float():
            return [value + 1.0]
        case str():
            return ["" if value else "X"]
        case bytes():
            return [b"" if value else b"X"]
    return []


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _without_call(node: ast.Call) -> Iterator[Node]:
    """x.strip() becomes x, and sorted(x) becomes x."""
    if isinstance(node.func, ast.Attribute):
        yield node.func.value
    elif node.args and not isinstance(node.args[0], ast.Starred):
        yield node.args[0]
