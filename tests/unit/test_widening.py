"""Assertion sets that are proposed for plain tasks."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from command_line import write_jsonl
from made import make_run, make_task, set_verdict
from measured import call
from polyassay.cli import polyassay
from polyassay.cli.suites.widen import Decisions, decide, write
from polyassay.errors import PolyAssayError
from polyassay.model import Style, Suite, Task, Test
from polyassay.store import Store
from polyassay.suites.native import jsonl
from polyassay.widening.answers import ranked
from polyassay.widening.assertions import cases_of
from polyassay.widening.proposals import Proposal, proposals
from polyassay.widening.tasks import proposals_of, widened
from real_parts import shared_data
from scripts import script


def proposed(*tests: str) -> dict[str, str]:
    """Proposal → its first assertion."""
    found = cases_of(tests)
    assert found is not None
    return {each.name: each.cases[0].expression("f") for each in proposals(found[1], None)}


@pytest.mark.parametrize(
    ("test", "name", "first"),
    [
        ("assert g(1, 'a') == 2", "arguments-PermuteArgs(1, 0)", "f('a', 1) == 2"),
        ("assert g([1, 2], 2) == 3", "arguments-RemoveArgs(1,)", "f([1, 2]) == 3"),
        ("assert g(1, 2, 3) == 6", "arguments-Grouped", "f(1, (2, 3)) == 6"),
        ("assert g([1]) == 2", "arguments-ListToTuple", "f((1,)) == 2"),
        ("assert g((1,)) == 2", "arguments-TupleToList", "f([1]) == 2"),
        ("assert g(12) == 'a'", "arguments-NumToStr", "f('12') == 'a'"),
        ("assert g('12') == 'a'", "arguments-StrToNum", "f(12) == 'a'"),
        ("assert g('a') == 1", "arguments-SingleToList", "f(['a']) == 1"),
        ("assert g(1) == [1]", "results-ListToTuple", "f(1) == (1,)"),
        ("assert g(1) == (1, 2)", "results-TupleToList", "f(1) == [1, 2]"),
        ("assert g(1) == (1, 2)", "results-PermuteResult", "f(1) == (2, 1)"),
        ("assert g(1) == (1, 2)", "results-PermuteResult--TupleToList", "f(1) == [2, 1]"),
        ("assert g(1) == 10", "results-NumToStr", "f(1) == '10'"),
        ("assert g(1) == '[1, 2]'", "results-TextToValue", "f(1) == [1, 2]"),
        ("assert g(1) == 'a'", "results-SingleToList", "f(1) == ['a']"),
        ("assert g(1) == {1: 2}", "results-DictToPairs", "f(1) == [(1, 2)]"),
        ("assert g(1) == [(1, 2)]", "results-PairsToDict", "f(1) == {1: 2}"),
        ("assert g(1) == [2]", "results-AnyIterable", "list(f(1)) == [2]"),
        ("assert g([1, 1, 2]) == 1", "results-ShowCount", "f([1, 1, 2]) == (1, 2)"),
        ("assert g(2) == True", "ValidatorToFilter", "f([2]) == [2]"),
        ("assert g([1], 2) == (3, 4)", "arguments-PermuteArgs(1, 0)--results-TupleToList",
         "f(2, [1]) == [3, 4]"),
    ],
)  # fmt: skip
def test_each_transformation(test: str, name: str, first: str) -> None:
    assert proposed(test)[name] == first


def test_categories_become_booleans_and_filters() -> None:
    found = proposed("assert g('a') == 'Found a match!'", "assert g('b') == 'Not matched!'")
    assert found["results-CategoryToBool"] == "f('a') == True"
    assert found["ValidatorToFilter"] == "f(['a']) == ['a']"
    assert "results-CategoryToBool" not in proposed("assert g(1) == 'red'", "assert g(2) == 'blue'")


def test_what_cannot_be_changed_is_left_alone() -> None:
    assert cases_of(["assert g(x) == 1"]) is None
    assert cases_of(["assert g(1) == 1", "assert h(1) == 1"]) is None
    assert cases_of(["assert g(1) == 1", "assert g(1, 2) == 1"]) is None
    assert cases_of(["assert g(1) < 1"]) is None and cases_of(["x ="]) is None
    assert "arguments-RemoveArgs(1,)" not in proposed("assert g([1, 2], 7) == 3")
    assert not proposed("assert g([[1]]) == None").keys() & {"results-ListToTuple"}
    wrapped = proposed("assert sorted(g((1,))) == [1]")
    assert wrapped["arguments-TupleToList"] == "sorted(f([1])) == [1]"


PLAIN = replace(
    make_task("t", entry="g", reference="def g(a, b): return [a, b]"),
    tests=(Test("test_0", "assert g(1, 'b') == [1, 'b']"),),
)


def test_a_widened_task_is_solved_by_any_of_its_sets() -> None:
    found = proposals_of(PLAIN, 2)
    wide = widened(PLAIN, found)
    assert wide.style is Style.SETS
    assert list(wide.sets) == ["original", *(each.name for each in found)]
    assert wide.sets["original"][0].code == "f(1, 'b') == [1, 'b']"
    assert widened(PLAIN, []) == PLAIN
    again = proposals_of(wide, None)
    assert not {each.name for each in found} & {each.name for each in again}
    assert proposals_of(make_task("u", style=Style.PYTEST), None) == []


def test_what_answers_meet_comes_first() -> None:
    last = proposals_of(PLAIN, None)[-1]
    assert ranked(PLAIN, Counter({last.name: 2}))[0] == last


def test_a_person_decides_and_nothing_is_lost(tmp_path: Path) -> None:
    suite = Suite("s", "1", "", (PLAIN, replace(PLAIN, id="other", entry="h")))
    found = {task.id: ranked(task, Counter()) for task in suite.tasks}
    answers = iter("ynq")
    shown: list[str] = []

    def ask(task: Task, proposal: Proposal, meeting: int) -> str:
        shown.append(proposal.name)
        return next(answers)

    decisions = Decisions.at(tmp_path / "d.jsonl")
    decide(suite, found, {}, decisions, ask)
    assert write(suite, found, decisions, tmp_path / "wide.jsonl") == 1
    wide = jsonl.read(tmp_path / "wide.jsonl", "wide")[0].tasks[0]
    assert list(wide.sets) == ["original", shown[0]]
    again = Decisions.at(tmp_path / "d.jsonl")
    assert again.made == {("t", shown[0]): True, ("t", shown[1]): False}
    answers = iter("s")
    decide(suite, found, {}, again, ask)
    assert shown[3] == shown[2]  # it goes on where the person stopped


def test_widen_lists_and_decides_nothing_without_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    row = {
        "id": "t",
        "language": "python",
        "style": "function",
        "entry": "g",
        "prompts": {"en": "Pair them."},
        "tests": [{"code": "assert g(1, 'b') == [1, 'b']"}],
    }
    write_jsonl(tmp_path / "mine.jsonl", [row])
    run = CliRunner()
    assert run.invoke(polyassay, ["suites", "add", "native", "--from", "mine.jsonl"]).exit_code == 0
    listed = run.invoke(polyassay, ["suites", "widen", "mine", "--list"]).stdout
    assert "t  results-ListToTuple  f(1, 'b') == (1, 'b')" in listed
    first = run.invoke(polyassay, ["suites", "widen", "mine", "--json", "--most", "1"]).stdout
    assert json.loads(first)["task"] == "t"
    error = run.invoke(polyassay, ["suites", "widen", "mine"]).exception
    assert isinstance(error, PolyAssayError) and "person" in error.problem
    assert not list(tmp_path.glob("mine-wide*"))


def test_scores_by_the_original_sets_alone(tmp_path: Path, store: Store) -> None:
    tests = tuple(Test(name) for name in ("original/test_0", "other/test_0"))
    task = replace(make_task("0", style=Style.SETS), tests=tests)
    verdicts = [
        set_verdict("0", {"original": (0, 1), "other": (1, 1)}),
        set_verdict("0", {"original": (1, 1), "other": (0, 1)}, sample=1),
    ]
    make_run(store, [task], verdicts)
    both = json.loads(call(tmp_path, "score", "latest", "--json").stdout)
    alone = json.loads(call(tmp_path, "score", "latest", "--original-sets", "--json").stdout)
    assert both["tools"]["heron"]["pass@1"] == 1.0
    assert alone["tools"]["heron"]["pass@1"] == 0.5
    assert alone["tools"]["heron"]["sets_used"] == {"original": 1}


def test_most_of_what_mbupps_authors_added_is_proposed() -> None:
    rows = json.loads((shared_data() / "mbupp" / "MBPP_UpdatedTC.json").read_text("utf-8"))
    counts = script("widening-found").measure(rows)
    assert counts["added"] == 772 and counts["most"] <= 12
    assert counts["found"] >= 0.65 * 772
