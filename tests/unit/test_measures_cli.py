"""`score`, `report`, `grade` and `export` on runs made by hand."""

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from junitparser import JUnitXml

from made import make_run, make_task, make_verdict, set_verdict
from measured import TASKS, answers, call
from polyassay.errors import PolyAssayError
from polyassay.model import (
    CandidateKey,
    Outcome,
    Style,
    Task,
    Test,
    TestResult,
    TestStatus,
    Verdict,
)
from polyassay.rubric.rubrics import load
from polyassay.store import Store
from polyassay.store.preferences import Choice, PreferenceEvent, PreferenceKind, Preferences
from polyassay.store.scores import Event, EventKind, Scores
from polyassay.trust.checks import Check
from polyassay.trust.kept import keep


def test_score_keeps_its_contract(tmp_path: Path, two_tools: str) -> None:
    value = json.loads(call(tmp_path, "score", "latest", "--json").stdout)
    assert value["run"] == two_tools
    heron = value["tools"]["heron"]
    assert heron["tasks"] == heron["samples"] == 40
    assert heron["passed_tasks"] == heron["solved"] == 30
    assert heron["pass@1"] == 0.75
    assert heron["avg_pass_ratio"] == pytest.approx(0.875)
    assert heron["pass_ratio_sum"] == pytest.approx(35)
    assert heron["judged"] == {"apart": 40, "together": 0}
    assert heron["outcomes"]["passed"] == 30
    assert heron["outcomes"]["harness_error"] == 0
    assert heron["failures"] == {"wrong value": 10}
    assert heron["intervals"]["pass@1"][0] < 0.75 < heron["intervals"]["pass@1"][1]


def test_score_by_group_and_in_other_formats(tmp_path: Path, two_tools: str) -> None:
    value = json.loads(call(tmp_path, "score", "latest", "--by", "domain", "--json").stdout)
    assert [(g["tool"], g["domain"], g["tasks"]) for g in value["groups"]] == [
        ("finch", "closed", 20),
        ("finch", "open", 20),
        ("heron", "closed", 20),
        ("heron", "open", 20),
    ]
    assert call(tmp_path, "score", "latest", "--format", "markdown").stdout.startswith("| tool |")
    assert "wrong value" in call(tmp_path, "score", "latest", "--failures").stdout
    assert "closed" in call(tmp_path, "score", "latest", "--gaps").stdout


def test_score_says_which_of_two_tools_is_better(tmp_path: Path, two_tools: str) -> None:
    shown = call(tmp_path, "score", "latest").stdout
    assert "heron is better: it solves 50.0 points more than finch" in shown


def test_score_tells_what_is_missing(tmp_path: Path, store: Store) -> None:
    verdicts = answers("heron", range(40))[:38]
    verdicts[0] = make_verdict("0", 0, outcome=Outcome.NOT_RUNNABLE)
    empty = make_verdict("1", 2, tool="empty")
    make_run(store, TASKS, [*verdicts, empty])
    shown = call(tmp_path, "score", "latest").stdout
    assert "Without an answer, counted as failed: heron 2 tasks, empty 38 tasks." in shown
    assert "Left out for all tools: 1 task not runnable here." in shown
    assert "Weak tests (an empty answer passes): 1 task." in shown


def test_score_tells_which_assertion_sets_were_met(tmp_path: Path, store: Store) -> None:
    swapped = "ip_resp-PermuteArgs(1, 0)--original"
    tests = tuple(Test(f"{name}/test_0") for name in ("original", swapped))
    task = replace(make_task("0", style=Style.SETS), tests=tests)
    verdicts = [
        set_verdict("0", {"original": (1, 1), swapped: (0, 1)}),
        set_verdict("0", {"original": (0, 1), swapped: (1, 1)}, sample=1),
    ]
    make_run(store, [task], verdicts)
    assert "Assertion sets" not in call(tmp_path, "score", "latest").stdout
    shown = call(tmp_path, "report", "latest", "--markdown").stdout.replace("\\", "")
    met = "Assertion sets that heron met: original 1, ip_resp-PermuteArgs 1; 2.00 different ones"
    assert met in shown
    first, _ = map(json.loads, call(tmp_path, "verdicts", "latest", "--json").stdout.splitlines())
    assert first["sets"]["original"] == {"passed": 1, "total": 1}


