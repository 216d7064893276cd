from dataclasses import replace

import pytest

from made import make_task, make_verdict, scores_of, set_verdict
from polyassay.errors import PolyAssayError
from polyassay.measures.groups import parse_by, set_family
from polyassay.measures.scores import ToolScore, score, score_table
from polyassay.measures.table import measure
from polyassay.measures.units import Unit, expected_units
from polyassay.model import CandidateKey, Judging, Language, Outcome, Style, Task, Test

TASKS = [make_task("a"), make_task("b"), make_task("c")]


def only_score(verdicts, tasks=TASKS, expected=None, ks=(1,)) -> ToolScore:  # type: ignore[no-untyped-def]
    (row,) = score_table(scores_of(verdicts, tasks, expected), ks).rows
    return row.score


def test_means_over_samples_first_and_then_over_tasks() -> None:
    found = only_score(
        [make_verdict("a", 2), make_verdict("a", 0, sample=1), make_verdict("b", 1, sample=0)]
    )
    assert (found.tasks, found.samples, found.passed_tasks, found.solved) == (2, 3, 1, 1)
    assert found["pass@1"].value == pytest.approx(0.25)
    assert found["avg_pass_ratio"].value == pytest.approx(0.5)
    assert found.pass_ratio_sum == pytest.approx(1.0)
    assert found.outcomes == {Outcome.PASSED: 1, Outcome.FAILED: 2}


def test_solved_takes_any_sample_and_passed_tasks_the_first() -> None:
    found = only_score([make_verdict("a", 0), make_verdict("a", 2, sample=1)])
    assert (found.passed_tasks, found.solved) == (0, 1)


def test_what_the_tool_does_not_answer_for_enters_nothing() -> None:
    found = only_score(
        [
            make_verdict("a", 2),
            make_verdict("b", 0, outcome=Outcome.NOT_RUNNABLE),
            make_verdict("c", 0, outcome=Outcome.HARNESS_ERROR),
            make_verdict("c", 2, sample=1),
        ]
    )
    assert (found.tasks, found.samples, found.left_out) == (2, 2, {Outcome.NOT_RUNNABLE: 1})
    assert found["pass@1"].value == 1.0
    assert found["avg_pass_ratio"].value == 1.0
    assert found.passed_tasks == 2
    assert found.outcomes[Outcome.NOT_RUNNABLE] == found.outcomes[Outcome.HARNESS_ERROR] == 1


def test_samples_that_are_one_object_count_as_often_as_they_come() -> None:
    verdicts = [make_verdict(t, n, flags=("reused",)) for t, n in (("a", 0), ("b", 0), ("c", 2))]
    (units,) = scores_of(verdicts, TASKS).values()
    shared = [replace(unit, samples=unit.samples * 2, counted=unit.counted * 2) for unit in units]
    copies = [
        replace(unit, samples=each, counted=each)
        for unit in units
        for each in [(unit.samples[0], replace(unit.samples[0]))]
    ]
    assert score(shared) == score(copies)
    assert score(shared).outcomes == {Outcome.FAILED: 4, Outcome.PASSED: 2}
    assert score(shared).flags == {"reused": 6}


def test_what_was_recorded_about_no_sample_is_unknown() -> None:
    (units,) = scores_of([make_verdict("a", 2), make_verdict("b", 0)], TASKS).values()
    told = replace(units[0], counted=(replace(units[0].counted[0], measures={"cost": 2.0}),))
    assert [measure("cost").of_unit(unit) for unit in (*units, told)] == [None, None, 2.0]


def test_a_task_without_an_answer_failed() -> None:
    expected = {"heron": [Unit("s", task.id, "en") for task in TASKS]}
    found = only_score([make_verdict("a", 2)], expected=expected)
    assert (found.tasks, found.unanswered, found.samples) == (3, 2, 1)
    assert found["pass@1"].value == found["avg_pass_ratio"].value == pytest.approx(1 / 3)


def test_a_task_that_cannot_run_here_is_left_out_for_who_did_not_answer_it_too() -> None:
    expected = {tool: [Unit("s", task.id, "en") for task in TASKS] for tool in ("heron", "finch")}
    verdicts = [
        make_verdict("a", 2),
        make_verdict("b", 0, outcome=Outcome.NOT_RUNNABLE),
        make_verdict("a", 2, tool="finch"),
    ]
    for units in scores_of(verdicts, TASKS, expected).values():
        found = score(units)
        assert (found.tasks, found.unanswered) == (2, 1)
        assert found.left_out == {Outcome.NOT_RUNNABLE: 1}


