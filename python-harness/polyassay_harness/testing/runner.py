"""Runs one test of a suite and returns its result; used where tests run, together or apart."""

import builtins
from typing import Any, Callable, Dict, Optional

from polyassay_harness.testing.checks import Checker, Operate
from polyassay_harness.testing.describe import FILENAME, TOLD, describe, last_line_in, shorten
from polyassay_harness.testing.precompiled import adopt
from polyassay_harness.testing.rewriting import compiled
from polyassay_harness.wire.messages import Test, Work

_BaseException, _AssertionError, _MemoryError = BaseException, AssertionError, MemoryError

Result = Dict[str, Any]


class TestRunner:
    """The suite's code of one task: what it puts before its tests, and how a test is run."""

    __test__ = False

    def __init__(
        self,
        work: Work,
        after: Callable[[], None],
        *,
        careful: bool,
        records: bool = False,
        operate: Optional[Operate] = None,
    ) -> None:
        self._setup = work["setup"]
        self._first_line = work["first_line"]
        self._sets = work["style"] == "sets"
        self._entry = work["entry"] if work["style"] == "class" else ""
        self._careful = careful  # an answer near the tests may make objects that lie
        # Methods may well have a state, so that to ask again would give another value.
        self._records = records or work["style"] == "class"
        self._more = {} if operate is None else {"operate": operate}
        self._after = after  # runs as soon as a test's code has ended
        self._names: Dict[str, Any] = {"__name__": "tests"}
        self._problem = ""
        self._builds = work["build_on_each_other"]
        self._before: Optional[Checker] = None  # of the test that the next one builds on

    def prepare(self, namespace: Dict[str, Any]) -> None:
        """Tests see the namespace; one-to-many assertions see the suite's own code only."""
        if not self._sets:
            self._names = namespace
        try:
            exec(compiled(self._setup, "<setup>"), self._names)
        except _BaseException as error:
            self._problem = self._describe(error)

    def run(self, test: Test, function: Any = None) -> Result:
        """The result of one test; a one-to-many assertion is about the function."""
        if self._problem:
            message = f"the tests' setup failed: {self._problem}"
            return {"status": "error", "type": "setup", "message": message}
        checker: Optional[Checker] = None
        try:
            checker = self._checker(test)
            if not self._sets:
                self._execute(checker)
            elif not self._evaluate(checker, function):
                names = {**self._names, "f": function}
                return _failed(checker.explain(_AssertionError(), names))
            return {"status": "passed"}
        except _MemoryError as error:
            error.__traceback__ = None  # lets go of what the test held
            return {"status": "out_of_memory", "message": "out of memory"}
        except _AssertionError as error:
            if checker is None or _raised_by_answer(error):
                return _failed(self._describe(error) + at_line(error, test))
            return _failed(checker.explain(error) + at_line(error, test))
        except _BaseException as error:
            kind = shorten(type(error).__name__)
            message = self._describe(error) + at_line(error, test)
            return {"status": "error", "type": kind, "message": message}

    def _checker(self, test: Test) -> Checker:
        filename = filename_of(test["name"])
        if test.get("compiled"):
            adopt(test["compiled"], test["code"], filename)
        checker = Checker(
            test["code"],
            filename,
            "eval" if self._sets else "exec",
            careful=self._careful,
            records=self._records,
            entry=self._entry,
            **self._more,
        )
        if "mock" in self._setup:
            checker.trust_mocks()
        if self._builds:
            checker.go_on(self._before)
            self._before = checker
        return checker

    def _execute(self, checker: Checker) -> None:
        self._names.update(checker.names)
        try:
            exec(checker.compiled, self._names)
        finally:
            self._after()
        problem = checker.unchecked()
        if problem:
            raise _AssertionError(problem)

    def _evaluate(self, checker: Checker, function: Any) -> bool:
        names = {**self._names, "__builtins__": builtins, "f": function, **checker.names}
        try:
            found = eval(checker.compiled, names)  # noqa: S307 - the suite's own expression
            return found is not NotImplemented and bool(found)  # true to Python, and no answer
        finally:
            self._after()

    def _describe(self, error: BaseException) -> str:
        told = getattr(error, TOLD, None)
        if type(told) is str:
            return told
        return describe(error, FILENAME, self._first_line)


def _raised_by_answer(error: BaseException) -> bool:
    if hasattr(error, TOLD):
        return True
    filename, traceback = "", error.__traceback__
    while traceback is not None:
        filename = traceback.tb_frame.f_code.co_filename
        traceback = traceback.tb_next
    return filename == FILENAME


def filename_of(name: str) -> str:
    return f"<{name}>"


def at_line(error: BaseException, test: Test) -> str:
    """The line that the test had reached; it comes last, after all that a candidate can say."""
    if "\n" not in test["code"].strip():
        return ""
    line = last_line_in(error, filename_of(test["name"]))
    return f" (at line {line} of the test)" if line else ""


def _failed(message: str) -> Result:
    return {"status": "failed", "type": "AssertionError", "message": message}
