"""The one error that people see."""

import json
from collections.abc import Sequence

MOST_TOLD = 20  # mistakes of one file


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
    told = [mistake.problem for mistake in mistakes[:MOST_TOLD]]
    if len(mistakes) > MOST_TOLD:
        told.append(f"… and {len(mistakes) - MOST_TOLD} more.")
    return PolyAssayError("\n       ".join(told), mistakes[0].hint)


def json_reason(error: json.JSONDecodeError) -> str:
    """What is wrong with a JSON text and where; the parser's own words end in "at"."""
    what = error.msg.removesuffix(" at").removesuffix(" starting")
    return f"{what.lower()} at column {error.colno}"
