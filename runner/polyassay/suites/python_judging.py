"""Decides, from a Python task's signature and tests alone, whether it can be judged apart.

Apart, only plain values cross between tests and candidate. A test that needs more (a mock, a
callback, a file that both see, an object of a library) is judged together with the candidate. The
answer names the first reason found; it never depends on a candidate.
"""

import ast
import builtins
import re
import warnings
from collections.abc import Iterator
from dataclasses import replace

from polyassay.model import Language, Style, Task

# Modules whose values are plain data, or that tests use for themselves.
# fmt: off
_PLAIN_MODULES = frozenset(
    {
        "ast", "base64", "binascii", "bisect", "builtins", "calendar", "cmath", "codecs",
        "collections", "copy", "datetime", "decimal", "difflib", "enum", "fractions",
        "functools", "hashlib", "heapq", "html", "itertools", "json", "math", "numbers",
        "numpy", "operator", "pprint", "re", "secrets", "statistics", "string", "struct",
        "textwrap", "typing", "unicodedata", "uuid", "zlib",
    }
)
_PLAIN_TYPES = frozenset(
    {
        "bool", "bytearray", "bytes", "complex", "dict", "float", "frozenset", "int", "list",
        "range", "set", "str", "tuple", "type", "Exception", "BaseException", "ArithmeticError",
        "AssertionError", "AttributeError", "IndexError", "KeyError", "LookupError",
        "NameError", "NotImplementedError", "OverflowError", "RuntimeError", "StopIteration",
        "SyntaxError", "TypeError", "ValueError", "ZeroDivisionError",
    }
)
# fmt: on
_TOUCHES = {
    "open": "files that tests and answer share",
    "input": "standard input",
    "exec": "code that is made while it runs",
    "eval": "code that is made while it runs",
    "globals": "the answer's namespace",
    "locals": "the answer's namespace",
    "vars": "the answer's namespace",
    "id": "identity",
    "dir": "types that only the candidate knows",
    "hasattr": "types that only the candidate knows",
    "getattr": "types that only the candidate knows",
    "setattr": "types that only the candidate knows",
    "type": "types that only the candidate knows",
    "issubclass": "types that only the candidate knows",
    "callable": "types that only the candidate knows",
}
_NO_ARRAYS = "values of numpy that are no plain arrays"
_ATTRIBUTES = {
    **dict.fromkeys(("seed", "random"), "randomness"),
    **dict.fromkeys(("matrix", "recarray", "ma"), _NO_ARRAYS),
    **dict.fromkeys(
        ("__class__", "__name__", "__doc__", "__dict__"), "types that only the candidate knows"
    ),
}
_LAZY = frozenset({"iter", "map", "filter", "zip", "reversed", "enumerate"})
# fmt: off
_COMPUTING = (
    "add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "divmod", "pow", "lshift",
    "rshift", "and", "or", "xor",
)
# fmt: on
_ALONE = ("eq", "ne", "lt", "le", "gt", "ge", "hash", "neg", "pos", "abs", "invert")
_OPERATORS = frozenset(
    f"__{name}__"
    for name in (*_ALONE, *(side + name for name in _COMPUTING for side in ("", "r", "i")))
)


def decide(task: Task) -> Task:
    """The task, with the reason why it cannot be judged apart, if there is one."""
    if task.language is not Language.PYTHON or task.together_because:
        return task
    return replace(task, together_because=reason(task))


def reason(task: Task) -> str:
    """Why tests and candidate must be judged together; empty where they need not be."""
    if task.style is Style.PYTEST:
        return "a pytest file imports the answer"
    if task.style not in (Style.FUNCTION, Style.CLASS, Style.SETS):
        return ""
    if task.files:
        return "files that tests and answer share"
    codes = [task.setup, *(test.code for test in task.tests)]
    trees = [tree for tree in map(_parse, codes) if tree]
    for library in task.libraries:
        if library.partition(".")[0] not in _PLAIN_MODULES:
            return f"values of {library} do not cross"
    found = next((why for tree in trees for why in _reasons(tree)), "")
    return found or _undefined(task, trees) or _operators(task, trees)


def _reasons(tree: ast.AST) -> Iterator[str]:
    functions = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from _imports(node)
        elif isinstance(node, ast.Call):
            yield from _call(node, functions)
        elif isinstance(node, ast.Compare):
            yield from _compare(node)
        else:
            yield from _other(node)


