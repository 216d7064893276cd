"""`polyassay grade`: files in, figures out, and bad rows named."""

import csv
import json
import os
from collections.abc import Sequence
from pathlib import Path
from statistics import pstdev

import pytest

from end_to_end.grading import TASKS, grade, grading_folder
from made import make_task, make_verdict
from polyassay.errors import PolyAssayError
from polyassay.model import Candidate, Program, Suite
from polyassay.rubric import rubrics
from polyassay.rubric.files import COLUMNS
from polyassay.store import Store
from polyassay.suites.registry import Registry

# The sums behind the paper's Table 3 (161 tasks): its means, which it truncates.
SUMS = {
    "aixcoder": {"correctness": 475, "quality": 355, "maintainability": 482},
    "copilot": {"correctness": 481, "quality": 350, "maintainability": 498},
}
TABLE_3 = {
    "aixcoder": {"correctness": 2.9503, "quality": 2.2049, "maintainability": 2.9937},
    "copilot": {"correctness": 2.9875, "quality": 2.1739, "maintainability": 3.0931},
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, either_store: str) -> Path:
    return grading_folder(tmp_path, monkeypatch)


def told(*arguments: str) -> dict:
    result = grade(*arguments, "--json")
    assert result.exit_code == 0, result.exception
    return json.loads(result.stdout)


def refused(*arguments: str) -> PolyAssayError:
    error = grade(*arguments).exception
    assert isinstance(error, PolyAssayError)
    return error


def write(path: str, rows: Sequence[Sequence[object]], header: Sequence[str] = COLUMNS) -> str:
    with Path(path).open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def row(task: int, dimension: str, score: object, tool: str = "finch", grader: str = "ann") -> list:
    return ["manual", f"t{task}", tool, "en", 0, grader, dimension, score, ""]


def spread(total: int, low: int, high: int) -> list[int]:
    """161 scores on a scale that have this sum."""
    scores = [low] * TASKS
    left = total - sum(scores)
    for index in range(TASKS):
        step = min(high - low, left)
        scores[index] += step
        left -= step
    assert not left
    return scores


def test_the_summary_has_the_means_of_the_papers_table_3(folder: Path) -> None:
    scales = rubrics.load("aixbench").scales
    rows = [
        row(task, dimension, score, tool)
        for tool, sums in SUMS.items()
        for dimension, total in sums.items()
        for task, score in enumerate(spread(total, *scales[dimension]))
    ]
    result = grade("import", write("scores.csv", rows))
    assert "966 scores imported" in result.stdout
    found = told("summary")
    for tool, means in TABLE_3.items():
        for dimension, printed in means.items():
            of = found["tools"][tool][dimension]
            assert of["mean"] == pytest.approx(SUMS[tool][dimension] / TASKS, abs=5e-5)
            assert int(of["mean"] * 10_000) / 10_000 == printed  # truncated, as the paper has it
            sd = pstdev(spread(SUMS[tool][dimension], *scales[dimension]))
            assert of["low"] < of["mean"] < of["high"]
            assert of["high"] - of["low"] == pytest.approx(2 * 1.96 * sd / TASKS**0.5, rel=0.1)
            assert of["graders"] == {"ann": TASKS} and of["scores"] == TASKS
            assert of["n"] == TASKS == sum(found["counts"][tool][dimension].values())
    text = grade("summary").stdout
    assert "2.9503" in text and "3.0932" in text  # rounded, where the paper truncates


def test_agreement_is_told_by_pair_and_dimension(folder: Path) -> None:
    given = {"bob": (1, 2, 3, 3), "ann": (1, 2, 3, 2)}
    rows = [
        row(task, "quality", score, grader=grader)
        for grader, scores in given.items()
        for task, score in enumerate(scores)
    ]
    grade("import", write("scores.csv", rows))
    found = told("agreement")
    assert set(found["alpha"]) == set(found["kappa"]) == set(rubrics.load("aixbench").scales)
    assert found["alpha"]["correctness"] is None
    # By hand: one squared difference of 1 in 4; by chance (1·(1+2·4) + 2·(1+2) + (4+1))/16.
    assert found["kappa"] == {
        "correctness": {},
        "quality": {"ann,bob": pytest.approx(1 - (1 / 4) / (20 / 16))},
        "maintainability": {},
    }
    (apart,) = found["disagreements"]
    assert (apart["task"], apart["scores"]) == ("t3", {"ann": 2, "bob": 3})
    text = grade("agreement").stdout
    assert "kappa, ann and bob" in text and "manual t3  quality: ann 2, bob 3" in text
    assert "finch" not in text + json.dumps(found)


def test_one_bad_row_refuses_the_file_and_partial_takes_the_rest(folder: Path) -> None:
    bad = row(999, "quality", 1)
    file = write("scores.csv", [row(2, "quality", 1), row(3, "quality", 1), bad])
    error = refused("import", file)
    assert "1 of 3 rows are bad" in error.problem
    assert 'row 3 (line 4): the suite "manual" has no task "t999"' in error.problem
    assert "Nothing was imported" in error.hint
    assert "Nobody has given a score" in refused("summary").problem
    assert "cannot be read" in refused("import", "nothing.csv").problem
    said = grade("import", file, "--partial")
    assert "Left out 1 row: later figures name all of them:" in said.stderr
    left_out = told("import", file, "--partial")
    assert left_out["there_already"] == 2
    other = write("other.csv", [row(2, "quality", 2), row(3, "quality", 3, tool="zz"), bad])
    said = grade("import", other, "--partial")
    assert (
        "Left out 2 rows: later figures name 1 of them, for the other 1 the store has a score "
        "by the same grader:" in said.stderr
    )
    assert 'answers of "zz" to manual before: known are finch.' in said.stderr
    assert "(other.csv row 3; scores.csv row 3)" in grade("summary").stdout
    left_out = told("import", file, "--partial")
    assert [row["row"] for row in left_out["left_out"]] == [3]
    assert told("summary")["tools"]["finch"]["quality"]["n"] == 2


