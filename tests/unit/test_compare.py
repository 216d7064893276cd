import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from made import make_task, make_verdict, scores_of
from polyassay.errors import PolyAssayError
from polyassay.measures.comparing.many import compare_all
from polyassay.measures.comparing.margins import margin_of
from polyassay.measures.comparing.planning import spread_of
from polyassay.measures.comparing.sentences import margin_sentence, number, outlook, summary
from polyassay.measures.comparing.steps import is_passing
from polyassay.measures.comparing.two import Answer, Comparison, compare
from polyassay.measures.table import RATIO, SHARE, measure
from polyassay.measures.units import Unit
from polyassay.model import Outcome, Task, Verdict
from polyassay.statistics.paired import FEWEST


def compared(verdicts: list[Verdict], tasks: list[Task], **options: object) -> Comparison:
    scores = scores_of(verdicts, tasks)
    return compare(("finch", scores["finch"]), ("heron", scores["heron"]), **options)  # type: ignore[arg-type]


def both(task: str, finch: int, heron: int, **fields: object) -> list[Verdict]:
    return [
        make_verdict(task, finch, tool="finch", **fields),  # type: ignore[arg-type]
        make_verdict(task, heron, tool="heron", **fields),  # type: ignore[arg-type]
    ]


def numbered(count: int) -> list[Task]:
    return [make_task(str(i)) for i in range(count)]


def aixbench(expected: Path) -> tuple[list[Verdict], list[Task]]:
    """The published classes of both tools, as measured by the suite's own executor."""
    verdicts, tasks = [], {}
    for tool in ("copilot", "aixcoder"):
        for line in (expected / f"aixbench_{tool}.jsonl").read_text().splitlines():
            fact = json.loads(line)
            task, language = str(fact["task_id"]), fact["prompt_language"]
            tasks[task] = make_task(task, fact["total"], "aixbench", prompts={language: "…"})
            verdicts.append(
                make_verdict(
                    task,
                    fact["passed"],
                    fact["total"],
                    tool,
                    suite="aixbench",
                    prompt_language=language,
                    outcome=None if fact["total"] else Outcome.FAILED,
                )
            )
    return verdicts, list(tasks.values())


def test_tasks_in_two_languages_are_prompts_and_few_of_them_promise_nothing() -> None:
    tasks = [make_task(str(i), prompts={"en": "…", "zh": "…"}) for i in range(6)]
    verdicts = [
        make_verdict(str(i), passed, tool=tool, prompt_language=language)
        for i in range(6)
        for language in ("en", "zh")
        for tool, passed in (("finch", 2 * (i % 2)), ("heron", 2 * (i % 3 == 0)))
    ]
    found = compared(verdicts, tasks)
    assert outlook(found, "pass@1") == [
        "12 prompts of 6 tasks are few: they can show only the largest difference there can be. "
        "(`polyassay power --difference 5 --suite SUITE` says what smaller ones need.)"
    ]


def test_aixbench_cannot_tell_copilot_from_aixcoder(shared_data: Path) -> None:
    verdicts, tasks = aixbench(shared_data / "expected")
    scores = scores_of(verdicts, tasks)
    sides = [(tool, scores[tool]) for tool in ("copilot", "aixcoder")]
    found = compare(sides[0], sides[1], by=["prompt_language"])
    assert found.tasks == 175
    assert {m.answer for m in found.metrics.values()} == {Answer.CANNOT_TELL}
    english, chinese = (found.groups[label,]["pass@1"] for label in ("en", "zh"))
    assert (english.a * 124, english.b * 124) == pytest.approx((58, 68))
    assert (chinese.a * 51, chinese.b * 51) == pytest.approx((21, 17))
    # McNemar's exact p are 0.0755 and 0.4807, its mid-p 0.0525 and 0.3593.
    assert 0.0525 < english.p < 0.0755
    assert 0.3593 < chinese.p < 0.4807
    assert english.p_adjusted == pytest.approx(2 * english.p)
    first, second = summary(found, "pass@1")
    assert first.startswith("Cannot tell which is better: aixcoder solves 3.4 points more (95 %: −")
    assert second == (
        "175 tasks can show differences from about 11 points. "
        "(`polyassay power --difference 5 --suite SUITE` says what smaller ones need.)"
    )