def _other(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.ClassDef):
        yield "types that the tests define"
    elif isinstance(node, ast.Assign | ast.Delete):
        if any(isinstance(target, ast.Attribute) for target in node.targets):
            yield "tests that change what the answer sees"
    elif isinstance(node, ast.Attribute) and node.attr in _ATTRIBUTES:
        yield _ATTRIBUTES[node.attr]
    elif isinstance(node, ast.keyword) and isinstance(node.value, ast.List):
        yield from [_NO_ARRAYS] if node.arg == "dtype" else []


def _imports(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    names = [alias.name for alias in node.names]
    modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else names
    for module in modules:
        top = module.partition(".")[0]
        if "mock" in module or "mock" in names:
            yield "mocks"
        elif top == "random":
            yield "randomness"
        elif top not in _PLAIN_MODULES:
            yield f"values of {top} do not cross"


def _call(node: ast.Call, functions: set[str]) -> Iterator[str]:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    own = name == "exec" and len(node.args) > 1 and isinstance(node.args[0], ast.Constant)
    if name in _TOUCHES and not own:
        yield _TOUCHES[name]
    if name == "isinstance" and not _plain_types(node.args[-1]):
        yield "types that only the candidate knows"
    if name in vars(builtins):
        return  # the test's own: sorted(…, key=…), list(map(…))
    for value in (*node.args, *(keyword.value for keyword in node.keywords)):
        if isinstance(value, ast.Lambda) or (isinstance(value, ast.Name) and value.id in functions):
            yield "callbacks"
        if isinstance(value, ast.GeneratorExp):
            yield "iterators that the tests make"
        called = value.func if isinstance(value, ast.Call) else None
        if isinstance(called, ast.Name) and called.id in _LAZY:
            yield "iterators that the tests make"


def _compare(node: ast.Compare) -> Iterator[str]:
    operands = [node.left, *node.comparators]
    plain = any(isinstance(value, ast.Constant) for value in operands)
    if not plain and any(isinstance(operator, ast.Is | ast.IsNot) for operator in node.ops):
        yield "identity"


def _plain_types(node: ast.expr) -> bool:
    kinds = node.elts if isinstance(node, ast.Tuple) else [node]
    return all(isinstance(kind, ast.Name) and kind.id in _PLAIN_TYPES for kind in kinds)


def _undefined(task: Task, trees: list[ast.Module]) -> str:
    """A name that neither tests nor task define must be the answer's, beside the entry."""
    known = {*vars(builtins), task.entry, "f", "candidate", *_defined_before(task)}
    used: list[str] = []
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                (used.append if isinstance(node.ctx, ast.Load) else known.add)(node.id)
            elif isinstance(node, ast.arg):
                known.add(node.arg)
            elif isinstance(node, ast.FunctionDef | ast.ExceptHandler) and node.name:
                known.add(node.name)
            elif isinstance(node, ast.alias):
                known.add((node.asname or node.name).partition(".")[0])
    other = next((name for name in used if name not in known), "")
    return f"tests use {other} of the answer" if other else ""


def _defined_before(task: Task) -> set[str]:
    return set(re.findall(r"(?m)^(?:def|class|import|from .* import) +(\w+)", task.context))


def _operators(task: Task, trees: list[ast.Module]) -> str:
    """Objects that are compared or computed with would be asked, and could answer what they like.

    The reference knows whether the task is about that; without one the tests must tell.
    """
    if task.style is not Style.CLASS:
        return ""
    tree = _parse(task.reference) if task.reference else None
    if tree:
        names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        found = bool(names & _OPERATORS)
    else:
        found = any(_computes(tree, task.entry) for tree in trees)
    return "objects of the answer's class are compared or computed with" if found else ""


def _computes(tree: ast.Module, entry: str) -> bool:
    """Whether operands of an operator can both be objects that come from the entry."""
    known = {entry}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and _mentions(node.value, known):
            known |= {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            operands = [node.left, *node.comparators]
        elif isinstance(node, ast.BinOp):
            operands = [node.left, node.right]
        else:
            continue
        if sum(_mentions(operand, known) for operand in operands) > 1:
            return True
        if isinstance(node, ast.BinOp) and any(_makes(operand, known) for operand in operands):
            return True
    return False


def _mentions(node: ast.AST, names: set[str]) -> bool:
    return any(isinstance(part, ast.Name) and part.id in names for part in ast.walk(node))


def _makes(node: ast.expr, known: set[str]) -> bool:
    made = node.func if isinstance(node, ast.Call) else node
    return isinstance(made, ast.Name) and made.id in known


def _parse(code: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a publisher's odd escapes are not the user's concern
            return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return None  # some publishers' literals do not parse; such a test fails either way
