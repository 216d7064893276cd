"""Failed tests taken apart, and differences of answers."""

from dataclasses import replace

import pytest

from made import make_task
from polyassay.model import Test as OneTest
from polyassay.model import TestResult as Result
from polyassay.model import TestStatus as Status
from polyassay.report.tasks.differences import line_difference
from polyassay.report.tasks.failing import failed_tests

JUNIT = """class PadTest {
  @Test
  void fills() {
    String text = "42";
    assertEquals("00042", pad(text));
  }

  @Test
  void keeps() {
    assertEquals("x", pad("x"));
  }
}
"""
PYTEST = """class TestPad:
    def test_fills(self):
        assert pad("42") == "00042"

def test_keeps():
    assert pad("x") == "x"
"""


def failed(name: str, message: str, status: Status = Status.FAILED) -> Result:
    return Result(name, status, message)


def test_values_place_and_source_of_a_junit_test() -> None:
    task = make_task("pad", 0, test_source=JUNIT)
    message = "expected: <00042> but was: <42> (PadTest:5)"
    (found,) = failed_tests(task, [failed("fills", message)])
    assert found.values == ("00042", "42")
    assert found.place == "PadTest:5"
    assert found.message == ""
    assert [(line.number, line.failing) for line in found.source] == [
        (3, False),
        (4, False),
        (5, True),
        (6, False),
    ]


def test_a_place_in_a_class_that_the_tests_rely_on() -> None:
    evaluation = "class Evaluation7 {\n  int n;\n  /*~*/(/*~*/a == b/*~*/) || no()/*~*/\n}\n"
    task = make_task("pad", 0, test_source=JUNIT, support={"x/Evaluation7.java": evaluation})
    message = 'pad(1): expected: <"a"> but was: <null> (Evaluation7:3)'
    (found,) = failed_tests(task, [failed("keeps", message)])
    assert (found.message, found.values) == ("pad(1)", ('"a"', "null"))
    assert [(line.number, line.text, line.failing) for line in found.source] == [
        (1, "class Evaluation7 {", False),
        (2, "  int n;", False),
        (3, "  a == b", True),
        (4, "}", False),
    ]
    (elsewhere,) = failed_tests(task, [failed("keeps", "no (Evaluation7:30)")])
    assert [line.number for line in elsewhere.source] == [9, 10, 11, 12]


def test_without_a_line_the_test_is_found_by_its_name() -> None:
    task = make_task("pad", 0, test_source=JUNIT)
    (found,) = failed_tests(task, [failed("keeps", "boom (at line 3 of the answer)")])
    assert found.message == "boom"
    assert found.place == "at line 3 of the answer"
    assert [line.number for line in found.source] == [9, 10, 11, 12]


@pytest.mark.parametrize(
    ("name", "first"), [("TestPad::test_fills", 2), ("test_keeps[1-2]", 5), ("unknown", None)]
)
def test_names_of_pytest(name: str, first: int | None) -> None:
    task = make_task("pad", 0, test_source=PYTEST)
    (found,) = failed_tests(task, [failed(name, "no")])
    assert [line.number for line in found.source][:1] == ([first] if first else [])


def test_equal_words_are_told_once_and_passes_are_left_out() -> None:
    tests = (OneTest("a", "assert f(1) == 2\n\n"), OneTest("b", "x"))
    task = replace(make_task("pad", 0), tests=tests)
    results = [
        failed("a", "expected 2 but was ''"),
        Result("b", Status.PASSED),
        failed("c", "expected 2 but was ''"),
        failed("d", "", Status.NOT_RUN),
    ]
    first, second = failed_tests(task, results)
    assert first.names == ("a", "c")
    assert first.values == ("2", "''")
    assert [line.text for line in first.source] == ["assert f(1) == 2"]
    assert (second.names, second.message) == (("d",), "")


def test_differences_line_by_line() -> None:
    found = line_difference("a\nb\nc", "a\nx\nc\n")
    assert [(line.sign, line.text) for line in found] == [
        (" ", "a"),
        ("-", "b"),
        ("+", "x"),
        (" ", "c"),
    ]
    assert line_difference("a\n", "a") == ()
    assert line_difference("a\n" * 500, "b") == ()
