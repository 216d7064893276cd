"""`polyassay grade start`, line by line, as scripts do it; others test the full screen."""

import csv
import json
import re
from collections import Counter
from pathlib import Path

import pytest
from click.testing import Result

from end_to_end.grading import grade, grading_folder
from polyassay.errors import PolyAssayError
from polyassay.model import Candidate, CandidateKey
from polyassay.store import Store
from polyassay.suites.registry import Registry


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return grading_folder(tmp_path, monkeypatch)


@pytest.fixture
def answers(folder: Path) -> str:
    answers = [
        {"task": f"t{n}", "tool": tool, "answer": f"def f():\n    return {n}  # by {tool}\n"}
        for n in (1, 2, 3)
        for tool in ("finch", "heron")
    ]
    Path("a.jsonl").write_text("".join(json.dumps(answer) + "\n" for answer in answers))
    return "a.jsonl"


def start(answers: str, keys: str, *flags: str, grader: str = "ann") -> Result:
    lines = "".join(f"{key}\n" for key in keys.split(","))
    named = ("--suite", "manual", "--grader", grader, "--repeat", "0")
    return grade("start", "-c", answers, *named, *flags, keys=lines)


def test_it_goes_on_where_it_was_and_names_no_tool(answers: str) -> None:
    first = start(answers, "4,3,5,1,q")
    assert "1 of 6 items done" in first.stderr
    second = start(answers, "2,3," + "1,1,1," * 4)
    assert "item 2 of 6" in second.stdout and "item 1 of 6" not in second.stdout
    assert "All items done" in second.stderr
    seen = (first.output + second.output).lower()
    assert "return 1" in seen and "finch" not in seen and "heron" not in seen
    rows = list(csv.DictReader(grade("export").stdout.splitlines()))
    assert len(rows) == 18
    assert Counter(row["score"] for row in rows) == {"1": 13, "3": 2, "4": 1, "5": 1, "2": 1}
    (status,) = json.loads(grade("status", "--json").stdout)
    assert (status["items"], status["done"], status["scores"]) == (6, 6, 18)


def test_wrong_keys_help_comment_flag_and_undo(answers: str) -> None:
    result = start(answers, "7,x,?,u,4,c,too long,f,u,q")
    for told in (
        "correctness takes 1 2 3 4.",
        "Press one of 1 2 3 4 u b",
        "Does all of what",
        "nothing to take",
    ):
        assert told in result.stdout
    (status,) = json.loads(grade("status", "--json").stdout)
    assert (status["scores"], status["flagged"]) == (1, 0)