def test_what_goes_out_comes_back_in_and_changes_nothing(folder: Path, tmp_path: Path) -> None:
    hard = 'says "no", at\nline 2; é 做'
    rows = [row(1, "quality", 1), [*row(2, "correctness", 4)[:-1], hard]]
    grade("import", write("scores.csv", rows))
    for file in ("out.csv", "out.jsonl"):
        grade("export", "-o", file)
        again = told("import", file)
        assert again == {"imported": 0, "there_already": 2, "left_out": [], "remarks": []}
        other = f"sqlite:///{tmp_path / file}.sqlite"
        assert told("import", file, "--store", other)["imported"] == 2
        assert grade("export", "--store", other).stdout == Path("out.csv").read_text()
    with Path("out.csv").open(newline="", encoding="utf-8") as out:
        assert [r["comment"] for r in csv.DictReader(out)] == ["", hard]


def test_another_score_in_the_store_is_changed_only_when_asked(folder: Path) -> None:
    grade("import", write("scores.csv", [row(1, "quality", 1)]))
    changed = write("scores.csv", [row(1, "quality", 3)])
    assert "row 1 (line 2): the store has another score" in refused("import", changed).problem
    assert told("import", changed, "--replace")["imported"] == 1
    assert told("summary")["tools"]["finch"]["quality"]["mean"] == 3


def test_a_rubric_whose_points_changed_needs_another_name(folder: Path) -> None:
    grade("import", write("scores.csv", [row(1, "quality", 1)]))
    text = rubrics.load("aixbench").text.replace('id = "quality"', 'id = "elegance"')
    Path("other.toml").write_text(text, encoding="utf-8")
    error = refused("import", "scores.csv", "--rubric", "other.toml", "--partial")
    assert 'another rubric "aixbench"' in error.problem


def test_a_decision_counts_in_means_and_both_are_kept(folder: Path) -> None:
    rows = [row(1, "quality", 1), row(1, "quality", 3, grader="bob"), row(2, "quality", 2)]
    grade("import", write("scores.csv", rows))
    result = grade("adjudicate", "--grader", "chief", keys="9\n2\n")
    assert (
        "given: 1" in result.stdout
        and "ann" not in result.stdout
        and "1 decided, 0 left" in result.stdout
    )
    assert "finch" not in result.stdout
    of = told("summary")["tools"]["finch"]["quality"]
    assert (of["mean"], of["n"]) == (2, 2)
    (apart,) = told("agreement")["disagreements"]
    assert (apart["scores"], apart["decided"]) == ({"ann": 1, "bob": 3}, 2)
    assert "0 decided, 0 left" in grade("adjudicate", "--grader", "chief").stdout
    grade("export", "-o", "all.jsonl")
    other = "sqlite:///other.sqlite"
    assert told("import", "all.jsonl", "--store", other)["imported"] == 4
    assert told("summary", "--store", other) == told("summary")


def test_tests_and_people_contradict_each_other(folder: Path) -> None:
    tasks = [make_task(f"t{n}", suite="manual") for n in range(5)]
    suite = Suite("manual", "1", "c" * 64, tuple(tasks))
    passed = (2, 2, 0, 1, 2)
    verdicts = [
        make_verdict(f"t{n}", count, tool="finch", suite="manual") for n, count in enumerate(passed)
    ]
    store = Store.open(os.environ["POLYASSAY_STORE"])
    run = store.start_run([suite], [Candidate(v.candidate, "x") for v in verdicts], {"suites": {}})
    store.save_verdicts(run.id, verdicts)
    given = (4, 1, 4, 2, 3)
    grade("import", write("s.csv", [row(n, "correctness", s) for n, s in enumerate(given)]))
    found = told("crosstab", "latest")
    assert [c["task"] for c in found["passed_but_wrong"]] == ["t1"]
    assert [c["task"] for c in found["failed_but_right"]] == ["t2"]
    assert found["counts"] == {
        "passed": {"wrong": 1, "partly": 1, "right": 1},
        "failed": {"wrong": 1, "partly": 0, "right": 1},
    }
    # Ranks of people 4.5 1 4.5 2 3 and of tests 4 4 1 2 4, by hand: -2.5 over the root of 9.5·8.
    assert found["correlation"]["correctness"]["rho"] == pytest.approx(-2.5 / 76**0.5)
    assert found["correlation"]["quality"] == {"rho": None, "n": 0}
    text = grade("crosstab", "latest").stdout
    assert "Tests pass, graders call it wrong: 1" in text


def test_answers_that_are_not_the_ones_that_were_graded_stay_out(folder: Path) -> None:
    suite = Registry(folder / ".polyassay").load("manual")
    store = Store.open(os.environ["POLYASSAY_STORE"])
    for code in ("x = 1", "x = 2"):
        made = make_verdict("t1", 2, tool="finch", suite="manual", program=Program(code, code=code))
        about = {"suites": {"manual": {"checksum": suite.checksum}}}
        run = store.start_run([suite], [Candidate(made.candidate, code)], about)
        store.save_verdicts(run.id, [made])
        if code == "x = 1":
            grade("start", run.id, "--grader", "ann", keys="1\n1\n1\n")
            assert len(told("crosstab", run.id)["passed_but_wrong"]) == 1
    found = told("crosstab", run.id)
    assert (found["passed_but_wrong"], found["other_answers"]) == ([], 1)
