"""Which expressions of a test are objects that the answer has handed out.

What a test makes by calling the class that it is about is asked how it compares; what a method or
an attribute of it gives is not, be it the same object. Where both are in one process an object
does not show which it is, so the test's own code has to.
"""

import ast
from typing import Iterator, List, Set, Tuple

_DISPLAYS = (ast.List, ast.Tuple, ast.Set, ast.Dict)


class Given:
    """Names and expressions of one test, as its tree stands before it is changed."""

    def __init__(self, tree: ast.AST) -> None:
        self._names: Set[str] = set()
        self._displays = {name for name, value in _bindings(tree) if isinstance(value, _DISPLAYS)}
        self._bound = {name for name, _ in (*_bindings(tree), *_items(tree))}
        known = -1
        while known < len(self._names):  # a name may be given to a name
            known = len(self._names)
            self._names.update(name for name, value in _bindings(tree) if self.is_given(value))
            self._names.update(name for name, over in _items(tree) if self._gives_items(over))

    def is_given(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Name):
            return node.id in self._names
        if isinstance(node, ast.Call) and self._is_function(node.func):
            return any(self.is_given(part) for part in (*node.args, *node.keywords))
        if isinstance(node, ast.Subscript):
            return self._gives_items(node.value)
        if isinstance(node, (ast.Attribute, ast.Call, ast.BinOp)):
            return True
        return any(self.is_given(part) for part in ast.iter_child_nodes(node))

    def _is_function(self, node: ast.AST) -> bool:
        """A name that the test does not bind to a value is no object that is called."""
        return isinstance(node, ast.Name) and node.id not in self._bound

    def _gives_items(self, node: ast.AST) -> bool:
        """Whether its items are the answer's affair: those of an object, or of what it gave."""
        if isinstance(node, ast.Name):
            return node.id in self._names or node.id not in self._displays
        return self.is_given(node)


def _bindings(tree: ast.AST) -> Iterator[Tuple[str, ast.AST]]:
    """Names, each with what it becomes by one statement."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield from _pairs(target, node.value)
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
            yield from _pairs(node.target, node.value)
        elif isinstance(node, ast.AugAssign):
            yield from _pairs(node.target, ast.BinOp(node.target, node.op, node.value))


def _pairs(target: ast.AST, value: ast.AST) -> Iterator[Tuple[str, ast.AST]]:
    if isinstance(target, (ast.Tuple, ast.List)):
        same = isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts)
        for place, part in enumerate(target.elts):
            # The parts of anything else are asked of it, like an item.
            yield from _pairs(part, value.elts[place] if same else _item_of(value))  # type: ignore[attr-defined]
    elif isinstance(target, ast.Name):
        yield target.id, value


def _item_of(value: ast.AST) -> ast.AST:
    return ast.Subscript(value, ast.Constant(0), ast.Load())  # type: ignore[arg-type]


def _items(tree: ast.AST) -> Iterator[Tuple[str, ast.AST]]:
    """Names, each with what gives it one item after the other, or by `with`."""
    for node in ast.walk(tree):
        found: List[Tuple[ast.AST, ast.AST]] = []
        if isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            found.append((node.target, node.iter))
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            found.append((node.optional_vars, node.context_expr))
        for target, over in found:
            for name in ast.walk(target):
                if isinstance(name, ast.Name):
                    yield name.id, over
