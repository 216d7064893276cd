"""`run --task`, `--tool` and `--answered-only` choose answers, and what counts."""

import dataclasses
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from answer_files import a_suite, by_name
from made import make_run, make_task, make_verdict
from polyassay.candidates.selection import Selection
from polyassay.candidates.sources import Sources
from polyassay.cli import polyassay
from polyassay.errors import PolyAssayError
from polyassay.measures.comparable import conditions
from polyassay.measures.results import load
from polyassay.model import Candidate, CandidateKey
from polyassay.options import Options
from polyassay.store import Store

SUITES = by_name(a_suite("s", "a", "b", "c"), a_suite("t", "a", "d"))


def sources() -> Sources:
    """finch has answered all but t/d, heron only s/a and s/b."""
    keys = [("s", "a"), ("s", "b"), ("s", "c"), ("t", "a")]
    pairs = [("finch", key) for key in keys] + [("heron", key) for key in keys[:2]]
    return Sources([Candidate(CandidateKey(*key, tool, "en", 0), "x") for tool, key in pairs])


def left(found: Sources) -> list[tuple[str, str, str]]:
    return [(c.key.suite, c.key.task, c.key.tool) for c in found.candidates]


def test_nothing_chosen_is_everything() -> None:
    found = sources()
    assert Selection().apply(found, SUITES) == ()
    assert found == sources()


def test_tasks_are_chosen_in_all_suites() -> None:
    found = sources()
    assert Selection(tasks=["a"]).apply(found, SUITES) == (("s", "a"), ("t", "a"))
    assert left(found) == [("s", "a", "finch"), ("t", "a", "finch"), ("s", "a", "heron")]
    assert found.remarks == [
        "3 answers left out, as was asked for",
        "only 2 tasks of the suites, as asked",
    ]


def test_tools_are_chosen_and_all_tasks_count() -> None:
    found = sources()
    assert Selection(tools=["heron"]).apply(found, SUITES) == ()
    assert {tool for _, _, tool in left(found)} == {"heron"}


def test_only_what_every_tool_has_answered_counts() -> None:
    found = sources()
    chosen = Selection(answered_only=True).apply(found, SUITES)
    assert chosen == (("s", "a"), ("s", "b"))
    assert len(left(found)) == 4
    alone = sources()
    chosen = Selection(tools=["finch"], answered_only=True).apply(alone, SUITES)
    assert chosen == (("s", "a"), ("s", "b"), ("s", "c"), ("t", "a"))


@pytest.mark.parametrize(
    ("selection", "problem"),
    [
        (Selection(tasks=["aa"]), 'no task "aa"'),
        (Selection(tools=["finsh"]), 'by "finsh"'),
        (Selection(tasks=["d"]), "No answer is left"),
        (Selection(tasks=["c"], answered_only=True), "No answer is left"),
    ],
)
def test_what_cannot_be_chosen(selection: Selection, problem: str) -> None:
    with pytest.raises(PolyAssayError, match=problem):
        selection.apply(sources(), SUITES)


def test_chosen_tasks_survive_the_store_and_shape_the_score(store: Store) -> None:
    options = Options(tasks=(("s", "a"), ("t", "a")))
    kept = json.loads(json.dumps({"options": dataclasses.asdict(options)}))
    assert Options.of(kept) == options
    assert [[t.id for t in s.tasks] for s in options.apply(SUITES).values()] == [["a"], ["a"]]
    old = {"options": {k: v for k, v in kept["options"].items() if k != "tasks"}}
    assert Options.of(old) == Options()  # a run of before


def test_only_chosen_tasks_are_scored_and_ranked_with_their_like(store: Store) -> None:
    tasks = [make_task(f"t{i}") for i in range(4)]
    run = make_run(store, tasks, [make_verdict("t1", 2)])
    chosen = dataclasses.replace(
        run, provenance={**run.provenance, "options": {"tasks": [["s", "t1"]]}}
    )
    assert [task for _, task in load(store, chosen).tasks] == ["t1"]
    assert len(load(store, run).tasks) == 4
    assert conditions(run, "s")["limit"] == "all tasks"
    assert conditions(chosen, "s")["limit"].startswith("1 chosen task (")


def test_a_list_of_tasks_is_told_to_be_repeated() -> None:
    with pytest.raises(PolyAssayError) as refused:
        Selection(tasks=["a,d"]).apply(sources(), SUITES)
    assert refused.value.hint == "Repeat the option: --task a --task d."


def test_a_suite_that_is_named_after_its_file_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`suites add humaneval` of another file than the publisher's is not called humaneval."""
    monkeypatch.chdir(tmp_path)
    task = {
        "task_id": "HumanEval/0",
        "prompt": 'def f(x: int) -> int:\n    """Doubles."""\n',
        "entry_point": "f",
        "canonical_solution": "    return 2 * x\n",
        "test": "def check(candidate):\n    assert candidate(2) == 4\n",
    }
    Path("he1.jsonl").write_text(json.dumps(task) + "\n")
    for remark in ("added", "is there already, nothing changed"):
        told = CliRunner().invoke(polyassay, ["suites", "add", "humaneval", "--from", "he1.jsonl"])
        named = "(named after the file; --as gives another name)"
        assert told.stdout == f"he1: 1 task, {remark} {named}\n"