def test_aixbench_with_a_margin_and_what_it_would_take(shared_data: Path) -> None:
    verdicts, tasks = aixbench(shared_data / "expected")
    scores = scores_of(verdicts, tasks)
    found = compare(("copilot", scores["copilot"]), ("aixcoder", scores["aixcoder"]))
    metric = found.metrics["pass@1"]
    assert (metric.ahead, metric.behind) == (25, 19)
    three, ten = (margin_of(metric, points) for points in (3, 10))
    assert three is not None and ten is not None
    assert margin_sentence(found, three) == (
        "Cannot tell whether aixcoder is worse than copilot by more than 3 points: "
        "at worst it is 4.2 points behind."
    )
    assert margin_sentence(found, ten) == (
        "aixcoder is not worse than copilot by more than 10 points: "
        "at worst it is 4.2 points behind."
    )
    spread = spread_of(scores)
    assert [spread.tasks(0.05, samples, 0.8) for samples in (1, 5)] == [813, 486]


def test_only_tasks_that_both_have_count() -> None:
    lost = make_verdict("2", 0, tool="heron", outcome=Outcome.HARNESS_ERROR)
    verdicts = [*both("0", 2, 0), make_verdict("1", 2, tool="finch"), lost, *both("3", 2, 2)]
    found = compared([*verdicts, make_verdict("2", 2, tool="finch")], numbered(4))
    assert found.tasks == 2
    assert (found.metrics["pass@1"].a, found.metrics["pass@1"].b) == (1.0, 0.5)
    assert [pair.unit for pair in found.deciding] == [Unit("s", "0", "en")]


def test_a_clear_winner_is_told() -> None:
    verdicts = [v for i in range(60) for v in both(str(i), 2 * (i % 3 == 0), 2 * (i % 6 != 1))]
    found = compared(verdicts, numbered(60))
    assert found.metrics["pass@1"].answer is Answer.BETTER
    assert found.metrics["avg_pass_ratio"].answer is Answer.BETTER
    (sentence,) = summary(found, "pass@1")
    assert sentence.startswith("heron is better: it solves 50.0 points more than finch (95 %: ")


def test_worse_is_told_from_the_second_tool() -> None:
    verdicts = [v for i in range(60) for v in both(str(i), 2, 2 * (i % 2))]
    found = compared(verdicts, numbered(60))
    assert found.metrics["pass@1"].answer is Answer.WORSE
    assert summary(found, "pass@1")[0].startswith("finch is better: it solves 50.0 points more")


def test_equal_tools_are_no_different() -> None:
    found = compared([v for i in range(30) for v in both(str(i), 2, 2)], numbered(30))
    metric = found.metrics["pass@1"]
    assert metric.interval.low < 0 < metric.interval.high
    assert metric.p == 1.0
    assert found.deciding == ()
    assert "both solve all of the 30 tasks" in summary(found, "pass@1")[0]


def test_several_samples_have_several_measures() -> None:
    verdicts = [v for i in range(20) for v in both(str(i), 2, 2 * (i % 2))]
    again = [v for i in range(20) for v in both(str(i), 0, 2, sample=1)]
    metrics = compared([*verdicts, *again], numbered(20), ks=(1, 2)).metrics
    assert list(metrics) == ["pass@1", "pass@2", "avg_pass_ratio"]
    assert [m.difference for m in metrics.values()] == pytest.approx([0.25, 0.0, 0.25])


@pytest.mark.parametrize("samples", [(1, 1), (1, 5), (5, 1), (3, 3)])
def test_equal_values_give_equal_answers_under_any_name(samples: tuple[int, int]) -> None:
    """Where each task has one test, AvgPassRatio is pass@1."""
    tasks = [make_task(str(i), 1, prompts={"en": "…", "zh": "…"}) for i in range(25)]
    verdicts = [
        make_verdict(
            str(i),
            int((7 * i + 3 * sample + seed) % 9 < limit),
            1,
            tool,
            sample=sample,
            prompt_language=language,
        )
        for tool, many, limit in (("finch", samples[0], 2), ("heron", samples[1], 5))
        for i in range(25)
        for seed, language in enumerate(("en", "zh"))
        for sample in range(many)
    ]
    scores = scores_of(verdicts, tasks)
    two = compared(verdicts, tasks).metrics
    (pair,) = compare_all(scores, ["pass@1"]).pairs
    for found in (two, pair.metrics):
        first, second = found["pass@1"], found[RATIO]
        assert first.difference == pytest.approx(second.difference)
        assert first.p == pytest.approx(second.p)
        assert first.interval.low == pytest.approx(second.interval.low)
    assert two["pass@1"].p == pytest.approx(pair.metrics["pass@1"].p)