def test_score_remembers_what_suites_check_found(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = make_run(store, TASKS, answers("heron", range(40)))
    monkeypatch.chdir(tmp_path)
    found = Check(40, 39, failing={"1": "failed: …"}, weak=("2", "3"), not_runnable=())
    keep(tmp_path / ".polyassay", store.suites(run)["s"].checksum, found)
    shown = call(tmp_path, "score", "latest").stdout
    assert (
        "Weak tests (an empty answer passes): 2 tasks; The reference itself fails: 1 task." in shown
    )


def test_k_beyond_the_samples_is_refused(tmp_path: Path, two_tools: str) -> None:
    with pytest.raises(PolyAssayError, match="pass@5 needs 5 samples"):
        call(tmp_path, "score", "latest", "--k", "1,5")


@pytest.mark.parametrize(
    ("threshold", "code", "strict"),
    [
        ("pass@1=0.5", 100, 100),
        ("pass@1=0.3", 0, 100),  # finch has 0.25, and may well be 0.3
        ("pass@1=0.25", 0, 0),
        ("avg_pass_ratio=0.8", 100, 100),
    ],
)
def test_a_missed_threshold_exits_100(
    tmp_path: Path, two_tools: str, threshold: str, code: int, strict: int
) -> None:
    assert call(tmp_path, "score", "latest", "--fail-under", threshold).exit_code == code
    strictly = call(tmp_path, "score", "latest", "--fail-under", threshold, "--strict")
    assert strictly.exit_code == strict


def test_two_tools_on_different_tasks_are_only_scored(tmp_path: Path, store: Store) -> None:
    mine = [verdict for verdict in answers("finch", range(10)) if int(verdict.candidate.task) < 20]
    other = [make_task(str(i), suite="other") for i in range(5)]
    theirs = [make_verdict(str(i), 2, tool="heron", suite="other") for i in range(5)]
    make_run(store, [*TASKS, *other], [*mine, *theirs])
    shown = call(tmp_path, "score", "latest").stdout
    assert "better" not in shown
    call(tmp_path, "report", "latest", "-o", str(tmp_path / "site"))
    assert "finch solves" in (tmp_path / "site" / "index.html").read_text()


def test_an_unfinished_run_is_scored_so_far_and_says_so(tmp_path: Path, store: Store) -> None:
    done = answers("heron", range(40))
    done[0] = make_verdict("0", 0, outcome=Outcome.HARNESS_ERROR)
    run = make_run(store, TASKS, done)
    store.forget_harness_errors(run.id)  # as --resume does
    assert "Not complete: 39 of 40" in call(tmp_path, "score", "latest").stdout
    value = json.loads(call(tmp_path, "score", "latest", "--json").stdout)
    assert value["tools"]["heron"]["tasks"] == 39
    with pytest.raises(PolyAssayError, match="is not complete"):
        call(tmp_path, "leaderboard")


def test_a_run_of_three_tools_holds_each_against_each(tmp_path: Path, store: Store) -> None:
    tools = answers("crow", range(5)), answers("finch", range(28)), answers("heron", range(30))
    make_run(store, TASKS, [verdict for of in tools for verdict in of])
    call(tmp_path, "report", "latest", "-o", str(tmp_path / "site"))
    page = (tmp_path / "site" / "index.html").read_text()
    assert "Cannot tell which is better" in page
    assert "heron, finch may each be the best. 1 of 3 can be ruled out." in page
    assert "Every tool against every other" in page
    assert "heron: rank 1–2 of 3" in page
    assert "crow: rank 3 of 3" in page


def test_the_report_shows_what_people_graded(tmp_path: Path, two_tools: str) -> None:
    graded = Scores(Store.open(f"sqlite:///{tmp_path / 'store.sqlite'}"))
    rubric = load("aixbench")
    graded.save_rubric(rubric.name, rubric.text)
    for tool, score in (("finch", 2), ("heron", 4)):
        key = CandidateKey("s", "3", tool, "en", 0)
        graded.append(
            Event(EventKind.SCORE, "ann", rubric.name, key, dimension="correctness", score=score)
        )
    first, second = (CandidateKey("s", "3", tool, "en", 0) for tool in ("finch", "heron"))
    kind, choice = PreferenceKind.CHOICE, Choice.B_BETTER
    event = PreferenceEvent(kind, "ann", rubric.name, first, second, choice=choice)
    Preferences(graded.opened).append(event)
    call(tmp_path, "report", "latest", "-o", str(tmp_path / "site"))
    page = (tmp_path / "site" / "index.html").read_text()
    assert "Graded by people" in page
    assert "Cannot tell which people prefer." in page and "Cannot tell which people score" in page
    assert "No leaning to a side is seen" in page and ">preferred<" in page
    assert "correctness 1–4" in page
    task = (tmp_path / "site" / "tasks" / "3.html").read_text()
    assert task.count('<th scope="row">correctness</th>') == 2


def test_a_report_is_no_folder_that_is_named_as_a_page(tmp_path: Path, two_tools: str) -> None:
    page = tmp_path / "x.html"
    with pytest.raises(PolyAssayError, match="html is the name of a file") as refusal:
        call(tmp_path, "report", "latest", "-o", str(page))
    assert "--single-file" in refusal.value.hint and not page.exists()


def test_names_that_a_run_does_not_have_are_told_with_the_nearest(
    tmp_path: Path, store: Store
) -> None:
    make_run(store, [make_task("prime-factors")], [make_verdict("prime-factors", 2, tool="finch")])
    with pytest.raises(PolyAssayError, match="no task") as refusal:
        call(tmp_path, "show", "latest", "prime-factor")
    assert 'did you mean "prime-factors"?' in refusal.value.hint
    with pytest.raises(PolyAssayError, match="no tool") as refusal:
        call(tmp_path, "verdicts", "latest", "--tool", "finsh")
    assert 'did you mean "finch"?' in refusal.value.hint


def test_a_value_that_is_not_surely_under_is_told(tmp_path: Path, two_tools: str) -> None:
    shown = call(tmp_path, "score", two_tools, "--fail-under", "pass@1=30%")
    assert shown.exit_code == 0
    said = (
        r"finch: pass@1 is 25\.0 %, under 30\.0 %, but not surely: it may be \d\d\.\d %\. --strict"
    )
    assert re.match(said, shown.stderr)
    assert "heron" not in shown.stderr
    strictly = call(tmp_path, "score", two_tools, "--fail-under", "pass@1=30%", "--strict")
    assert strictly.exit_code == 100
    assert strictly.stderr == "Under pass@1 0.3: finch.\n"
    shown = call(tmp_path, "compare", two_tools, "heron", "finch", "--fail-under", "pass@1=30%")
    assert "finch: pass@1 is 25.0 %, under 30.0 %" in shown.stderr


def test_reasons_are_whole_in_a_pipe(tmp_path: Path, store: Store) -> None:
    reason = "expected [" + ", ".join(map(str, range(100))) + "]\nand more"
    make_run(store, [make_task("a")], [make_verdict("a", 0, reason=reason)])
    shown = call(tmp_path, "verdicts", "latest", "--not-passed").stdout
    assert shown.splitlines()[1].rstrip().endswith("98, 99] and more")


def test_the_report_says_which_tasks_were_run(tmp_path: Path, store: Store) -> None:
    make_run(store, TASKS, answers("heron", range(4))[:4], limit=4)
    call(tmp_path, "report", "latest", "-o", str(tmp_path / "part"))
    page = (tmp_path / "part" / "index.html").read_text()
    assert " · the first 4 of 40 tasks</dd>" in page
    make_run(store, TASKS, answers("heron", range(4)), limit=40)
    call(tmp_path, "report", "latest", "-o", str(tmp_path / "all"))
    assert "the first" not in (tmp_path / "all" / "index.html").read_text()


def test_dots_between_the_ends_say_about(tmp_path: Path, store: Store) -> None:
    tasks = [make_task("0", tests=9), make_task("1", tests=9)]
    verdicts = [make_verdict("0", 4, 9, tool="finch"), make_verdict("0", 9, 9, tool="heron")]
    verdicts += [make_verdict("1", 0, 9, tool="finch"), make_verdict("1", 9, 9, tool="heron")]
    make_run(store, tasks, verdicts)
    call(tmp_path, "report", "latest", "-o", str(tmp_path / "site"))
    page = (tmp_path / "site" / "index.html").read_text()
    assert "1 prompt: finch about 45 %, heron 100 %" in page
    assert "1 prompt: finch 0 %, heron 100 %" in page


def test_agreement_needs_a_second_grader(tmp_path: Path, two_tools: str) -> None:
    graded = Scores(Store.open(f"sqlite:///{tmp_path / 'store.sqlite'}"))
    rubric = load("aixbench")
    graded.save_rubric(rubric.name, rubric.text)

    def give(grader: str) -> str:
        for task, score in (("1", 2), ("2", 4)):
            key = CandidateKey("s", task, "heron", "en", 0)
            graded.append(
                Event(
                    EventKind.SCORE, grader, rubric.name, key, dimension="correctness", score=score
                )
            )
        return call(tmp_path, "grade", "agreement").stdout

    alone, both = give("ann"), give("bob")
    assert "Krippendorff's alpha, all graders" in alone
    assert alone.count("needs a second grader") == 3
    assert both.count("needs a second grader") == 2
    assert "1.000" in both


def hostile() -> tuple[list[Task], list[Verdict]]:
    message = '</failure>\x00\ud800 & "quoted" <b>'
    tests = tuple(TestResult(f"test_{i}", TestStatus.NOT_RUN) for i in range(2))
    bad = make_verdict("0", 0, tool='a"<b>', reason=message, outcome=Outcome.UNBUILT, tests=tests)
    skipped = make_verdict("1", 0, tool="heron", outcome=Outcome.NOT_RUNNABLE, reason="no network")
    return TASKS[:2], [bad, skipped]


def test_export_as_junit_survives_any_text(tmp_path: Path, store: Store) -> None:
    make_run(store, *hostile())
    path = tmp_path / "out.xml"
    call(tmp_path, "export", "latest", "--format", "junit", "-o", str(path))
    first, second = JUnitXml.fromfile(str(path))
    assert (first.name, first.tests, first.errors) == ('a"<b>.s.0.en', 2, 2)
    assert (second.tests, second.skipped) == (2, 2)
    assert all("</failure>" in entry.message for case in first for entry in case.result)


def test_export_as_sarif_names_what_did_not_pass(tmp_path: Path, store: Store) -> None:
    make_run(store, *hostile())
    (run,) = json.loads(call(tmp_path, "export", "latest", "--format", "sarif").stdout)["runs"]
    bad, skipped = run["results"]
    assert (bad["ruleId"], bad["level"]) == ("unbuilt", "error")
    assert bad["message"]["text"].startswith('a"<b> · s · 0 · en · sample 0: unbuilt, 0 of 2 tests')
    assert (skipped["ruleId"], skipped["level"]) == ("not_runnable", "note")
    assert {"unbuilt", "not_runnable"} <= {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    assert "\ud800" not in bad["message"]["text"]


def test_export_as_rows(tmp_path: Path, two_tools: str) -> None:
    text = call(tmp_path, "export", "latest", "--format", "csv", "--tool", "heron").stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 40
    assert (rows[0]["task"], rows[0]["outcome"], rows[0]["passed"]) == ("0", "passed", "2")
    lines = call(tmp_path, "export", "latest", "--format", "jsonl").stdout.splitlines()
    assert len(lines) == 80
    assert json.loads(lines[0])["tests"][0]["name"] == "test_0"
    findings = json.loads(call(tmp_path, "export", "latest", "--format", "sarif").stdout)
    assert len(findings["runs"][0]["results"]) == sum('"outcome": "passed"' not in x for x in lines)
