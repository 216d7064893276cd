"""What a test's own code says that it is about, where that decides what an answer may be asked."""

import ast
import builtins
from typing import Container, Iterator, List, Optional, Set

_DISPLAYS = (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set)
_PLAIN = frozenset({"int", "float", "str", "list", "tuple", "dict", "set", "Decimal", "Fraction"})


class TestCode:
    __test__ = False

    def __init__(self, source: str) -> None:
        self.source = source
        self._found: Optional[List[ast.AST]] = None

    def compares_to_plain_data(self, entry: str) -> bool:
        """Whether the very object that calling the entry gave is compared to data.

        What its attributes or methods give is no such object.
        """
        made = self._made(entry)
        return any(
            any(_is_made(o, entry, made) for o in operands) and any(map(_is_plain, operands))
            for operands in self._comparisons()
        )

    def computes_plain_data(self, entry: str) -> bool:
        """Whether such an object and data give something that is compared at once."""
        made = self._made(entry)
        for operands in self._comparisons():
            for operand in operands:
                parts = operand.args if isinstance(operand, ast.Call) else [operand]
                for part in parts:
                    if isinstance(part, ast.BinOp) and any(
                        _is_made(one, entry, made) and _is_plain(other)
                        for one, other in ((part.left, part.right), (part.right, part.left))
                    ):
                        return True
        return False

    def asks_what_is_contained(self, entry: str) -> bool:
        """Whether `in` is about such an object itself."""
        made = self._made(entry)
        return any(
            _is_made(container, entry, made)
            for node in self._nodes()
            if isinstance(node, ast.Compare)
            for operator, container in zip(node.ops, node.comparators)
            if isinstance(operator, (ast.In, ast.NotIn))
        )

    def names_of_answer(self, known: Container[str]) -> List[str]:
        """What only the answer can have defined, among it the exceptions of `except`."""
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

    def skips_assertions(self, line: int, helpers: Container[str] = ()) -> bool:
        """Whether an error at this line, once swallowed, would leave something unchecked.

        `helpers`: functions of the suite's, which may assert something as well.
        """
        nodes = self._nodes()
        blocks = [
            node
            for node in nodes
            if isinstance(node, ast.With) and node.lineno <= line <= (node.end_lineno or line)
        ]
        inner = max(blocks, key=lambda block: block.lineno, default=None)
        if inner is None:
            return True
        if any(isinstance(node, ast.Raise) and node.lineno == line for node in inner.body):
            return False  # the test's own, and nothing in the block can follow it
        loops = [
            node
            for node in ast.walk(inner)
            if isinstance(node, (ast.For, ast.While)) and _spans(node, line)
        ]
        first = min((loop.lineno for loop in loops), default=line)  # which would come again
        checks = [node for node in ast.walk(inner) if self._may_check(node, helpers)]
        return any((getattr(node, "end_lineno", None) or line) >= first for node in checks)

    def _may_check(self, node: ast.AST, helpers: Container[str]) -> bool:
        if isinstance(node, ast.Assert):
            return not (isinstance(node.test, ast.Constant) and not node.test.value)
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            return False
        own = any(isinstance(n, ast.FunctionDef) and n.name == node.func.id for n in self._nodes())
        return own or node.func.id in helpers

    def _nodes(self) -> List[ast.AST]:
        if self._found is None:
            try:
                self._found = list(ast.walk(ast.parse(self.source)))
            except (SyntaxError, ValueError, RecursionError):
                self._found = []  # such a test fails as it is
        return self._found

    def _comparisons(self) -> Iterator[List[ast.expr]]:
        for node in self._nodes():
            if isinstance(node, ast.Compare):
                yield [node.left, *node.comparators]

    def _made(self, entry: str) -> Set[str]:
        """Names of what calling the entry gave."""
        found: Set[str] = set()
        for node in self._nodes():
            for target in node.targets if isinstance(node, ast.Assign) else ():
                pairs = [(target, node.value)]  # type: ignore[attr-defined]
                if isinstance(target, ast.Tuple) and isinstance(pairs[0][1], ast.Tuple):
                    pairs = list(zip(target.elts, pairs[0][1].elts))
                found.update(
                    name.id
                    for name, value in pairs
                    if isinstance(name, ast.Name) and _is_made(value, entry, found)
                )
        return found


def _spans(node: ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or line)


def _is_made(node: ast.expr, entry: str, made: Set[str]) -> bool:
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == entry
    return isinstance(node, ast.Name) and node.id in made


def _is_plain(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in _PLAIN
    return isinstance(node, _DISPLAYS)
