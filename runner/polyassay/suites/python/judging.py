"""Decides, from a Python task's signature and tests alone, whether it can be judged apart.

Apart, plain values cross between tests and candidate, and functions and objects as handles. A test
that needs more (a mock, a file that both see, an object of a library) is judged together with the
candidate. The answer names the first reason found; it never depends on a candidate.
"""

import ast
import builtins
import warnings
from collections.abc import Iterator
from dataclasses import replace

from polyassay.model import Language, Style, Task
from polyassay.requirement import name_of, package_of
from polyassay.suites.python.passing import passed_objects
from polyassay.suites.python.quoted import is_quoted, of_values
from polyassay.suites.python.special_names import asks_object, imported_names, root
from polyassay.suites.python.undefined import undefined

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
# Of other modules, what tests may use all the same.
_PLAIN_PARTS = {
    "contextlib": {"suppress", "contextmanager", "nullcontext"},
    "inspect": {"isgenerator"},
    "random": {"Random"},
    "sys": {"maxsize", "float_info", "maxunicode"},
    "time": {"sleep"},  # what measures time would measure the way between two processes
    "types": {"GeneratorType"},
}
_PLAIN_TYPES = frozenset(
    {
        "bool", "bytearray", "bytes", "complex", "dict", "float", "frozenset", "int", "list",
        "memoryview", "range", "set", "slice", "str", "tuple", "type", "Counter", "Decimal",
        "Fraction", "Generator", "GeneratorType", "Integral", "Iterable", "Iterator", "Number",
        "OrderedDict", "Real", "date", "datetime", "defaultdict", "deque", "time", "timedelta",
        *(
            name
            for name, kind in vars(builtins).items()
            if isinstance(kind, type) and issubclass(kind, BaseException)
        ),
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
    "cmp_to_key": "objects of the tests that the answer compares",
    "dir": "types that only the candidate knows",
    "issubclass": "types that only the candidate knows",
    "get_type_hints": "types that only the candidate knows",
}
_UNKNOWN_TYPES = "types that only the candidate knows"
_RANDOMNESS = "randomness"
_RAISES = "tests that raise or catch the task's class"
_DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_NO_ARRAYS = "values of numpy that are no plain arrays"
_ATTRIBUTES = {
    **dict.fromkeys(("seed", "random"), _RANDOMNESS),
    **dict.fromkeys(("matrix", "mat", "asmatrix", "bmat", "matlib"), _NO_ARRAYS),
    **dict.fromkeys(("recarray", "chararray", "memmap", "ma"), _NO_ARRAYS),
    "cmp_to_key": "objects of the tests that the answer compares",
    # Called by name, they may well answer NotImplemented.
    **dict.fromkeys(
        (f"__{name}__" for name in ("eq", "ne", "lt", "le", "gt", "ge", "add", "sub", "mul")),
        "objects that are asked how they compare",
    ),
    "get_type_hints": _UNKNOWN_TYPES,
}


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
    if task.data_files:
        return "files that tests and answer share"
    codes = [task.setup, *(test.code for test in task.tests)]
    trees = [tree for tree in map(_parse, codes) if tree]
    quoted = is_quoted(task)
    trees = list(map(of_values, trees)) if quoted else trees
    for library in () if quoted else task.libraries:
        if package_of(library) not in _PLAIN_MODULES:
            return _stays_behind(name_of(library))
    if _calls_at_once(task):
        return "a setup that uses the answer before any test does"
    found = next((why for tree in trees for why in _reasons(task, tree)), "")
    if not found and task.style is not Style.SETS:  # where nothing but data is ever given
        found = next(map(_stays_behind, passed_objects(trees)), "")
    return found or undefined(task, trees)


def _calls_at_once(task: Task) -> bool:
    tree = _parse(task.setup)
    acts = [node for node in tree.body if not isinstance(node, _DEFINING)] if tree else []
    names = {node.id for act in acts for node in ast.walk(act) if isinstance(node, ast.Name)}
    return bool(task.entry) and task.entry in names


def _reasons(task: Task, tree: ast.AST) -> Iterator[str]:
    nodes = list(ast.walk(tree))
    imported = imported_names(nodes)
    setup = _parse(task.setup)
    libraries = imported | imported_names(ast.walk(setup) if setup else ())
    compared = {
        id(operand)
        for node in nodes
        if isinstance(node, ast.Compare)
        for operand in (node.left, *node.comparators)
        if _are_types(node, operand)
    }
    immutable = set(_immutable(nodes))
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from _imports(node, nodes)
        elif isinstance(node, ast.Call):
            yield from _call(task, node, plain=id(node) in compared)
        elif isinstance(node, ast.Compare):
            yield from _compare(node, immutable)
        elif isinstance(node, ast.ExceptHandler | ast.Raise):
            yield from [_RAISES] if task.style is Style.CLASS and _throws_entry(node, task) else []
        else:
            yield from _other(node, imported)
            yield from [_UNKNOWN_TYPES] if asks_object(node, libraries) else []


def _throws_entry(node: ast.ExceptHandler | ast.Raise, task: Task) -> bool:
    thrown = node.type if isinstance(node, ast.ExceptHandler) else node.exc
    parts = ast.walk(thrown) if thrown else ()
    return any(_is_name(part, task.entry) for part in parts)


def _other(node: ast.AST, imported: set[str]) -> Iterator[str]:
    if isinstance(node, ast.ClassDef):
        if not (node.bases and all(map(_names_exception, node.bases)) and _says_nothing(node)):
            yield "types that the tests define"
    elif isinstance(node, ast.Assign | ast.Delete | ast.AugAssign):
        targets = [node.target] if isinstance(node, ast.AugAssign) else node.targets
        if any(
            isinstance(target, ast.Attribute) and root(target) in imported for target in targets
        ):
            yield "tests that change what the answer sees"
    elif isinstance(node, ast.Attribute) and node.attr in _ATTRIBUTES:
        if _ATTRIBUTES[node.attr] != _RANDOMNESS or root(node) in imported:
            yield _ATTRIBUTES[node.attr]
    elif isinstance(node, ast.keyword) and isinstance(node.value, ast.List):
        yield from [_NO_ARRAYS] if node.arg == "dtype" else []


def _names_exception(node: ast.expr) -> bool:
    kind = vars(builtins).get(node.id) if isinstance(node, ast.Name) else None
    return isinstance(kind, type) and issubclass(kind, BaseException)


def _says_nothing(node: ast.ClassDef) -> bool:
    return all(isinstance(item, ast.Pass) or _is_text(item) for item in node.body)


def _is_text(item: ast.stmt) -> bool:
    return isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant)


