"""Runs under other rules are not compared or ranked with each other."""

import dataclasses
import json

import pytest
from click.testing import CliRunner

from polyassay.cli import polyassay
from polyassay.errors import PolyAssayError
from polyassay.junit.report import verdict_of
from polyassay.junit.xml import Case, write_xml
from polyassay.measures.comparable import conditions, refuse_unlike
from polyassay.model import (
    COUNTED,
    Candidate,
    CandidateKey,
    Judging,
    Language,
    Outcome,
    Program,
    Report,
    Style,
    Suite,
    Task,
    Test,
    TestStatus,
)
from polyassay.options import Options
from polyassay.rules import CHANGES, RULES, is_known, judge_again, rules_of
from polyassay.store import Run


def run(name: str, **facts: object) -> Run:
    suites = {"s": {"version": "1", "checksum": "0" * 64}}
    return Run(name, "2026-01-01", {"suites": suites, "options": {}, **facts})


def test_every_version_says_what_it_changed() -> None:
    assert list(CHANGES) == list(range(1, RULES + 1))
    assert all(CHANGES.values())


def test_old_runs_have_the_first_rules() -> None:
    assert rules_of({}) == 1
    assert rules_of({"rules": RULES}) == RULES


def test_runs_under_other_rules_are_not_compared() -> None:
    old, new = run("r001"), run("r002", rules=RULES)
    refuse_unlike(old, old)
    refuse_unlike(new, new)
    for pair in ((old, new), (new, old)):
        with pytest.raises(PolyAssayError, match="under other rules") as refused:
            refuse_unlike(*pair)
        assert "polyassay run --again r001" in refused.value.hint
        assert "polyassay runs rules" in refused.value.hint
    assert conditions(old, "s")["rules"] == "rules 1"


def test_the_reason_is_one_line_and_a_command_has_the_whole() -> None:
    assert len(judge_again("r1", 1)) < 150
    shown = CliRunner().invoke(polyassay, ["runs", "rules"]).stdout
    assert [line.partition(": ")[2] for line in shown.splitlines()] == [
        f"{what}." for what in CHANGES.values()
    ]
    told = json.loads(CliRunner().invoke(polyassay, ["runs", "rules", "--json"]).stdout)
    assert [one["rules"] for one in told] == list(CHANGES)


@pytest.mark.parametrize("odd", [99, 10**30, 0, "5", True, -1, None, [5], 5.0])
def test_rules_that_this_program_never_had_are_not_known(odd: object) -> None:
    assert not is_known(odd)
    assert rules_of({"rules": odd}) in (1, odd)
    assert "since then" not in judge_again("r1", rules_of({"rules": odd}))


SEVEN = Task(
    *("164", "aixbench", Language.JAVA, Style.JUNIT, {"en": ""}),
    tests=tuple(Test(f"test_{index}") for index in range(7)),
    extra={"published_total": "4"},
)


@pytest.mark.parametrize(
    ("published", "right", "counts"),
    [
        (False, 7, (7, 7, Outcome.PASSED)),
        (False, 5, (5, 7, Outcome.FAILED)),
        (True, 7, (7, 4, Outcome.FAILED)),
        (True, 3, (3, 4, Outcome.FAILED)),
    ],
)
def test_a_ratio_is_above_one_only_where_the_papers_count_is_asked_for(
    published: bool, right: int, counts: tuple[int, int, Outcome]
) -> None:
    suite = Suite("aixbench", "1", "0", (SEVEN,))
    (task,) = Options(published_totals=published).apply({"aixbench": suite})["aixbench"].tasks
    cases = [
        Case(test.name, TestStatus.PASSED if index < right else TestStatus.FAILED)
        for index, test in enumerate(task.tests)
    ]
    report = Report(write_xml("x", cases), Judging.APART, Program(""))
    candidate = Candidate(CandidateKey("aixbench", "164", "t", "en", 0), "")
    verdict = verdict_of(task, candidate, report)
    assert (verdict.passed, verdict.total, verdict.outcome) == counts
    assert published or verdict.ratio <= 1


def test_totals_are_part_of_what_must_be_alike() -> None:
    options = dataclasses.asdict(Options(published_totals=True))
    paper = run("r2", rules=RULES, options=options)
    with pytest.raises(PolyAssayError, match="the publisher's totals"):
        refuse_unlike(run("r1", rules=RULES), paper)
    assert COUNTED not in SEVEN.extra
