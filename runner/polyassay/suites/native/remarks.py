"""What may be meant so, but is worth a look when a suite is added."""

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

from polyassay.model import Style, Suite, Task
from polyassay.suites.native.unread import unread
from polyassay.wording import counted, some

_CALLED = (Style.FUNCTION, Style.CLASS)
_DECLARED = (ast.FunctionDef, ast.AsyncFunctionDef)


def remarks(suite: Suite, source: Path) -> Iterator[str]:
    silent = [task.id for task in suite.tasks if not any(task.prompts.values())]
    if silent:
        yield f"No prompt, so that no tool can be asked: {some(silent)}."
    unasked = [task for task in suite.tasks if not _mentions_entry(task)]
    if unasked:
        named = some(f"{task.entry} (task {task.id})" for task in unasked)
        yield f'No test mentions the "entry" of its task: {named}.'
    idle = [f"{name} of {task.id}" for task in suite.tasks for name in _cannot_fail(task)]
    if idle:
        told = counted(len(idle), "test has", "tests have")
        yield f"{told} no assertion or call that could fail: {some(idle)}."
    if source.is_dir() and (found := sorted(unread(source))):
        yield f"{counted(len(found), 'file is', 'files are')} not read: {some(found)}."


def _mentions_entry(task: Task) -> bool:
    if task.style not in _CALLED:
        return True
    code: Sequence[str] = [task.setup, task.context, *(test.code for test in task.tests)]
    return any(task.entry in one for one in code)


def _cannot_fail(task: Task) -> Iterator[str]:
    """Names of Python tests that pass every answer."""
    if task.style in _CALLED:
        yield from (test.name for test in task.tests if _idle(ast.parse(test.code).body))
    elif task.style is Style.PYTEST:
        for part in ast.walk(ast.parse(task.test_source)):
            if isinstance(part, _DECLARED) and part.name.startswith("test"):
                yield from [part.name] * _idle(part.body)


def _idle(body: Sequence[ast.stmt]) -> bool:
    return not any(_can_fail(node) for part in body for node in _live(part))


def _live(node: ast.AST) -> Iterator[ast.AST]:
    """The parts that do something; `f(1) == 2` alone and `assert (x, "why")` do not."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Compare | ast.BoolOp):
        return
    if isinstance(node, ast.Assert) and _always_true(node.test):
        return
    yield node
    for inner in ast.iter_child_nodes(node):
        yield from _live(inner)


def _always_true(test: ast.expr) -> bool:
    return (isinstance(test, ast.Constant) and bool(test.value)) or (
        isinstance(test, ast.Tuple) and bool(test.elts)
    )


def _can_fail(node: ast.AST) -> bool:
    return isinstance(node, ast.Assert | ast.Raise | ast.Call)