def test_many_items_are_told_before_and_skipped_ones_after(
    answers: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "--limit" not in start(answers, "q").stderr
    left = start(answers, "s,1,1,1,q", grader="bob").stderr
    assert left.startswith("1 of 6 items done, 1 skipped, all saved.")
    monkeypatch.setattr("polyassay.cli.grade.start.MANY", 5)
    told = start(answers, "s," + "1,1,1," * 5).stderr.splitlines()
    assert told[0].startswith("6 items.") and "--limit, --samples, --prompt-language" in told[0]
    assert told[1].startswith("5 of 6 items done, 1 skipped. Next:  polyassay grade summary")


def test_the_status_counts_what_the_screen_counts(answers: str) -> None:
    assert "item 1 of 3" in start(answers, "f,q", "--side-by-side").stdout
    (status,) = json.loads(grade("status", "--json").stdout)
    told = (status["what"], status["items"], status["done"], status["flagged"])
    assert told == ("two at a time", 3, 0, 1)
    assert f"{status['session']}\n" in grade("status").stdout


def test_a_file_is_csv_whatever_its_name_says(answers: str) -> None:
    start(answers, "4,3,5,q")
    assert "as CSV, which the name does not say" in grade("export", "-o", "out.xlsx").stderr
    assert "which the name" not in grade("export", "-o", "out.csv").stderr


def test_a_flag_is_told_once_though_two_sessions_have_the_item(answers: str) -> None:
    start(answers, "f,c,odd,q", "--limit", "2")
    start(answers, "q")
    rows = json.loads(grade("status", "--json").stdout)
    assert [len(row["flags"]) for row in rows] == [1, 1]
    assert grade("status").stdout.count("flagged by ann") == 1


def test_overlap_shares_the_answers_out(answers: str) -> None:
    share = ("--overlap", "1", "--graders", "2")
    assert "of 3" in start(answers, "q", *share).stdout
    assert "of 3" in start(answers, "q", *share, grader="bob").stdout
    third = start(answers, "q", *share, grader="cho").exception
    assert isinstance(third, PolyAssayError) and "Nothing is left" in third.problem
    assert "of 6" in start(answers, "q", "--overlap", "2", grader="cho").stdout


def test_side_by_side_asks_for_both_answers(answers: str) -> None:
    result = start(answers, "4,3,q", "--side-by-side")
    assert "answer B" in result.stdout and "correctness B:" in result.stdout
    assert "item 1 of 3" in result.stdout


def test_another_answer_under_the_same_name_is_refused(answers: str) -> None:
    start(answers, "q")
    text = Path(answers).read_text()
    Path(answers).write_text(text.replace("return 1", "return 7"))
    changed = start(answers, "q").exception
    assert isinstance(changed, PolyAssayError)
    assert "An answer to task t1 differs" in changed.problem
    assert "finch" not in changed.problem + changed.hint


def test_the_wording_comes_in_the_language_that_was_asked_for(answers: str) -> None:
    assert "完全实现" in start(answers, "q", "--language", "zh").stdout


def test_samples_and_prompts_can_be_chosen(answers: str) -> None:
    rows = [
        {"task": "t0", "tool": "finch", "sample": n, "prompt_language": nl, "answer": f"x{n}"}
        for n in (0, 1)
        for nl in ("en", "zh")
    ]
    Path(answers).write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert "of 4" in start(answers, "q").stdout
    chosen = start(answers, "q", "--samples", "1", "--prompt-language", "zh", grader="b")
    assert "of 1" in chosen.stdout and "x0" in chosen.stdout
    none = start(answers, "q", "--prompt-language", "ru").exception
    assert isinstance(none, PolyAssayError)


def test_json_leaves_standard_output_to_the_figures(answers: str) -> None:
    found = json.loads(start(answers, "4,3,5,s,q", "--json").stdout)
    assert (found["done"], found["total"], found["skipped"]) == (1, 6, 1)


def test_a_grader_who_has_scored_all_answers_is_told(answers: str) -> None:
    start(answers, "1,1,1," * 6)
    Path(answers).write_text("".join(Path(answers).read_text().splitlines(True)[:2]))
    done = start(answers, "q").exception
    assert isinstance(done, PolyAssayError) and "Nothing is left for ann" in done.problem


def test_a_disagreement_is_shown_with_code_and_without_its_tool(answers: str) -> None:
    start(answers, "1,1,1," * 6)
    start(answers, "1,2,1," * 6, grader="bob")
    result = grade("adjudicate", "--grader", "chief", keys="2\ns\nq\n")
    assert re.search(r"return 1  # by •\w{5}•", result.stdout)
    assert "1 decided, 5 left" in result.stdout
    assert "finch" not in result.stdout


def test_answers_of_a_run_are_graded_too(answers: str, folder: Path) -> None:
    suite = Registry(folder / ".polyassay").load("manual")
    keys = [CandidateKey("manual", f"t{n}", "finch", "en", 0) for n in (1, 2)]
    Store.at(folder / ".polyassay").start_run(
        [suite],
        [Candidate(key, "def f(): pass") for key in keys],
        {"suites": {"manual": {"checksum": suite.checksum}}},
    )
    result = grade("start", "latest", "--grader", "ann", keys="q\n")
    assert "item 1 of 2" in result.stdout and "def f(): pass" in result.stdout
