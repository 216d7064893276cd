"""Compiles a suite's tests so that their comparisons and assertions go through a checker.

The names by which the code calls the checker are no identifiers, so neither tests nor candidates
can mean them.
"""

import ast
import operator
import types
from typing import Any, Callable, Dict, List, Optional, Tuple

from polyassay_harness.testing.given import Given

COMPARE, ASSERTED, MADE = "@compare", "@asserted", "@made"
_PART = "@part"  # of a chain of comparisons, evaluated once


def _method(name: str) -> Callable[[Any, Any], Any]:
    return lambda target, other: getattr(target, name)(other)


OPERATORS: Dict[type, Tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
    ast.Is: ("is", operator.is_),
    ast.IsNot: ("is not", operator.is_not),
    ast.In: ("in", lambda a, b: a in b),
    ast.NotIn: ("not in", lambda a, b: a not in b),
}
# Comparisons that a test spells as calls: `money.__eq__(5)`.
SPECIAL = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__contains__")
SYMBOLS: Dict[str, Callable[[Any, Any], Any]] = {
    **dict(OPERATORS.values()),
    **{name: _method(name) for name in SPECIAL},
}
_MOST_COMPILED = 200


class Compiled(types.SimpleNamespace):
    """The code, and how many of its assertions must be reached by a test that passes."""

    code: types.CodeType
    assertions: int


_compiled: Dict[Tuple[str, str, str, bool, bool, str], Compiled] = {}


def compiled(code: str, filename: str) -> types.CodeType:
    """A suite's code that is no test, as it stands."""
    return _looked_up(code, filename, "exec", False, False, "").code


def compiled_test(
    code: str, filename: str, mode: str = "exec", *, compares: bool, entry: str = ""
) -> Compiled:
    """A test, compiled once by a process; `compares`: comparisons go through a checker.

    So does what the test makes by calling the class `entry`, if one is named.
    """
    return _looked_up(code, filename, mode, True, compares, entry)


def remember(
    made: Compiled, code: str, filename: str, mode: str, *, compares: bool, entry: str
) -> None:
    """A test that was compiled elsewhere."""
    _keep((code, filename, mode, True, compares, entry), made)


def _looked_up(*key: Any) -> Compiled:
    if key not in _compiled:
        _keep(key, _compile(*key))
    return _compiled[key]


def _keep(key: Any, made: Compiled) -> None:
    if len(_compiled) == _MOST_COMPILED:
        _compiled.clear()
    _compiled[key] = made


def _compile(
    code: str, filename: str, mode: str, test: bool, compares: bool, entry: str
) -> Compiled:
    if not test or (mode == "eval" and not compares):
        plain = compile(code, filename, mode, dont_inherit=True, optimize=0)
        return Compiled(code=plain, assertions=0)
    tree = ast.parse(code, filename, mode)
    rewriter = _Rewriter(compares, entry, Given(tree))
    tree = ast.fix_missing_locations(rewriter.visit(tree))
    # Asserts stay, even in an interpreter that was started with -O.
    made = compile(tree, filename, mode, dont_inherit=True, optimize=0)
    return Compiled(code=made, assertions=rewriter.assertions)


class _Rewriter(ast.NodeTransformer):
    def __init__(self, compares: bool, entry: str, given: Given) -> None:
        self._compares = compares
        self._entry = entry
        self._given = given
        self._handled = 0  # how many `try` with handlers are around
        self.assertions = 0

    def visit_Try(self, node: ast.Try) -> ast.AST:
        self._handled += bool(node.handlers)
        node.body = [self.visit(statement) for statement in node.body]
        self._handled -= bool(node.handlers)
        for part in (*node.handlers, *node.orelse, *node.finalbody):
            self.visit(part)
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        """One that can only fail is there for code that must not be reached."""
        must_fail = isinstance(node.test, ast.Constant) and not node.test.value
        self.generic_visit(node)
        if not must_fail:
            caught = bool(self._handled)  # by the test itself, which then means it
            self.assertions += not caught
            node.test = _call(ASSERTED, [node.test, ast.Constant(caught)], node.test)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        given = [self._given.is_given(operand) for operand in (node.left, *node.comparators)]
        self.generic_visit(node)
        if not self._compares:
            return node
        parts: List[ast.expr] = []
        left = node.left
        for number, (operation, right) in enumerate(zip(node.ops, node.comparators)):
            symbol = OPERATORS[type(operation)][0]
            again: Optional[ast.expr] = None
            if number + 1 < len(node.ops):
                name = f"{_PART}{number}"
                right = ast.NamedExpr(ast.Name(name, ast.Store()), right)
                again = ast.Name(name, ast.Load())
            operands = [ast.Constant(symbol), left, right, _constants(given[number : number + 2])]
            parts.append(_call(COMPARE, operands, node))
            left = again or right
        found = parts[0] if len(parts) == 1 else ast.BoolOp(ast.And(), parts)
        return ast.copy_location(found, node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        method = node.func
        if not (self._compares and is_special(node) and isinstance(method, ast.Attribute)):
            self.generic_visit(node)
            makes = self._entry and isinstance(method, ast.Name) and method.id == self._entry
            return _call(MADE, [node], node) if makes else node
        given = [self._given.is_given(operand) for operand in (method.value, node.args[0])]
        self.generic_visit(node)
        operands = [ast.Constant(method.attr), method.value, node.args[0], _constants(given)]
        return _call(COMPARE, operands, node)


def is_special(node: ast.AST) -> bool:
    """Whether it is a comparison that is spelt as a call of one object's method."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in SPECIAL
        and len(node.args) == 1
        and not (node.keywords or isinstance(node.args[0], ast.Starred))
    )


def _constants(values: List[bool]) -> ast.expr:
    return ast.Tuple([ast.Constant(value) for value in values], ast.Load())


def _call(name: str, arguments: List[ast.expr], place: ast.expr) -> ast.expr:
    return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), arguments, []), place)
