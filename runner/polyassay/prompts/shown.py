"""A task's tests as a prompt shows them, and tasks with some of their tests left out."""

import ast
import dataclasses
import textwrap
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from polyassay.model import Style, Task, Test
from polyassay.prompts.java_methods import method_spans

CHECK = "def check("


@dataclass(frozen=True, slots=True)
class ShownTest:
    name: str
    text: str  # readable by itself
    raw: str  # the publisher's bytes, indented as in the body of a function


def shown_test(task: Task, test: Test, function: str) -> ShownTest | None:
    """The test as text; None where it cannot be shown by itself."""
    match task.style:
        case Style.FUNCTION | Style.CLASS:
            return _snippet(task, test, function)
        case Style.PROGRAM:
            text = f"Input:\n{test.stdin}\nOutput:\n{test.stdout}"
        case Style.SETS:
            text = f"assert {test.code}"
        case Style.JUNIT | Style.PYTEST:
            found = _source_of(task, test.name)
            if found is None:
                return None
            text = found
        case _:
            return None
    return ShownTest(test.name, text.strip("\n"), text)


def _snippet(task: Task, test: Test, function: str) -> ShownTest:
    """The body of a check() of its own (ODEX), or the snippet as it is."""
    ending = f"\ncheck({task.entry})\n"
    if not test.code.startswith(CHECK) or not test.code.endswith(ending):
        text = test.code.replace(task.entry, function) if function != task.entry else test.code
        return ShownTest(test.name, text.strip("\n"), text)
    body = test.code.removesuffix(ending)
    raw = body[body.index("\n") :] if "\n" in body else body
    raw = raw.replace("candidate", function)
    return ShownTest(test.name, textwrap.dedent(raw).strip("\n"), raw)


def _is_one_piece(task: Task) -> bool:
    """AixBench: a test is a count of one evaluation, and says nothing by itself."""
    return "extends" in task.extra or task.tests_build_on_each_other


def _source_of(task: Task, name: str) -> str | None:
    if _is_one_piece(task):
        return None
    span = _spans(task).get(name if task.style is Style.JUNIT else name.partition("[")[0])
    if span is None:
        return None
    return textwrap.dedent(task.test_source.encode()[slice(*span)].decode())


def _spans(task: Task) -> dict[str, tuple[int, int]]:
    """Test name → the bytes of the test source that hold it."""
    if task.style is Style.JUNIT:
        return method_spans(task.test_source)
    return _function_spans(task.test_source)


def _function_spans(source: str) -> dict[str, tuple[int, int]]:
    lines = source.encode().split(b"\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    found = {}
    for name, node in _functions(ast.parse(source)):
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        last = node.end_lineno or node.lineno
        found[name] = starts[first - 1], min(starts[last], len(source.encode()))
    return found


def _functions(
    node: ast.Module | ast.ClassDef, within: str = ""
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Functions and methods, with the names that pytest gives them: `TestStack::test_pop`."""
    for inner in node.body:
        if isinstance(inner, ast.ClassDef):
            yield from _functions(inner, f"{within}{inner.name}::")
        elif isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
            yield within + inner.name, inner


def without_tests(task: Task, left_out: Collection[str]) -> Task | None:
    """The task without these tests, or None where they cannot be taken out of it."""
    if not left_out:
        return task
    kept = tuple(test for test in task.tests if test.name not in left_out)
    if not kept or _is_one_piece(task):
        return None
    if task.style is not Style.JUNIT:  # of a pytest file, only the tests that are left are run
        return dataclasses.replace(task, tests=kept)
    spans, source = _spans(task), task.test_source.encode()
    if not set(left_out) <= spans.keys():
        return None
    for start, end in sorted((spans[name] for name in left_out), reverse=True):
        source = source[:start] + source[end:]
    return dataclasses.replace(task, tests=kept, test_source=source.decode())
