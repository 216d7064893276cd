"""The file tests.py of a task in a folder: each top-level `def test_x():` is a test.

All else is the setup of every test. What looks like a test and would be none is refused, because
nothing would ever run it.
"""

import ast
import difflib
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from polyassay.errors import PolyAssayError, all_told
from polyassay.suites.native.fields import NOTHING_ADDED
from polyassay.suites.native.mistakes import NotPython, compiled
from polyassay.suites.text import read_text
from polyassay.wording import stopped

_TEST = "test"
_NEAR = 0.75  # of one, by difflib: "tets" and "tst" are as near to "test"
_PYTEST = 'a task of the style "pytest" may have'


def parts_of(path: Path) -> Iterator[tuple[str, object]]:
    """The task's tests and their setup."""
    source = read_text(path)
    try:
        compiled(source)
    except NotPython as error:
        raise _mistake(path, error.line, f"not Python: {error}") from None
    body = ast.parse(source).body
    tests = [n for n in body if isinstance(n, ast.FunctionDef) and n.name.startswith(_TEST)]
    found = [*_misfits(tests), *_forgotten(body)]
    if found:
        raise all_told([_mistake(path, line, problem) for line, problem in sorted(found)])
    if not tests:
        problem = f"{path} has no function `def test_…():` that is not in a class."
        raise PolyAssayError(problem, NOTHING_ADDED)
    lines = source.splitlines(keepends=True)
    yield "tests", [{"name": test.name, "code": _body(test, lines)} for test in tests]
    for test in reversed(tests):
        del lines[test.lineno - 1 : test.end_lineno]
    yield "setup", "".join(lines).strip("\n") + "\n" if "".join(lines).strip() else ""


def _misfits(tests: Sequence[ast.FunctionDef]) -> Iterator[tuple[int, str]]:
    """Lines of tests that could not be run, and why."""
    for test in tests:
        if test.decorator_list or ast.unparse(test.args):
            problem = f"{test.name} must have no arguments or decorators; {_PYTEST} them"
            yield test.lineno, problem
        try:
            compiled(ast.Module(test.body, []))
        except NotPython as error:
            yield error.line, f"{test.name} cannot run: {error}"


def _forgotten(body: Sequence[ast.stmt]) -> Iterator[tuple[int, str]]:
    """Lines of what looks like a test and is none, and what could be meant."""
    named = {node.id for part in body for node in ast.walk(part) if isinstance(node, ast.Name)}
    for part in body:
        if isinstance(part, ast.AsyncFunctionDef) and part.name.startswith(_TEST):
            hint = "in a plain `def`, asyncio.run can call what is async"
            yield part.lineno, f"{part.name} is async, and nothing would run it; {hint}"
        elif isinstance(part, ast.ClassDef) and (methods := _test_methods(part)):
            hint = f"{_PYTEST} classes"
            yield part.lineno, f"nothing would run {part.name}.{methods[0]}; {hint}"
        elif (
            isinstance(part, ast.FunctionDef) and part.name not in named and (name := _meant(part))
        ):
            yield part.lineno, f'nothing would run {part.name}; did you mean "{name}"?'


def _test_methods(found: ast.ClassDef) -> list[str]:
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    names = [part.name for part in found.body if isinstance(part, functions)]
    return [name for name in names if name.startswith(_TEST)]


def _meant(function: ast.FunctionDef) -> str:
    """The test's name that a function's is a slip of; empty for a test, and for any other name."""
    start = function.name.partition("_")[0]
    alike = difflib.SequenceMatcher(None, start.lower(), _TEST).ratio() >= _NEAR
    if not alike or function.name.startswith(_TEST):
        return ""
    called_with = function.decorator_list or ast.unparse(function.args)
    return "" if called_with else _TEST + function.name[len(start) :]


def _mistake(path: Path, line: int, problem: str) -> PolyAssayError:
    where = f"{path}, line {line}" if line else str(path)
    return PolyAssayError(stopped(f"{where}: {problem}"), NOTHING_ADDED)


def _body(test: ast.FunctionDef, lines: list[str]) -> str:
    """The function's statements at the margin, as written wherever that means the same."""
    code = textwrap.dedent("".join(lines[test.body[0].lineno - 1 : test.end_lineno]))
    plain = ast.unparse(ast.Module(test.body, []))
    try:
        same = ast.unparse(ast.parse(code)) == plain
    except SyntaxError:  # a text over several lines that starts left of its statement
        same = False
    return code if same else plain + "\n"
