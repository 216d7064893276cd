"""Names with two underscores that tests ask objects for, and whether a stub can answer them."""

import ast
from collections.abc import Iterable

_OPERATORS = (
    *("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "divmod", "pow"),
    *("lshift", "rshift", "and", "or", "xor"),
)
_ANSWERED = frozenset(
    f"__{name}__"
    for name in (
        *_OPERATORS,
        *(f"{before}{name}" for before in "ri" for name in _OPERATORS),
        *("len", "bool", "str", "repr", "format", "hash", "contains", "call", "iter", "next"),
        *("reversed", "getitem", "setitem", "delitem", "enter", "exit", "copy", "deepcopy"),
        *("neg", "pos", "abs", "invert", "round", "trunc", "floor", "ceil"),
        *("int", "float", "complex", "index", "bytes"),
        *("eq", "ne", "lt", "le", "gt", "ge"),
        *("cause", "context", "suppress_context", "traceback", "notes", "init"),  # of exceptions
    )
)


def imported_names(nodes: Iterable[ast.AST]) -> set[str]:
    """What imports bind."""
    return {
        (alias.asname or alias.name).partition(".")[0]
        for node in nodes
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }


def asks_object(node: ast.AST, imported: set[str]) -> bool:
    """Whether a stub would have nothing to say: `f.__annotations__`, `f.__wrapped__`."""
    if not isinstance(node, ast.Attribute) or root(node) in imported:
        return False
    special = node.attr.startswith("__") and node.attr.endswith("__")
    return special and node.attr not in _ANSWERED


def root(node: ast.expr) -> str:
    """The name that attributes are asked of, if it is one."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
