"""The one error that people see."""

import json


class PolyAssayError(Exception):
    """Printed without a traceback as one sentence and a hint; the command line exits 2."""

    def __init__(self, problem: str, hint: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self.hint = hint

    def __reduce__(self) -> tuple[type["PolyAssayError"], tuple[str, str]]:
        """Sent by another process, it arrives with its hint."""
        return type(self), (self.problem, self.hint)


def json_reason(error: json.JSONDecodeError) -> str:
    """What is wrong with a JSON text and where; the parser's own words end in "at"."""
    what = error.msg.removesuffix(" at").removesuffix(" starting")
    return f"{what.lower()} at column {error.colno}"