def test_one_test_that_passes_in_part_makes_a_ratio_a_ratio() -> None:
    tasks = [make_task("0", 2), *(make_task(str(i), 1) for i in range(1, 20))]
    scores = scores_of([make_verdict("0", 1, 2), make_verdict("1", 1, 1)], tasks)
    assert is_passing(measure("pass@1"), scores["heron"])
    assert not is_passing(measure(RATIO), scores["heron"])
    assert is_passing(measure(RATIO), scores["heron"][1:])
    assert not is_passing(measure("cost"), scores["heron"][1:])


def test_two_prompt_languages_of_a_task_are_not_two_tasks() -> None:
    tasks = [make_task(str(i), prompts={"en": "…", "zh": "…"}) for i in range(12)]
    once = [v for i in range(12) for v in both(str(i), 0, 2 * (i < 6))]
    again = [v for i in range(12) for v in both(str(i), 0, 2 * (i < 6), prompt_language="zh")]
    alone = compared(once, tasks).metrics["pass@1"]
    together = compared([*once, *again], tasks).metrics["pass@1"]
    assert together.p == pytest.approx(alone.p, abs=0.002)
    assert together.detectable == pytest.approx(alone.detectable, abs=0.02)


def test_two_suites_that_judge_the_same_answers_are_no_more_evidence() -> None:
    tasks = [make_task(str(i), suite=suite) for suite in ("mbpp", "tests") for i in range(5)]
    verdicts = [v for task in tasks for v in both(task.id, 0, 2, suite=task.suite)]
    scores = scores_of(verdicts, tasks)
    found = compare(("finch", scores["finch"]), ("heron", scores["heron"])).metrics["pass@1"]
    assert (found.units, found.clusters, found.answer) == (10, 5, Answer.CANNOT_TELL)
    other = [make_task(task.id, suite=task.suite, prompts={"en": task.suite}) for task in tasks]
    scores = scores_of(verdicts, other)
    found = compare(("finch", scores["finch"]), ("heron", scores["heron"])).metrics["pass@1"]
    assert (found.units, found.clusters, found.answer) == (10, 10, Answer.BETTER)


def test_tools_without_a_common_task_cannot_be_compared() -> None:
    verdicts = [make_verdict("0", 2, tool="finch"), make_verdict("1", 2, tool="heron")]
    with pytest.raises(PolyAssayError, match="no task in common"):
        compared(verdicts, numbered(2))


def test_samples_lost_by_us_may_leave_nothing_to_compare() -> None:
    lost = [
        v for i in range(3) for v in both(str(i), 0, 0, sample=1, outcome=Outcome.HARNESS_ERROR)
    ]
    verdicts = [v for i in range(3) for v in both(str(i), 2, 0)] + lost
    assert compared(verdicts, numbered(3)).tasks == 3
    with pytest.raises(PolyAssayError, match="pass@2 is not known of any task of both tools"):
        compared(verdicts, numbered(3), ks=(1, 2))


@pytest.mark.parametrize("count", [1, 3, 4, 5])
def test_too_few_tasks_show_nothing(count: int) -> None:
    found = compared([v for i in range(count) for v in both(str(i), 0, 2)], numbered(count))
    few = "1 task is" if count == 1 else f"{count} tasks are"
    first, second = summary(found, "pass@1")
    assert first.startswith("Cannot tell which is better: heron solves 100.0 points more")
    assert second == f"{few} too few to show any difference; at least {FEWEST} tasks are needed."
    assert found.metrics["pass@1"].detectable is None


def test_it_is_tasks_that_are_too_few_where_prompts_are_enough() -> None:
    languages = [("en", "zh", "ja", "es", "ru")[i % 5] for i in range(15)]
    verdicts = [
        replace(v, candidate=replace(v.candidate, prompt_language=language))
        for i, language in enumerate(languages)
        for v in both(str(i // 5), 0, 2)
    ]
    outlook = summary(compared(verdicts, numbered(3)), "pass@1")[1]
    assert outlook == (
        "15 prompts of 3 tasks are too few to show any difference; "
        f"at least {FEWEST} tasks are needed."
    )


@pytest.mark.parametrize("count", [6, 7, 10])
def test_the_outlook_never_contradicts_the_result(count: int) -> None:
    for ahead in range(count + 1):
        found = compared(
            [v for i in range(count) for v in both(str(i), 0, 2 * (i < ahead))], numbered(count)
        )
        shown = re.search(r"from about (\d+)|of about (\d+)", " ".join(outlook(found, "pass@1")))
        if shown:
            smallest = int(shown[1] or shown[2])
            assert 100 * found.metrics["pass@1"].difference - 0.5 < smallest <= 100


def test_points_are_rounded_for_people() -> None:
    told = [number(value, SHARE) for value in (-0.0421, -0.0001, 0.11)]
    assert told == ["−4.2", "0.0", "11.0"]