def test_k_beyond_the_samples_of_one_task_is_refused_by_name() -> None:
    verdicts = [make_verdict("a", 2), make_verdict("a", 2, sample=1), make_verdict("b", 2)]
    with pytest.raises(PolyAssayError, match="heron has 1 of s b") as refusal:
        only_score(verdicts, ks=(1, 2))
    assert "up to 1" in refusal.value.hint


def test_a_sample_lost_by_us_takes_its_task_out_of_a_larger_k_only() -> None:
    lost = make_verdict("a", 0, sample=1, outcome=Outcome.HARNESS_ERROR)
    verdicts = [make_verdict("a", 2), lost, make_verdict("b", 0), make_verdict("b", 0, sample=1)]
    found = only_score(verdicts, ks=(1, 2))
    assert found["pass@1"].value == 0.5
    assert found["pass@2"].value == 0.0


def test_expects_every_task_in_the_prompt_languages_that_were_asked() -> None:
    both = {"en": "Do it.", "zh": "做。"}
    tasks = [
        make_task("a", prompts=both),
        make_task("b", prompts=both),
        make_task("c", prompts={"zh": "做。"}),
        make_task("graded", style=Style.RUBRIC),
        make_task("elsewhere", suite="other"),
    ]
    found = expected_units(tasks, [CandidateKey("s", "a", "heron", "en", 0)])
    assert found == {"heron": (Unit("s", "a", "en"), Unit("s", "b", "en"))}
    declared = expected_units(tasks, [CandidateKey("s", "a", "heron", "en", 0)], {"heron": ["zh"]})
    assert Unit("s", "c", "zh") in declared["heron"]


def test_a_tool_is_not_failed_for_a_prompt_language_that_it_was_not_asked_in() -> None:
    tasks = [make_task(name, prompts={"en": "Do it.", "zh": "做。"}) for name in ("a", "b")]
    answered = [("a", "heron", "en"), ("a", "finch", "en"), ("a", "finch", "zh")]
    found = expected_units(tasks, [CandidateKey("s", t, tool, nl, 0) for t, tool, nl in answered])
    assert set(found["heron"]) == {Unit("s", "a", "en"), Unit("s", "b", "en")}
    # No tool was asked b in Chinese, and in English b is not lost.
    assert set(found["finch"]) == {*found["heron"], Unit("s", "a", "zh")}


def test_leaving_out_a_prompt_that_another_tool_answered_gains_nothing() -> None:
    tasks = [make_task(name, prompts={"en": "Do it.", "zh": "做。"}) for name in ("a", "b")]
    answered = [("a", "heron", "zh"), ("a", "finch", "zh"), ("b", "finch", "zh")]
    found = expected_units(tasks, [CandidateKey("s", t, tool, nl, 0) for t, tool, nl in answered])
    assert found["heron"] == found["finch"] == (Unit("s", "a", "zh"), Unit("s", "b", "zh"))


def test_a_task_in_two_prompt_languages_is_two_units_of_one_cluster() -> None:
    tasks = [make_task(str(i), prompts={"en": "Do it.", "zh": "做。"}) for i in range(40)]
    once = [make_verdict(str(i), 2 * (i % 2)) for i in range(40)]
    again = [make_verdict(str(i), 2 * (i % 2), prompt_language="zh") for i in range(40)]
    one, two = only_score(once, tasks), only_score([*once, *again], tasks)
    assert (one.tasks, two.tasks) == (40, 80)
    # The second language repeats the first, so it must not make us any surer.
    first, second = one["pass@1"].interval, two["pass@1"].interval
    assert first is not None and second is not None
    assert second.high - second.low == pytest.approx(first.high - first.low, abs=0.03)


def test_groups_by_what_the_task_is_and_uses() -> None:
    tasks = [
        make_task("a", libraries=("numpy", "pandas"), tags=("open",)),
        make_task("b", language=Language.JAVA, style=Style.JUNIT),
    ]
    scores = scores_of([make_verdict("a", 2), make_verdict("b", 0)], tasks)

    def solved(by: str) -> dict[tuple[str, ...], int]:
        rows = score_table(scores, by=parse_by(by)).rows
        return {tuple(row.group.values()): row.score.solved for row in rows}

    assert solved("library") == {("numpy",): 1, ("pandas",): 1, ("none",): 0}
    assert solved("domain,language") == {("open", "python"): 1, ("none", "java"): 0}
    assert solved("tag") == {("open",): 1, ("none",): 0}


