"""`polyassay grade adjudicate`: blind, with undo, comment and revision, and in `status`."""

import json
from collections import Counter
from pathlib import Path

import pytest

from end_to_end.grading import grade, grading_folder
from polyassay.model import Candidate, CandidateKey
from polyassay.store import Store
from polyassay.store.scores import Scores
from polyassay.suites.registry import Registry

HEADER = "suite,task,tool,prompt_language,sample,grader,dimension,score,comment\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two graders differ by two points on t1 and t2, and by one on t3, of one tool's answers."""
    grading_folder(tmp_path, monkeypatch)
    rows = [
        f"manual,t{task},finch,en,0,{grader},quality,{score},{grader} said so\n"
        for grader, scores in (("ann", (1, 3, 2)), ("bob", (3, 1, 3)))
        for task, score in enumerate(scores, start=1)
    ]
    Path("scores.csv").write_text(HEADER + "".join(rows))
    assert grade("import", "scores.csv").exit_code == 0
    return tmp_path


def decide(*keys: str, flags: tuple[str, ...] = ()) -> str:
    result = grade("adjudicate", "--grader", "chief", *flags, keys="".join(f"{k}\n" for k in keys))
    assert result.exit_code == 0, result.exception
    return result.stdout


def decisions() -> Counter[tuple[int, str]]:
    rows = [json.loads(line) for line in grade("export", "--format", "jsonl").stdout.splitlines()]
    return Counter((row["score"], row["comment"]) for row in rows if row.get("decision"))


def test_neither_tools_nor_graders_are_named(folder: Path) -> None:
    told = decide("q")
    assert "given: 1, because: ann said so" in told  # a comment is the grader's own words
    assert "finch" not in told and "ann gave" not in told and "bob gave" not in told
    listed = grade("agreement").stdout + grade("agreement", "--json").stdout
    assert "finch" not in listed and "t1" in listed


def test_a_decision_can_be_taken_back(folder: Path) -> None:
    told = decide("2", "u", "3", "u", "u", "q")
    assert told.count("=== 1 of 3") == 3 and "nothing to take back" in told
    assert "0 decided, 3 left" in told and not decisions()


def test_a_decision_can_be_explained_and_revised(folder: Path) -> None:
    assert "Decide first" in decide("c", "too early", "2", "b", "c", "both half right", "q")
    assert decisions() == {(2, "both half right"): 1}
    assert "=== 1 of 2" in decide("q")
    told = decide("s", "s", "s", flags=("--again",))
    assert "[2: both half right]" in told and "0 decided, 2 left" in told
    decide("1", "2", "3", flags=("--again",))
    found = decisions()
    assert sorted(score for score, _ in found) == [1, 2, 3]
    assert [text for _, text in found if text] == ["both half right"]  # a new score keeps it


def test_wrong_keys_are_explained_and_json_says_what_is_left(folder: Path) -> None:
    assert "quality is 1 to 3; s: skip" in decide("9", "x", "q")
    result = grade("adjudicate", "--grader", "chief", "--json", keys="2\nq\n")
    assert json.loads(result.stdout) == {"decided": 1, "left": 2}


def test_decisions_are_in_the_status(folder: Path) -> None:
    def rows() -> list[tuple[str, object, int]]:
        found = json.loads(grade("status", "--json").stdout)
        return [(r["grader"], r["items"], r["done"]) for r in found if r["what"] != "imported"]

    assert rows() == [("–", 3, 0)]
    decide("2", "2", "q")
    assert rows() == [("chief", 3, 2)]
    assert "finch" not in grade("status").stdout


def test_answers_of_imported_scores_are_shown_from_files_and_from_runs(folder: Path) -> None:
    assert "not in the store: name it with -c" in decide("q")
    Path("a.jsonl").write_text(
        json.dumps({"task": "t1", "tool": "finch", "answer": "x = 1  # by finch-7B"})
        + "\n"
        + json.dumps({"task": "t2", "tool": "finch", "answer": "x = 2"})
        + "\n"
    )
    told = decide("s", "q", flags=("-c", "a.jsonl", "--apart", "2"))
    assert "x = 1  # by •" in told and "x = 2" in told and "finch" not in told and "7B" not in told
    suite = Registry(folder / ".polyassay").load("manual")
    key = CandidateKey("manual", "t3", "finch", "en", 0)
    Store.at(folder / ".polyassay").start_run(
        [suite], [Candidate(key, "x = 3")], {"suites": {"manual": {"checksum": suite.checksum}}}
    )
    assert "x = 3" in decide("s", "s", "s")


def test_orders_and_sides_are_drawn_from_a_seed_that_nobody_chose(folder: Path) -> None:
    Path("a.jsonl").write_text(
        "".join(
            json.dumps({"task": f"t{n}", "tool": tool, "answer": f"x = {n}"}) + "\n"
            for n in range(10)
            for tool in ("finch", "heron")
        )
    )
    orders = []
    for name in ("one.sqlite", "two.sqlite"):
        url = f"sqlite:///{name}"
        start = ("start", "-c", "a.jsonl", "-s", "manual", "--grader", "dan", "--store", url)
        assert grade(*start, keys="q\n").exit_code == 0
        store = Scores(Store.open(url))
        (session,) = store.sessions()
        orders.append([item.key for item in store.items(session.id)])
        again = grade(*start, keys="q\n")
        assert "in the order in which it began" not in again.stderr
        assert "in the order in which it began" in grade(*start, "--seed", "1", keys="q\n").stderr
    assert sorted(set(orders[0])) == sorted(set(orders[1])) and orders[0] != orders[1]
