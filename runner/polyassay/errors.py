"""The one error that people see."""

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

MOST_TOLD = 20  # mistakes of one file
_LINE = "\n       "  # below the word "Error: "
Part = TypeVar("Part")


class PolyAssayError(Exception):
    """Printed without a traceback as one sentence and a hint; the command line exits 2."""

    def __init__(self, problem: str, hint: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self.hint = hint

    def __reduce__(self) -> tuple[type["PolyAssayError"], tuple[str, str]]:
        """Sent by another process, it arrives with its hint."""
        return type(self), (self.problem, self.hint)


def all_told(mistakes: Sequence[PolyAssayError]) -> PolyAssayError:
    """Everything that is wrong with a file as one error, a line each; the first one's hint.

    >>> all_told([PolyAssayError("Line 1: bad.", "Fix it."), PolyAssayError("Line 9: bad.", "")])
    PolyAssayError('Line 1: bad.\\n       Line 9: bad.')
    """
    all_lines = [line for mistake in mistakes for line in mistake.problem.split(_LINE)]
    told = all_lines[:MOST_TOLD]
    if len(all_lines) > MOST_TOLD:
        told.append(f"… and {len(all_lines) - MOST_TOLD} more.")
    return PolyAssayError(_LINE.join(told), mistakes[0].hint)


class Mistakes:
    """What is wrong with the parts of a file: a part that cannot be read does not hide the next."""

    def __init__(self) -> None:
        self._found: dict[str, PolyAssayError] = {}

    def read(self, how: Callable[..., Part], *arguments: Any) -> Part | None:
        """A part; None where it is wrong."""
        try:
            return how(*arguments)
        except PolyAssayError as mistake:
            for problem in mistake.problem.split(_LINE):
                self._found.setdefault(problem, PolyAssayError(problem, mistake.hint))
            return None

    def tell(self) -> None:
        """Raises all of them as one, if there are any."""
        if self._found:
            raise all_told(list(self._found.values()))


def json_reason(error: json.JSONDecodeError) -> str:
    """What is wrong with a JSON text and where; the parser's own words end in "at"."""
    what = error.msg.removesuffix(" at").removesuffix(" starting")
    return f"{what.lower()} at column {error.colno}"
