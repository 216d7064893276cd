"""What contests' suites share: programs judged by their output, methods by their results."""

import json
import re
from collections.abc import Sequence
from typing import Any

from polyassay.model import Language, Style, Task, Test
from polyassay.suites.native.fields import Fields

# APPS and LiveCodeBench take a tuple for a list.
SAME = """\
def same(found, wanted):
    if isinstance(found, tuple):
        found = list(found)
    return found == wanted
"""
_METHOD = re.compile(r"class (\w+)")


def program_task(
    row: Fields, suite: str, task_id: str, prompt: str, pairs: Sequence[tuple[str, str]]
) -> Task:
    """A program that reads standard input; white space at the ends of lines does not count."""
    return Task(
        id=task_id,
        suite=suite,
        language=Language.PYTHON,
        style=Style.PROGRAM,
        prompts={"en": prompt},
        tests=tuple(
            Test(f"test_{number}", stdin=given, stdout=wanted)
            for number, (given, wanted) in enumerate(pairs)
        ),
        reference=_reference(row),
    )


def method_task(
    row: Fields,
    suite: str,
    task_id: str,
    prompt: str,
    function: str,
    pairs: Sequence[tuple[Sequence[Any], Any]],
) -> Task:
    """A function, or a method of the class that the starter code opens."""
    starter = row.text("starter_code", "")
    owner = _METHOD.search(starter)
    called = f"{owner[1]}().{function}" if owner else function
    return Task(
        id=task_id,
        suite=suite,
        language=Language.PYTHON,
        style=Style.CLASS if owner else Style.FUNCTION,
        prompts={"en": f"{prompt.rstrip()}\n\n{starter}".strip() + "\n"},
        tests=tuple(
            Test(
                f"test_{number}",
                f"assert same({called}({', '.join(map(repr, given))}), {wanted!r})",
            )
            for number, (given, wanted) in enumerate(pairs)
        ),
        entry=owner[1] if owner else function,
        setup=SAME,
        reference=_reference(row),
    )


def parsed(row: Fields, name: str, text: str) -> Any:
    """JSON that stands as text in a field."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        row.refuse(name, "must hold JSON")


def _reference(row: Fields) -> str:
    """The first published solution; none where the suite has none."""
    if not row.text("solutions", ""):
        return ""
    found = parsed(row, "solutions", row.text("solutions"))
    return str(found[0]) if isinstance(found, list) and found else ""
