"""Failed tests taken apart, and differences of answers."""

from dataclasses import replace

import pytest

from made import make_task, make_verdict
from polyassay.model import SetScore, SolvedBy, Style
from polyassay.model import Test as OneTest
from polyassay.model import TestResult as Result
from polyassay.model import TestStatus as Status
from polyassay.report.tasks.assertion_sets import decisive_tests, other_sets
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


STATEMENTS = "\nlow = 0\nassert clamp(5, low, 3) == 3\nassert low == 0\n"


@pytest.mark.parametrize(
    ("message", "said", "place"),
    [
        ("expected 3 but was 5 (at line 3 of the test)", "", ""),
        (
            "ValueError: no (at line 9 of the test), at line 2 of the answer "
            "(at line 3 of the test)",
            "ValueError: no (at line 9 of the test)",
            "at line 2 of the answer",
        ),
    ],
)
def test_the_line_of_a_python_test_is_the_judges_last_word(
    message: str, said: str, place: str
) -> None:
    task = replace(make_task("clamp", 0), tests=(OneTest("a", STATEMENTS),))
    (found,) = failed_tests(task, [failed("a", message)])
    assert (found.message, found.place) == (said, place)
    assert [(line.number, line.failing) for line in found.source] == [
        (2, False),
        (3, True),
        (4, False),
    ]


def test_of_a_long_python_test_the_lines_around_the_failing_one_are_shown() -> None:
    code = "\n".join(f"assert f({n}) == {n}" for n in range(1, 41))
    task = replace(make_task("clamp", 0), tests=(OneTest("a", code),))
    (found,) = failed_tests(task, [failed("a", "no (at line 30 of the test)")])
    assert [line.number for line in found.source if line.failing] == [30]
    assert [found.source[0].number, found.source[-1].number] == [20, 33]


def test_what_did_not_run_shows_no_line() -> None:
    task = replace(make_task("clamp", 0), tests=(OneTest("a", STATEMENTS),))
    (found,) = failed_tests(task, [failed("a", "unbuilt", Status.NOT_RUN)])
    assert (found.message, found.source) == ("", ())


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


SETS = {"dots": ("dots/test_0", "dots/test_1"), "none": ("none/test_0", "none/test_1")}


@pytest.mark.parametrize(
    ("solved", "passed", "told"),
    [(None, (0, 1), "dots 0/2"), ("dots", (2, 0), "none 0/2"), ("none", (2, 2), "dots 2/2")],
)
def test_of_assertion_sets_the_one_that_decides_is_shown(
    solved: str | None, passed: tuple[int, int], told: str
) -> None:
    tests = tuple(OneTest(name) for names in SETS.values() for name in names)
    task = replace(make_task("initials", style=Style.SETS), tests=tests)
    results = tuple(Result(test.name, Status.FAILED, "no") for test in tests)
    verdict = replace(
        make_verdict("initials", 0),
        tests=results,
        sets=dict(zip(SETS, (SetScore(count, 2) for count in passed), strict=True)),
        solved_by=SolvedBy("f", solved) if solved else None,
    )
    closest = solved or "none"
    assert [result.name for result in decisive_tests(task, verdict)] == list(SETS[closest])
    assert other_sets(verdict).endswith(f"of the others passed {told}.")


def test_without_assertion_sets_all_tests_are_shown() -> None:
    verdict = make_verdict("pad", 1)
    assert decisive_tests(make_task("pad"), verdict) == verdict.tests
    assert other_sets(verdict) == ""
