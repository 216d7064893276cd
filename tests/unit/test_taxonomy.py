import pytest

from made import make_task, make_verdict
from polyassay.measures.taxonomy import Failure, failure_of
from polyassay.model import Outcome, Program, TestResult, TestStatus


@pytest.mark.parametrize(
    ("reason", "failure"),
    [
        ("line 3, column 9: cannot find symbol symbol: class Foo", Failure.MISSING_SYMBOL),
        ("line 1, column 1: package org.apache does not exist", Failure.MISSING_SYMBOL),
        ("line 2, column 4: incompatible types: int cannot be converted", Failure.TYPE),
        ("line 2, column 4: ';' expected", Failure.SYNTAX),
        ("line 9, column 2: reached end of file while parsing", Failure.SYNTAX),
        ("SyntaxError: invalid syntax (line 2 of the answer)", Failure.SYNTAX),
        ("IndentationError: unexpected indent", Failure.SYNTAX),
        ("NameError: name 'np' is not defined", Failure.UNDEFINED),
        ("ValueError: bad at import time", Failure.EXCEPTION),
        ("expected signature int f(int), found no method f", Failure.WRONG_SIGNATURE),
        ('defines no "clamp"', Failure.WRONG_SIGNATURE),
        ("the compiler did not finish in 10 s", Failure.UNBUILT),
    ],
)
def test_what_does_not_build(reason: str, failure: Failure) -> None:
    verdict = make_verdict("a", 0, outcome=Outcome.UNBUILT, reason=reason)
    assert failure_of(verdict, make_task("a")) is failure


@pytest.mark.parametrize(
    ("problem", "failure"),
    [
        ("the answer is empty", Failure.EMPTY_ANSWER),
        ('the answer defines foo and not "bar"', Failure.WRONG_SIGNATURE),
        ("the answer is nested too deeply", Failure.NOT_EXTRACTED),
    ],
)
def test_what_never_became_a_program(problem: str, failure: Failure) -> None:
    program = Program("", problem=problem)
    verdict = make_verdict("a", 0, outcome=Outcome.UNBUILT, reason=problem, program=program)
    assert failure_of(verdict, make_task("a")) is failure


@pytest.mark.parametrize(
    ("status", "message", "failure"),
    [
        (TestStatus.FAILED, "expected 3 but was 4", Failure.WRONG_VALUE),
        (TestStatus.ERROR, "ZeroDivisionError: division by zero", Failure.EXCEPTION),
        (TestStatus.ERROR, "AttributeError: 'list' object has no attribute", Failure.UNDEFINED),
        (TestStatus.ERROR, "TypeError: f() takes 1 positional argument", Failure.WRONG_SIGNATURE),
        (TestStatus.ERROR, "java.lang.NoSuchMethodError: f", Failure.UNDEFINED),
        (TestStatus.SKIPPED, "", Failure.WRONG_VALUE),
        (TestStatus.FAILED, "counted 1 of 2: f(1) gave 2; f(2) gave 3", Failure.WRONG_VALUE),
        (TestStatus.FAILED, "counted 1 of 2: f(1) gave 2; f(2) threw X: no", Failure.EXCEPTION),
        (TestStatus.FAILED, "counted 0 of 2: f(1) gave 2; f(2) threw X: no", Failure.WRONG_VALUE),
        (TestStatus.FAILED, "counted 0 of 1: f() threw NoSuchMethodError: g", Failure.UNDEFINED),
        (TestStatus.FAILED, "f(1) threw java.lang.NullPointerException (E:3)", Failure.EXCEPTION),
        (TestStatus.FAILED, "f() threw java.lang.NoSuchFieldError: g", Failure.UNDEFINED),
        (TestStatus.FAILED, "f(1) threw nothing, and should", Failure.WRONG_VALUE),
        (TestStatus.FAILED, "f(1) gave null: then NullPointerException", Failure.WRONG_VALUE),
    ],
)
def test_what_ran_and_was_wrong(status: TestStatus, message: str, failure: Failure) -> None:
    tests = (TestResult("test_0", TestStatus.PASSED), TestResult("test_1", status, message))
    assert failure_of(make_verdict("a", 1, tests=tests), make_task("a")) is failure


@pytest.mark.parametrize(
    ("outcome", "failure"),
    [
        (Outcome.TIMED_OUT, Failure.TIMEOUT),
        (Outcome.OUT_OF_MEMORY, Failure.MEMORY),
        (Outcome.CRASHED, Failure.CRASH),
        (Outcome.PASSED, None),
        (Outcome.NOT_RUNNABLE, None),
        (Outcome.HARNESS_ERROR, None),
    ],
)
def test_endings(outcome: Outcome, failure: Failure | None) -> None:
    assert failure_of(make_verdict("a", 0, outcome=outcome), make_task("a")) is failure


@pytest.mark.parametrize(
    ("code", "failure"),
    [
        ("return sum(x) / len(x)", Failure.LIBRARY_NOT_USED),
        ("return np.median(x)", Failure.WRONG_VALUE),
    ],
)
def test_a_library_that_the_reference_needs(code: str, failure: Failure) -> None:
    task = make_task("a", libraries=("numpy",), reference="return np.mean(x)")
    verdict = make_verdict("a", 1, program=Program(code, code=code))
    assert failure_of(verdict, task) is failure
