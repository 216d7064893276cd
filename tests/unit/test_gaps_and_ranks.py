import pytest

from made import make_task, make_verdict, scores_of
from polyassay.measures.comparing.gaps import gaps, library_trend
from polyassay.measures.comparing.many import standings
from polyassay.statistics.ranks import rank_ranges


def test_prompt_languages_of_the_same_tasks_are_paired() -> None:
    tasks = [make_task(str(i), prompts={"en": "…", "zh": "…"}) for i in range(20)]
    english = [make_verdict(str(i), 2) for i in range(20)]
    chinese = [make_verdict(str(i), 2 * (i % 2), prompt_language="zh") for i in range(20)]
    (gap,) = gaps(scores_of([*english, *chinese], tasks)["heron"], "prompt_language")
    assert (gap.first, gap.second, gap.paired) == ("zh", "en", True)
    assert gap.difference == pytest.approx(-0.5)
    assert gap.interval.low < -0.5 < gap.interval.high < 0


def test_a_few_translated_tasks_are_paired_with_their_originals() -> None:
    tasks = [make_task(str(i), prompts={"en": "…", "zh": "…", "ja": "…"}) for i in range(20)]
    english = [make_verdict(str(i), 2 * (i < 10)) for i in range(20)]
    chinese = [make_verdict(str(i), 2, prompt_language="zh") for i in range(8)]
    japanese = [make_verdict(str(i), 0, prompt_language="ja") for i in range(8)]
    found = gaps(scores_of([*english, *chinese, *japanese], tasks)["heron"], "prompt_language")
    assert [(gap.first, gap.second, gap.tasks, gap.paired) for gap in found] == [
        ("ja", "en", (8, 8), True),
        ("zh", "en", (8, 8), True),
    ]
    assert [gap.difference for gap in found] == [-1.0, 0.0]


def test_domains_have_other_tasks_and_are_not_paired() -> None:
    tasks = [make_task(str(i), tags=("open" if i < 30 else "closed",)) for i in range(50)]
    verdicts = [make_verdict(str(i), 2 * (i % 3 == 0)) for i in range(50)]
    (gap,) = gaps(scores_of(verdicts, tasks)["heron"], "domain")
    assert (gap.first, gap.paired, gap.tasks) == ("closed", False, (20, 30))
    assert gap.interval.low < gap.difference < gap.interval.high


def test_rare_libraries_that_fail_show_as_a_trend() -> None:
    tasks = [
        make_task(str(i), libraries=("numpy",) if i < 20 else (f"rare{i}",)) for i in range(30)
    ]
    verdicts = [make_verdict(str(i), 2 * (i < 18)) for i in range(30)]
    trend = library_trend(scores_of(verdicts, tasks)["heron"])
    assert trend is not None
    assert trend.rho > 0.6
    assert trend.p < 0.01
    assert library_trend(scores_of(verdicts[:5], tasks)["heron"]) is None


def test_ranks_are_what_the_answers_leave_open() -> None:
    clear = [False, True, True]
    assert rank_ranges([clear, [False] * 3, [False] * 3]) == [(1, 1), (2, 3), (2, 3)]


def test_standings_come_best_first() -> None:
    tasks = [make_task(str(i)) for i in range(40)]
    good = [make_verdict(str(i), 2, tool="heron") for i in range(40)]
    bad = [make_verdict(str(i), 0, tool="finch") for i in range(40)]
    _, places = standings(scores_of([*bad, *good], tasks))
    assert [(p.tool, p.best_rank, p.worst_rank) for p in places] == [
        ("heron", 1, 1),
        ("finch", 2, 2),
    ]
    assert places[0].groups["python", "en"].value == 1.0
