"""Finds, in a task's tests, objects that the answer is given and that cannot leave their process.

Data crosses, and so do functions and iterators, as handles. Objects of these classes do neither.
"""

import ast
import builtins
from collections.abc import Iterator, Sequence

_MAKERS = {
    "ast": {"parse"},
    "builtins": {"object"},
    "calendar": {"Calendar", "TextCalendar", "HTMLCalendar"},
    "codecs": {"lookup"},
    "decimal": {"Context", "getcontext", "localcontext"},
    "difflib": {"Differ", "SequenceMatcher"},
    "hashlib": {"blake2b", "blake2s", "md5", "new", "sha1", "sha224", "sha256", "sha384", "sha512"},
    "json": {"JSONDecoder", "JSONEncoder"},
    "random": {"Random", "SystemRandom"},
    "re": {"compile", "match", "search", "fullmatch"},
    "string": {"Formatter", "Template"},
    "struct": {"Struct"},
    "textwrap": {"TextWrapper"},
    "uuid": {"UUID", "uuid1", "uuid3", "uuid4", "uuid5"},
    "zlib": {"compressobj", "decompressobj"},
}
_DISPLAYS = (ast.List, ast.Tuple, ast.Set)


def passed_objects(trees: Sequence[ast.AST]) -> Iterator[str]:
    """The modules whose objects, or which themselves, are arguments of calls of the answer."""
    nodes = [node for tree in trees for node in ast.walk(tree)]
    modules = dict(_imported_modules(nodes))
    makers = {**dict(_imported_makers(nodes)), "object": "builtins"}
    made = {
        target.id: module
        for node in nodes
        if isinstance(node, ast.Assign) and (module := _maker(node.value, modules, makers))
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in nodes:
        if isinstance(node, ast.Call) and not _is_known(node.func, modules):
            for value in _values([*node.args, *(keyword.value for keyword in node.keywords)]):
                name = value.id if isinstance(value, ast.Name) else ""
                module = _maker(value, modules, makers) or made.get(name) or modules.get(name, "")
                if module:
                    yield module


def _imported_modules(nodes: Sequence[ast.AST]) -> Iterator[tuple[str, str]]:
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.asname or alias.name.partition(".")[0], alias.name


def _imported_makers(nodes: Sequence[ast.AST]) -> Iterator[tuple[str, str]]:
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module in _MAKERS:
            for alias in node.names:
                if alias.name in _MAKERS[node.module]:
                    yield alias.asname or alias.name, node.module


def _maker(node: ast.expr, modules: dict[str, str], makers: dict[str, str]) -> str:
    """The module of whose class a call makes an object."""
    if not isinstance(node, ast.Call):
        return ""
    called = node.func
    if isinstance(called, ast.Name):
        return makers.get(called.id, "")
    if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
        module = modules.get(called.value.id, "")
        return module if called.attr in _MAKERS.get(module, ()) else ""
    return ""


def _is_known(called: ast.expr, modules: dict[str, str]) -> bool:
    """Whether it is a built-in function or one of a module, and so not the answer's."""
    if isinstance(called, ast.Name):
        return hasattr(builtins, called.id)
    while isinstance(called, ast.Attribute):
        called = called.value
    return isinstance(called, ast.Name) and called.id in modules


def _values(nodes: Sequence[ast.expr]) -> Iterator[ast.expr]:
    """What is passed, and what is in the displays that are."""
    for node in nodes:
        if isinstance(node, ast.Starred):
            yield from _values([node.value])
        elif isinstance(node, _DISPLAYS):
            yield from _values(node.elts)
        elif isinstance(node, ast.Dict):
            yield from _values([value for value in (*node.keys, *node.values) if value])
        else:
            yield node
