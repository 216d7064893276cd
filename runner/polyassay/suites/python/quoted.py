"""What the tests of a quoted snippet (DS-1000) do with the values that cross.

The publisher's code imports more than it uses. `define_test_input` draws the values that the
answer is given, `generate_ans` makes those that its own are compared with, and `test_string` is
given the answer as a text, so what that uses does not matter.
"""

import ast
from collections.abc import Iterable, Iterator

from polyassay.model import Task

_OF_TEXT = "test_string"
_OF_INPUT = "define_test_input"
_CONTEXT = "exec_context"  # the text of the program that the answer is put in


def is_quoted(task: Task) -> bool:
    return task.extra.get("snippet") == "quoted"


def of_values(tree: ast.Module) -> ast.Module:
    """The tests without what looks at the answer's text, and without imports that nothing uses.

    Drawing a test's input is no randomness that the answer takes part in, unless its own program
    draws as well.
    """
    body = [node for node in tree.body if not _is_of_text(node)]
    if not any(_draws(node) for node in body):
        body = [_Input().visit(node) for node in body]
    used = {node.id for part in body for node in ast.walk(part) if isinstance(node, ast.Name)}
    return ast.Module(list(_used(body, used)), tree.type_ignores)


class _Input(ast.NodeTransformer):
    """Has what draws inputs ask numpy itself, and not its random numbers."""

    def __init__(self) -> None:
        self.inside = False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        outer, self.inside = self.inside, self.inside or node.name == _OF_INPUT
        self.generic_visit(node)
        self.inside = outer
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        match node.value:
            case ast.Attribute(ast.Name() as module, "random") if self.inside:
                return module
        return node


def _is_of_text(node: ast.stmt) -> bool:
    if isinstance(node, ast.FunctionDef):
        return node.name == _OF_TEXT
    call = node.value if isinstance(node, ast.Expr) else None
    name = call.func if isinstance(call, ast.Call) else None
    return isinstance(name, ast.Name) and name.id == _OF_TEXT


def _draws(node: ast.stmt) -> bool:
    match node:
        case ast.Assign([ast.Name(name)], ast.Constant(str(text))) if name == _CONTEXT:
            return "random" in text
    return False


def _used(body: Iterable[ast.stmt], used: set[str]) -> Iterator[ast.stmt]:
    for node in body:
        names = node.names if isinstance(node, ast.Import | ast.ImportFrom) else ()
        bound = {(each.asname or each.name).partition(".")[0] for each in names}
        if not bound or bound & used:
            yield node