def test_refuses_a_group_that_does_not_exist() -> None:
    with pytest.raises(PolyAssayError, match='"colour"'):
        parse_by("tool,colour")


def sets_task(task_id: str, *names: str) -> Task:
    tests = tuple(Test(f"{name}/test_{i}") for name in names for i in range(2))
    return replace(make_task(task_id, style=Style.SETS), tests=tests)


def test_an_assertion_set_is_scored_over_the_tasks_that_have_it() -> None:
    swapped, listed = "ip_resp-PermuteArgs(1, 0)--original", "op_resp-TupleToList--original"
    tasks = [sets_task("a", "original", swapped), sets_task("b", "original", listed)]
    verdicts = [
        set_verdict("a", {"original": (1, 2), swapped: (2, 2)}),
        set_verdict("a", {"original": (2, 2), swapped: (0, 2)}, sample=1),
        set_verdict("b", {"original": (0, 2), listed: (1, 2)}),
    ]
    scores = scores_of(verdicts, tasks)
    (whole,) = score_table(scores).rows
    assert whole.score.sets_used == {swapped: 1, "original": 1}
    assert whole.score.sets_per_task == 2.0
    rows = score_table(scores, by=("assertion_set",)).rows
    by_set = {row.group["assertion_set"]: row.score for row in rows}
    assert (by_set["original"].tasks, by_set["original"].solved) == (2, 1)
    assert by_set["original"]["pass@1"].value == 0.25
    assert (by_set[swapped].tasks, by_set[swapped].passed_tasks) == (1, 1)
    assert by_set[listed]["avg_pass_ratio"].value == 0.5
    families = {row.group["set_family"] for row in score_table(scores, by=("set_family",)).rows}
    assert families == {"original", "ip_resp-PermuteArgs", "op_resp-TupleToList"}


@pytest.mark.parametrize("name", ["assertion_set", "set_family"])
def test_a_task_without_assertion_sets_keeps_its_score(name: str) -> None:
    tasks = [sets_task("a", "original"), make_task("b")]
    verdicts = [set_verdict("a", {"original": (0, 2)}), make_verdict("b", 2)]
    rows = score_table(scores_of(verdicts, tasks), by=(name,)).rows
    assert {row.group[name]: row.score.solved for row in rows} == {"none": 1, "original": 0}


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("original", "original"),
        ("ip_resp-PermuteArgs(1, 0)--original", "ip_resp-PermuteArgs"),
        (
            "ip_resp-PermuteArgs(1, 0)--ip_resp-PermuteArgs(0,2,1)--op_resp-ListToTuple--original",
            "ip_resp-PermuteArgs + op_resp-ListToTuple",
        ),
        ("ip_resp--RemoveArgs--original", "ip_resp-RemoveArgs"),
        ("manual-corrected2--original", "manual-corrected"),
        ("tuple", "tuple"),
    ],
)
def test_a_family_is_the_transformations_without_arguments(name: str, family: str) -> None:
    assert set_family(name) == family


def test_cells_add_their_measures() -> None:
    cell = make_task("a", tests=1, style=Style.CELL)
    found = only_score(
        [make_verdict("a", 0, 1, measures={"output_em": 0.0, "f1": 0.5, "ran": 1.0})],
        [cell, TASKS[1]],
        {"heron": [Unit("s", "b", "en")]},
    )
    cells = {name: found[name].value for name in ("output_em", "f1", "ran")}
    assert cells == {"output_em": 0.0, "f1": 0.5, "ran": 1.0}
    assert found["f1"].known == 1


def test_tells_how_much_was_judged_together() -> None:
    found = only_score(
        [make_verdict("a", 2, judged=Judging.TOGETHER, flags=("reused",)), make_verdict("b", 2)]
    )
    assert found.share_apart == 0.5
    assert found.flags == {"reused": 1}


def test_the_same_verdicts_give_the_same_intervals() -> None:
    scores = scores_of([make_verdict(task.id, i % 3) for i, task in enumerate(TASKS)], TASKS)
    assert score(scores["heron"]) == score(scores["heron"])
