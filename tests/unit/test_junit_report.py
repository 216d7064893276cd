"""Only exactly the expected tests, all passed, are a pass."""

import dataclasses

import pytest

from polyassay.junit.report import verdict_of
from polyassay.model import (
    Candidate,
    CandidateKey,
    Judging,
    Language,
    Outcome,
    Program,
    Report,
    SetScore,
    SolvedBy,
    Style,
    Task,
    Test,
    TestStatus,
    Verdict,
)

CANDIDATE = Candidate(CandidateKey("s", "t", "finch", "en", 0), "code")
PASS = '<testcase name="{}"/>'


def task(*names: str, style: Style = Style.FUNCTION) -> Task:
    return Task("t", "s", Language.PYTHON, style, {}, tuple(Test(name) for name in names))


def judged(of: Task, *cases: str, ending: Outcome | None = None) -> Verdict:
    xml = f"<testsuite>{''.join(cases)}</testsuite>" if cases else ""
    return verdict_of(of, CANDIDATE, Report(xml, Judging.APART, Program("code"), ending))


def passing(*names: str) -> list[str]:
    return [f'<testcase name="{name}"/>' for name in names]


def bad(name: str, inside: str) -> str:
    return f'<testcase name="{name}">{inside}</testcase>'


def test_all_expected_names_passed_is_a_pass() -> None:
    verdict = judged(task("a", "b"), *passing("b", "a"))
    assert (verdict.outcome, verdict.passed, verdict.total) == (Outcome.PASSED, 2, 2)
    assert [result.name for result in verdict.tests] == ["a", "b"]  # the task's order


@pytest.mark.parametrize(
    ("cases", "outcome", "passed"),
    [
        ([], Outcome.CRASHED, 0),
        (passing("a"), Outcome.CRASHED, 1),
        (passing("a", "b", "c"), Outcome.FAILED, 2),
        (passing("a", "a", "b"), Outcome.FAILED, 1),
        ([*passing("a"), bad("b", "<failure message='1 != 2'/>")], Outcome.FAILED, 1),
        ([*passing("a"), bad("b", "<error type='KeyError'/>")], Outcome.FAILED, 1),
        ([*passing("a"), bad("b", "<skipped/>")], Outcome.FAILED, 1),
        ([*passing("a"), bad("b", "<error type='polyassay.timed_out'/>")], Outcome.TIMED_OUT, 1),
        ([*passing("a"), bad("b", "<error type='polyassay.crashed'/>")], Outcome.CRASHED, 1),
        (
            [
                bad("a", "<error type='polyassay.crashed'/>"),
                bad("b", "<error type='polyassay.timed_out'/>"),
            ],
            Outcome.TIMED_OUT,
            0,
        ),
        ([*passing("a"), "<oops"], Outcome.CRASHED, 0),
        (["<!DOCTYPE x [<!ENTITY e 'a'>]>", *passing("a", "b")], Outcome.CRASHED, 0),
    ],
)
def test_anything_else_is_not(cases: list[str], outcome: Outcome, passed: int) -> None:
    verdict = judged(task("a", "b"), *cases)
    assert (verdict.outcome, verdict.passed, verdict.total) == (outcome, passed, 2)
    assert verdict.reason


def test_the_publishers_own_total_is_kept_and_is_no_pass() -> None:
    of = dataclasses.replace(task("a", "b", "c"), extra={"counted_total": "2"})
    verdict = judged(of, *passing("a", "b", "c"))
    assert (verdict.outcome, verdict.passed, verdict.total) == (Outcome.FAILED, 3, 2)
    assert verdict.ratio == 1.5
    assert judged(of, *passing("a", "b"), bad("c", "<failure/>")).outcome is Outcome.FAILED
    unbuilt = judged(of, ending=Outcome.UNBUILT)
    assert (unbuilt.outcome, unbuilt.passed, unbuilt.total) == (Outcome.UNBUILT, 0, 2)


def test_an_ending_cannot_claim_a_pass() -> None:
    verdict = judged(task("a"), bad("a", "<error type='polyassay.passed'/>"))
    assert (verdict.outcome, verdict.passed) == (Outcome.FAILED, 0)


def test_a_task_without_tests_cannot_pass() -> None:
    assert judged(task(), "<testcase name='a'/>").outcome is not Outcome.PASSED


@pytest.mark.parametrize("ending", [Outcome.UNBUILT, Outcome.NOT_RUNNABLE, Outcome.HARNESS_ERROR])
def test_what_never_ran_has_passed_nothing(ending: Outcome) -> None:
    verdict = judged(task("a"), *passing("a"), ending=ending)
    assert (verdict.outcome, verdict.passed, verdict.total) == (ending, 0, 1)
    assert verdict.tests[0].status is TestStatus.NOT_RUN


def test_tests_that_passed_before_an_ending_keep_their_result() -> None:
    verdict = judged(task("a", "b"), *passing("a"), ending=Outcome.OUT_OF_MEMORY)
    assert (verdict.outcome, verdict.passed) == (Outcome.OUT_OF_MEMORY, 1)


def test_an_ending_outweighs_results_that_claim_success() -> None:
    assert judged(task("a"), *passing("a"), ending=Outcome.CRASHED).outcome is Outcome.CRASHED


SETS = task("one/test_0", "one/test_1", "two/test_0", style=Style.SETS)


def tried(function: str, **statuses: bool) -> list[str]:
    return [
        f'<testcase classname="{function}" name="{name.replace("_", "/", 1)}">'
        f"{'' if passed else '<failure/>'}</testcase>"
        for name, passed in statuses.items()
    ]


def test_one_function_that_passes_one_set_solves_it() -> None:
    verdict = judged(
        SETS,
        *tried("helper", one_test_0=False, one_test_1=True, two_test_0=False),
        *tried("main", one_test_0=True, one_test_1=True, two_test_0=False),
    )
    assert verdict.outcome is Outcome.PASSED
    assert verdict.solved_by == SolvedBy("main", "one")
    assert verdict.sets == {"one": SetScore(2, 2), "two": SetScore(0, 1)}
    assert (verdict.passed, verdict.total) == (2, 2)


def test_two_functions_cannot_share_a_set() -> None:
    verdict = judged(
        SETS,
        *tried("f", one_test_0=True, one_test_1=False, two_test_0=False),
        *tried("g", one_test_0=False, one_test_1=True, two_test_0=False),
    )
    assert (verdict.outcome, verdict.solved_by) == (Outcome.FAILED, None)
    assert (verdict.passed, verdict.total) == (1, 2)


def test_sets_without_any_function_are_not_solved() -> None:
    assert judged(SETS).outcome is Outcome.CRASHED
    assert judged(SETS, ending=Outcome.UNBUILT).sets == {
        "one": SetScore(0, 2),
        "two": SetScore(0, 1),
    }
