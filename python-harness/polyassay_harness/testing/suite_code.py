"""Reads in a test's own code what the test is about, which decides what an answer may be asked."""

import ast
import builtins
from typing import Callable, Container, List, Optional, Set, Union

_DOES_ANYTHING = frozenset({"exec", "eval", "setattr", "delattr", "map", "filter", "__import__"})


class TestCode:
    __test__ = False

    def __init__(self, source: str) -> None:
        self.source = source
        self._found: Optional[List[ast.AST]] = None

    def names_of_answer(self, known: Container[str]) -> List[str]:
        """The names that only the answer can have defined, those in `except` included."""
        used: Set[str] = set()
        bound: Set[str] = set(vars(builtins))
        for node in self._nodes():
            if isinstance(node, ast.Name):
                (used if isinstance(node.ctx, ast.Load) else bound).add(node.id)
            elif isinstance(node, ast.arg):
                bound.add(node.arg)
            elif isinstance(node, ast.alias):
                bound.add((node.asname or node.name).partition(".")[0])
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.ExceptHandler)) and node.name:
                bound.add(node.name)
        return sorted(name for name in used - bound if name not in known)

    def may_be_left_out(self, line: int, is_of_answer: Callable[[str], bool]) -> bool:
        """Whether an error at this line may be swallowed by the block that it is in.

        It may where the test raises it itself, and where neither the statement nor those after it
        could find anything wrong. `is_of_answer`: whether a name is an object of the answer's.
        """
        blocks = [
            node for node in self._nodes() if isinstance(node, ast.With) and _spans(node, line)
        ]
        inner = max(blocks, key=lambda block: block.lineno, default=None)
        if inner is None:
            return False
        for statement in inner.body:
            if isinstance(statement, ast.Raise) and _spans(statement, line):
                return True  # nothing in the block can follow it
            if (statement.end_lineno or line) >= line and self._may_check(statement, is_of_answer):
                return False
        return True

    def _may_check(self, statement: ast.stmt, is_of_answer: Callable[[str], bool]) -> bool:
        """Whether it can find something wrong, or tell the rest of the test about it."""
        if isinstance(statement, ast.Assert):
            return not (isinstance(statement.test, ast.Constant) and not statement.test.value)
        if isinstance(statement, (ast.Assign, ast.AugAssign, ast.Delete)):
            if _changes_test(statement, is_of_answer) and not _is_of_constants(statement):
                return True
        elif not isinstance(statement, (ast.Expr, ast.Pass)):
            return True
        return any(self._may_act(node, is_of_answer) for node in ast.walk(statement))

    def _may_act(self, node: ast.AST, is_of_answer: Callable[[str], bool]) -> bool:
        """Whether this part of a statement could check or keep something."""
        if isinstance(node, ast.Call):
            given = (*node.args, *(keyword.value for keyword in node.keywords))
            names = [value.id for value in given if isinstance(value, ast.Name)]
            if not all(is_of_answer(name) or self._holds_data(name) for name in names):
                return True  # a function of the test's, perhaps, which the answer is to call
            return not (is_of_answer(_root(node.func)) or self._is_harmless(node.func))
        return isinstance(node, (ast.NamedExpr, ast.Lambda, ast.Starred))

    def _holds_data(self, name: str) -> bool:
        """Whether the test gives the name nothing but constants."""
        values = [
            node.value
            for node in self._nodes()
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name) and target.id == name
        ]
        parts = [part for value in values for part in ast.walk(value)]
        return bool(values) and not any(isinstance(p, (ast.Name, ast.Lambda)) for p in parts)

    def _is_harmless(self, function: ast.expr) -> bool:
        """A built-in function, or one of the test's own that does nothing but raise."""
        if not isinstance(function, ast.Name):
            return False
        own = [
            node
            for node in self._nodes()
            if isinstance(node, ast.FunctionDef) and node.name == function.id
        ]
        if own:
            return all(isinstance(statement, ast.Raise) for one in own for statement in one.body)
        return function.id in vars(builtins) and function.id not in _DOES_ANYTHING

    def _nodes(self) -> List[ast.AST]:
        if self._found is None:
            try:
                self._found = list(ast.walk(ast.parse(self.source)))
            except (SyntaxError, ValueError, RecursionError):
                self._found = []  # such a test fails as it is
        return self._found


def _root(node: ast.expr) -> str:
    """The name that an attribute, item or call begins with, if any."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _changes_test(
    statement: Union[ast.Assign, ast.AugAssign, ast.Delete], is_of_answer: Callable[[str], bool]
) -> bool:
    """Whether anything but the answer's own objects is assigned to."""
    targets = [statement.target] if isinstance(statement, ast.AugAssign) else statement.targets
    return any(isinstance(one, ast.Name) or not is_of_answer(_root(one)) for one in targets)


def _is_of_constants(statement: ast.stmt) -> bool:
    """Whether it reads nothing but constants and built-ins: `x = 1 / 0`."""
    read = {
        node.id
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }
    return isinstance(statement, ast.Assign) and read <= vars(builtins).keys()


def _spans(node: ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or line)
