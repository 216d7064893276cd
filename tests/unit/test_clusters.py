"""Which tasks chance draws together."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made import make_task, make_verdict, scores_of
from polyassay.measures.comparing.two import compare
from polyassay.measures.scores import score
from polyassay.model import Style
from polyassay.statistics.clusters import cluster_numbers, renumbered
from polyassay.suites.families import question
from polyassay.suites.native.fields import Fields
from polyassay.suites.native.task_json import task_from, task_to
from polyassay.suites.public import humaneval, mbupp, odex


@pytest.mark.parametrize(
    ("task_id", "family", "cluster"),
    [
        ("HumanEval/7", "", "humaneval/7"),
        ("Java/7", "", "humaneval/7"),
        ("HumanEval_7_parse_music", "", "humaneval/7"),
        ("Mbpp/011", "", "mbpp/11"),
        ("MBJP/11", "", "mbpp/11"),
        ("11", "mbpp", "mbpp/11"),
        ("11", "", ""),
        ("MathQA/3", "", ""),
        ("a name", "mbpp", ""),
    ],
)
def test_families_number_their_questions_alike(task_id: str, family: str, cluster: str) -> None:
    assert question(task_id, family) == cluster


def test_a_suite_may_name_its_clusters() -> None:
    value = {
        "id": "a",
        "language": "python",
        "style": "function",
        "entry": "f",
        "prompts": {"en": "…"},
        "tests": [{"code": "assert f()"}],
        "cluster": "chapter 1",
    }
    task = task_from(Fields("here", value), "s")
    assert task.cluster == "chapter 1"
    assert task_from(Fields("again", task_to(task)), "s") == task


def test_public_suites_name_theirs(shared_data: Path) -> None:
    (one,) = humaneval.read(shared_data / "humaneval", None)
    assert {task.cluster for task in one.tasks} == {f"humaneval/{i}" for i in range(164)}
    (two,) = odex.read(shared_data / "odex", None)
    assert one.tasks[0].cluster == "humaneval/0"
    assert two.tasks[0].cluster == "odex/3283984"
    assert len({task.cluster for task in two.tasks}) < len(two.tasks)  # asked in several languages
    for suite in mbupp.read(shared_data / "mbupp", None):
        assert all(task.cluster == f"mbpp/{task.id}" for task in suite.tasks)


def test_the_cells_of_a_notebook_are_drawn_together() -> None:
    tasks = [
        make_task(f"book{i // 4}/{i % 4}", tests=1, style=Style.CELL, prompts={"en": f"{i}"})
        for i in range(80)
    ]
    verdicts = [make_verdict(t.id, int(i // 4 % 2), 1) for i, t in enumerate(tasks)]
    alone = [
        make_task(f"{i}", tests=1, style=Style.CELL, prompts={"en": f"{i}"}) for i in range(80)
    ]
    apart = [make_verdict(str(i), int(i // 4 % 2), 1) for i in range(80)]

    def width(found):  # type: ignore[no-untyped-def]
        return found["pass@1"].interval.high - found["pass@1"].interval.low

    whole = width(score(scores_of(verdicts, tasks)["heron"]))
    assert whole > 1.7 * width(score(scores_of(apart, alone)["heron"]))


def test_one_question_in_two_suites_is_one_cluster() -> None:
    tasks = [
        make_task(f"{name}/{i}", suite=name, cluster=f"humaneval/{i}", prompts={"en": name})
        for name in ("Java", "HumanEval")
        for i in range(9)
    ]
    verdicts = [
        make_verdict(task.id, passed, tool=tool, suite=task.suite)
        for task in tasks
        for tool, passed in (("finch", 0), ("heron", 2))
    ]
    scores = scores_of(verdicts, tasks)
    found = compare(("finch", scores["finch"]), ("heron", scores["heron"])).metrics["pass@1"]
    assert (found.units, found.clusters) == (18, 9)


@given(st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=1, max_size=40))
def test_what_is_left_is_numbered_as_if_it_had_been_alone(clusters: list[tuple[int, bool]]) -> None:
    """So sums over clusters are added up in one order, and figures are equal to the last bit."""
    known = np.array([kept for _, kept in clusters])
    names = [name for name, _ in clusters]
    left = [name for name, kept in clusters if kept]
    assert renumbered(cluster_numbers(names)[known]).tolist() == cluster_numbers(left).tolist()
