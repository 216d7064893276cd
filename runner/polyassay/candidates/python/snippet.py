"""From an answer to a snippet task's program: the given lines, the answer, the lines after it.

A task whose snippet is `quoted` (DS-1000) takes the answer as a text, which its program puts in the
middle of given lines and executes anew for each input.
"""

import re

from polyassay.candidates.chat import code_blocks, has_fence
from polyassay.candidates.python.syntax import parse
from polyassay.model import Language, Program, Task

_TAIL = re.compile(r"</code>|\n(?:END SOLUTION|### END SOLUTION|# SOLUTION END)")  # ends answers


def is_snippet(task: Task) -> bool:
    return "snippet" in task.extra


def snippet_program(task: Task, text: str) -> Program:
    """The first reading that parses; the answer as it is where none does."""
    if task.extra["snippet"] == "quoted":
        return _quoted(task, text)
    pieces: list[tuple[str, tuple[str, ...]]] = [(text, ())]
    if has_fence(text):
        blocks = code_blocks(text, Language.PYTHON)
        pieces = [(block.code, ("from a fenced block",)) for block in blocks] or pieces
    for code, notes in pieces:
        program = _program(task, code, notes)
        if parse(program.source) is not None:
            return program
    return _program(task, *pieces[0])


def _program(task: Task, code: str, notes: tuple[str, ...]) -> Program:
    """An answer that repeats the given lines is the program; else it goes on from them."""
    if _repeats(task.context, code):
        return Program(code.rstrip() + task.suffix, 1, code, notes)
    first_line = task.context.count("\n") + 1
    return Program(task.context + code.rstrip() + task.suffix, first_line, code, notes)


def _repeats(context: str, code: str) -> bool:
    """All given lines of code but the last, which may be left open, are in the answer."""
    given = [line.strip() for line in context.splitlines() if line.strip()]
    code_lines = {line.strip() for line in code.splitlines()}
    wanted = [line for line in given[:-1] if not line.startswith("#")]
    return bool(wanted) and all(line in code_lines for line in wanted)


def _quoted(task: Task, text: str) -> Program:
    """What stands in a fence or between the prompt's own tags; else all of it."""
    blocks = code_blocks(text, Language.PYTHON) if has_fence(text) else []
    code = blocks[0].code if blocks else _TAIL.split(text.replace("<code>", ""))[0]
    notes = ("from a fenced block",) if blocks else ()
    return Program(f"SOLUTION = {code!r}{task.suffix}", 1, code, notes)
