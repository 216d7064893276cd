"""What a hand-written task must have right so that its tests can be run at all.

Publishers' files are not held to this: their own mistakes are part of their suites. Stored suites
were looked at when they were added.
"""

import ast
import warnings
from collections.abc import Iterator

from polyassay.model import Language, Style, Task
from polyassay.suites.native.fields import Fields

LONGEST_ID = 200  # characters; stores keep no longer ones
WITH_SNIPPETS = (Style.FUNCTION, Style.CLASS, Style.SETS)
_IN_NONE = "a test's statements are in none, so that they may not use it"


def refuse_what_cannot_run(fields: Fields, task: Task) -> None:
    if len(task.id) > LONGEST_ID:
        fields.refuse("id", f"must have at most {LONGEST_ID} characters, found {len(task.id)}")
    if task.language is not Language.PYTHON:
        return
    for name, code in _sources(task):
        try:
            compiled(code)
        except NotPython as problem:
            where = f"line {problem.line}: " if problem.line else ""
            fields.refuse(name, f"is not Python: {where}{problem}")


def _sources(task: Task) -> Iterator[tuple[str, str]]:
    if task.style in WITH_SNIPPETS:
        yield "setup", task.setup
        for index, test in enumerate(task.tests):
            place = test.name if task.style is Style.SETS else f"tests[{index}].code"
            yield place, test.code
    if task.style is Style.PYTEST:
        yield "test_source", task.test_source
    if not task.context and not task.reference_files:  # else it may be a part of a program
        yield "reference", task.reference


class NotPython(Exception):
    """What the compiler of Python says about a suite's code; `line` is 0 where it says none."""

    def __init__(self, problem: str, line: int | None) -> None:
        super().__init__(problem)
        self.line = line or 0


def compiled(code: str | ast.Module) -> None:
    """Raises NotPython where statements cannot be compiled: by more than their grammar."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(code, "<tests>", "exec", dont_inherit=True)
    except SyntaxError as error:
        why = f"; {_IN_NONE}" if error.msg.endswith("outside function") else ""
        raise NotPython(error.msg + why, error.lineno) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise NotPython(str(error), 0) from None
