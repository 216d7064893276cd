"""The one error that people see."""


class PolyAssayError(Exception):
    """Printed without a traceback as one sentence and a hint; the command line exits 2."""

    def __init__(self, problem: str, hint: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self.hint = hint
