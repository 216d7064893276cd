"""A prompt as a comment above the code that it asks for."""

import re
import textwrap

from polyassay.model import Task

# Python looks for an encoding in the first two lines, and no prompt may name one there.
ASKED = "Write the code that is asked for here."

WIDTH = 96


def usual_language(task: Task) -> str:
    return "en" if "en" in task.prompts else next(iter(task.prompts), "")


def comment(text: str, mark: str) -> str:
    """Lines that begin with the mark; empty for an empty text."""
    if not text.strip():
        return ""
    said = [part for line in text.strip("\n").splitlines() for part in _wrapped(line)]
    lines = [ASKED, "", *said]
    return "".join(f"{mark} {_printable(line)}".rstrip() + "\n" for line in lines) + "\n"


def _wrapped(line: str) -> list[str]:
    return [line] if len(line) <= WIDTH else textwrap.wrap(line, WIDTH, break_long_words=False)


def _printable(line: str) -> str:
    """Without what ends a line or a file for some compiler."""
    return re.sub(r"[\x00-\x08\x0a-\x1f\x7f\x85\u2028\u2029]", " ", line)