def _imports(node: ast.Import | ast.ImportFrom, nodes: list[ast.AST]) -> Iterator[str]:
    names = [alias.name for alias in node.names]
    whole = isinstance(node, ast.Import)
    modules = names if isinstance(node, ast.Import) else [node.module or ""]
    for module in modules:
        top = module.partition(".")[0]
        parts = _PLAIN_PARTS.get(module, set())
        if "mock" in module or "mock" in names:
            yield "mocks"
        elif parts and (_used_of(module, node, nodes) if whole else set(names)) <= parts:
            continue
        elif top == "random":
            yield _RANDOMNESS
        elif top not in _PLAIN_MODULES:
            yield _stays_behind(top)


def _stays_behind(library: str) -> str:
    return f"objects of {library} cannot be passed between processes"


def _used_of(module: str, node: ast.Import | ast.ImportFrom, nodes: list[ast.AST]) -> set[str]:
    """The attributes of a module that are used; all of it, where its name stands alone."""
    name = next((alias.asname or module for alias in node.names if alias.name == module), module)
    attributes = [n for n in nodes if isinstance(n, ast.Attribute) and _is_name(n.value, name)]
    alone = sum(_is_name(n, name) for n in nodes) > len(attributes)
    return {attribute.attr for attribute in attributes} | ({"*"} if alone else set())


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _call(task: Task, node: ast.Call, *, plain: bool) -> Iterator[str]:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    own = name == "exec" and len(node.args) > 1 and isinstance(node.args[0], ast.Constant)
    if name in _TOUCHES and not own:
        yield _TOUCHES[name]
    if name == "isinstance" and not _plain_types(task, node.args[-1]):
        yield _UNKNOWN_TYPES
    if name == "type" and not plain and not _is_none(node.args):
        yield _UNKNOWN_TYPES
    if name in ("hasattr", "getattr", "setattr", "delattr") and not _names_attribute(node):
        yield _UNKNOWN_TYPES


def _names_attribute(node: ast.Call) -> bool:
    """Whether it is about an attribute that a handle would ask for."""
    name = node.args[1] if len(node.args) > 1 else None
    named = isinstance(name, ast.Constant) and isinstance(name.value, str)
    return named and not str(name.value).startswith("__")  # type: ignore[union-attr]


def _is_none(values: list[ast.expr]) -> bool:
    return len(values) == 1 and isinstance(values[0], ast.Constant) and values[0].value is None


def _are_types(node: ast.Compare, operand: ast.expr) -> bool:
    """Whether the operand is a type(…) that is compared to plain types only."""
    others = [other for other in (node.left, *node.comparators) if other is not operand]
    return all(_plain_types(None, other) or _is_type_call(other) for other in others)


def _is_type_call(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and _is_name(node.func, "type") and len(node.args) == 1


def _compare(node: ast.Compare, immutable: set[str]) -> Iterator[str]:
    """What is mutable, or an object, keeps its identity; of other values a copy arrives."""
    if any(isinstance(operator, ast.Is | ast.IsNot) for operator in node.ops):
        operands = [node.left, *node.comparators]
        if any(isinstance(value, ast.Name) and value.id in immutable for value in operands):
            yield "identity"


def _immutable(nodes: list[ast.AST]) -> Iterator[str]:
    """Names of what the tests themselves make, and no candidate could change."""
    for node in nodes:
        if isinstance(node, ast.Assign) and _is_immutable(node.value):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def _is_immutable(value: ast.expr) -> bool:
    if isinstance(value, ast.Constant):
        return not isinstance(value.value, bool | None)
    return isinstance(value, ast.Tuple | ast.JoinedStr) or (
        isinstance(value, ast.Call)
        and any(_is_name(value.func, name) for name in ("tuple", "str", "bytes", "frozenset"))
    )


def _plain_types(task: Task | None, node: ast.expr) -> bool:
    """Whether these are types that a value still has when it has crossed, or the task's own."""
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return all(_plain_types(task, kind) for kind in node.elts)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _plain_types(task, node.left) and _plain_types(task, node.right)
    if isinstance(node, ast.Call):
        return _is_type_call(node) and _is_none(node.args)
    if task and task.style is Style.CLASS and _is_name(node, task.entry):
        return True
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return name in _PLAIN_TYPES


def _parse(code: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a publisher's odd escapes are not the user's concern
            return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return None  # some publishers' literals do not parse; such a test fails either way
