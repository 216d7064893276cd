"""Compiles a suite's tests so that their comparisons and assertions go through a checker.

The names by which the code calls the checker are no identifiers, so neither tests nor candidates
can mean them.
"""

import ast
import operator
import types
from typing import Any, Callable, Dict, List, Optional, Tuple

COMPARE, COMPUTE, ASSERTED = "@compare", "@compute", "@asserted"
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
ARITHMETIC: Dict[str, Callable[[Any, Any], Any]] = {
    name: getattr(operator, name)
    for name in (
        *("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow"),
        *("lshift", "rshift", "and_", "or_", "xor"),
    )
}
_ARITHMETIC_NODES: Dict[type, str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.MatMult: "matmul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
    ast.BitAnd: "and_",
    ast.BitOr: "or_",
    ast.BitXor: "xor",
}
_MOST_COMPILED = 200


class Compiled(types.SimpleNamespace):
    """The code, and how many of its assertions must be reached by a test that passes."""

    code: types.CodeType
    assertions: int


_compiled: Dict[Tuple[str, str, str, bool, bool], Compiled] = {}


def compiled(code: str, filename: str) -> types.CodeType:
    """A suite's code that is no test, as it stands."""
    return _looked_up(code, filename, "exec", False, False).code


def compiled_test(code: str, filename: str, mode: str = "exec", *, compares: bool) -> Compiled:
    """A test, compiled once by a process; `compares`: comparisons go through a checker."""
    return _looked_up(code, filename, mode, True, compares)


def remember(made: Compiled, code: str, filename: str, mode: str, *, compares: bool) -> None:
    """A test that was compiled elsewhere."""
    _keep((code, filename, mode, True, compares), made)


def _looked_up(*key: Any) -> Compiled:
    if key not in _compiled:
        _keep(key, _compile(*key))
    return _compiled[key]


def _keep(key: Any, made: Compiled) -> None:
    if len(_compiled) == _MOST_COMPILED:
        _compiled.clear()
    _compiled[key] = made


def _compile(code: str, filename: str, mode: str, test: bool, compares: bool) -> Compiled:
    if not test or (mode == "eval" and not compares):
        plain = compile(code, filename, mode, dont_inherit=True, optimize=0)
        return Compiled(code=plain, assertions=0)
    rewriter = _Rewriter(compares=compares)
    tree = ast.fix_missing_locations(rewriter.visit(ast.parse(code, filename, mode)))
    # Asserts stay, even in an interpreter that was started with -O.
    made = compile(tree, filename, mode, dont_inherit=True, optimize=0)
    return Compiled(code=made, assertions=rewriter.assertions)


class _Rewriter(ast.NodeTransformer):
    def __init__(self, *, compares: bool) -> None:
        self._compares = compares
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
        self.generic_visit(node)
        if not self._compares:
            return node
        parts: List[ast.expr] = []
        left = self._operand(node.left)
        for number, (operation, operand) in enumerate(zip(node.ops, node.comparators)):
            symbol = OPERATORS[type(operation)][0]
            right = self._operand(operand)
            again: Optional[ast.expr] = None
            if number + 1 < len(node.ops):
                name = f"{_PART}{number}"
                right = ast.NamedExpr(ast.Name(name, ast.Store()), right)
                again = ast.Name(name, ast.Load())
            parts.append(_call(COMPARE, [ast.Constant(symbol), left, right], node))
            left = again or right
        found = parts[0] if len(parts) == 1 else ast.BoolOp(ast.And(), parts)
        return ast.copy_location(found, node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if not self._compares or not is_special(node):
            return node
        method = node.func
        assert isinstance(method, ast.Attribute)
        return _call(COMPARE, [ast.Constant(method.attr), method.value, node.args[0]], node)

    def _operand(self, node: ast.expr) -> ast.expr:
        """Arithmetic of what is compared at once, as it is or as arguments of a call."""
        if isinstance(node, ast.BinOp):
            name = _ARITHMETIC_NODES[type(node.op)]
            return _call(COMPUTE, [ast.Constant(name), node.left, node.right], node)
        if isinstance(node, ast.Call):
            node.args = [
                self._operand(one) if isinstance(one, ast.BinOp) else one for one in node.args
            ]
        return node


def is_special(node: ast.AST) -> bool:
    """Whether it is a comparison that is spelt as a call of one object's method."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in SPECIAL
        and len(node.args) == 1
        and not (node.keywords or isinstance(node.args[0], ast.Starred))
    )


def _call(name: str, arguments: List[ast.expr], place: ast.expr) -> ast.expr:
    return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), arguments, []), place)
