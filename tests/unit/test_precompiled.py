"""Tests that the runner compiled once do what tests compiled on the spot do."""

from collections.abc import Iterator
from typing import cast

import pytest

from polyassay.harness.python.requests import compiled_tests
from polyassay_harness.testing import precompiled, rewriting
from polyassay_harness.testing.runner import TestRunner, filename_of
from polyassay_harness.wire import messages
from polyassay_harness.wire.messages import Work

CODES = (
    "assert f(1) == 2",
    "assert f(1) == 3",
    "for x in f([]): assert x",  # none is reached
    "try:\n    assert f(1) == 3\nexcept AssertionError:\n    pass",
    "f(",  # does not compile
)


@pytest.fixture(autouse=True)
def _nothing_compiled_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(rewriting, "_compiled", {})
    yield


def _work(code: str, style: str = "function") -> Work:
    tests: list[messages.Test] = [{"name": "test_0", "code": code, "stdin": ""}]
    return cast(
        Work,
        {"style": style, "entry": "f", "setup": "", "first_line": 1, "tests": tests}
        | {"build_on_each_other": False},
    )


def _result(work: Work, test: messages.Test) -> object:
    rewriting._compiled.clear()
    runner = TestRunner(work, lambda: None, careful=False)
    runner.prepare({"f": lambda x: x if x == [] else x + 1})
    return runner.run(test)


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("style", ["function", "class"])
def test_the_same_result(code: str, style: str) -> None:
    work = _work(code, style)
    (compiled,) = compiled_tests(work)
    assert bool(compiled["compiled"]) == (code != "f(")
    assert _result(work, compiled) == _result(work, work["tests"][0])


def test_nothing_is_compiled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    (compiled,) = compiled_tests(_work(CODES[0]))
    rewriting._compiled.clear()
    precompiled.adopt(compiled["compiled"], CODES[0], filename_of("test_0"))
    monkeypatch.setattr(rewriting, "_compile", lambda *_: pytest.fail("compiled again"))
    made = rewriting.compiled_test(CODES[0], filename_of("test_0"), compares=False)
    assert made.assertions == 1


def test_byte_code_of_another_python_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    (compiled,) = compiled_tests(_work(CODES[0]))
    rewriting._compiled.clear()
    monkeypatch.setattr(precompiled, "MAGIC_NUMBER", b"none")
    precompiled.adopt(compiled["compiled"], CODES[0], filename_of("test_0"))
    assert not rewriting._compiled


def test_styles_whose_tests_are_no_statements_are_left_alone() -> None:
    work = _work("f(1) == 2", "sets")
    assert compiled_tests(work) == work["tests"]
