"""What to do about an answer is told no more firmly than the evidence allows."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from made import make_run, make_task, make_verdict
from measured import TASKS, answers, call, sides, tasks_of, verdicts_of
from polyassay.measures.comparing.two import compare
from polyassay.model import Language, Verdict
from polyassay.report.charts.axes import difference
from polyassay.report.tables import Points
from polyassay.report.views import Hero
from polyassay.statistics.paired import too_few
from polyassay.store import Store

CHOOSE = "Choose heron, unless its price or its speed speaks against it."


def advice(tmp_path: Path, *flags: str) -> str:
    """As every place tells it: JSON, terminal and Markdown."""
    told = json.loads(call(tmp_path, "compare", "latest", *flags, "--json").stdout)["advice"]
    shown = " ".join(call(tmp_path, "compare", "latest", *flags).stdout.split())
    report = [flag for flag in flags if flag == "--answered-only"]
    summary = " ".join(call(tmp_path, "report", "latest", "--markdown", *report).stdout.split())
    assert told and all(line in shown and line in summary for line in told)
    return " ".join(told)


def of(tool: str, passed: Sequence[int], ids: Sequence[int] = range(40)) -> list[Verdict]:
    """A task's two tests: how many pass, by place."""
    return [make_verdict(str(i), n, tool=tool) for i, n in zip(ids, passed, strict=True)]


def test_a_clear_answer_on_all_tasks_is_a_choice(tmp_path: Path, two_tools: str) -> None:
    assert advice(tmp_path, "finch", "heron") == CHOOSE


def test_where_most_tasks_were_left_out_their_answers_come_first(
    tmp_path: Path, store: Store
) -> None:
    asked = range(12)
    make_run(store, TASKS, of("finch", [0] * 12, asked) + of("heron", [2] * 12, asked))
    told = advice(tmp_path, "--answered-only")
    assert told.startswith(
        "Likely heron; 28 of 40 tasks of these suites were not answered by both: get those "
        "answers before you decide."
    )
    assert "Choose" not in told


def test_a_wide_range_is_no_choice_yet(tmp_path: Path, store: Store) -> None:
    few = TASKS[:9]
    make_run(store, few, of("finch", [0] * 9, range(9)) + of("heron", [2] * 6 + [0] * 3, range(9)))
    found = re.fullmatch(
        r"Likely heron; it may be ahead by ([\d.]+) points or by ([\d.]+): add tasks\..*",
        advice(tmp_path),
    )
    assert found and float(found[2]) - float(found[1]) > 50


def test_another_measure_that_cannot_tell_is_told_first(tmp_path: Path, store: Store) -> None:
    """heron solves ten tasks that finch nearly solves, and fails what finch nearly solves."""
    finch = [1] * 40
    heron = [2] * 14 + [0] * 12 + [1] * 14
    make_run(store, TASKS, of("finch", finch) + of("heron", heron))
    assert advice(tmp_path) == "Likely heron; by AvgPassRatio it cannot be told."


def test_who_cannot_tell_hears_of_tasks_not_asked_and_of_samples(
    tmp_path: Path, store: Store
) -> None:
    asked = range(16)
    finch, heron = [2] * 9 + [0] * 7, [2] * 6 + [0] * 3 + [2] * 5 + [0] * 2
    make_run(store, TASKS, of("finch", finch, asked) + of("heron", heron, asked))
    told = advice(tmp_path, "--answered-only")
    rest = "24 of 40 tasks of these suites were not answered by both"
    assert told.index("Too few tasks were run") < told.index(rest) < told.index("To show a")
    found = re.search(
        r"of 10 points takes about ([\d,]+) tasks.* With 5 samples a task about ([\d,]+) tasks "
        r"show 10 points\.",
        told,
    )
    assert found and int(found[2].replace(",", "")) < int(found[1].replace(",", ""))


def test_a_page_for_people_has_its_commands_below(tmp_path: Path, store: Store) -> None:
    make_run(store, TASKS, [*answers("finch", range(12)), *answers("heron", range(6, 20))])
    summary = call(tmp_path, "report", "latest", "--markdown").stdout
    first, folded = summary.split("<details>")
    assert "polyassay" not in first and "`polyassay power --difference" in folded
    assert "polyassay power" in call(tmp_path, "compare", "latest").stdout


def test_a_summary_is_short_until_it_is_unfolded(tmp_path: Path, two_tools: str) -> None:
    summary = call(tmp_path, "report", "latest", "--markdown").stdout
    first, folded = summary.split("<details>")
    lines = [line for line in first.splitlines() if line]
    assert lines[0] == "### heron is better"
    assert lines[1].endswith("heron solved 30 of 40 tasks, finch 10.")
    assert lines[2] == CHOOSE
    assert lines[3].startswith("| tool") and len(lines) == 7
    assert "Tasks solved by both" in folded and "judged apart" in folded


def test_all_languages_have_ranges_of_one_level_that_go_with_their_answers() -> None:
    """Python is so clear, and Java so nearly, that Holm would tell Java at 95 %."""
    tasks = tasks_of(30, name="p") + tasks_of(40, Language.JAVA, "j")
    python = {"finch": [False] * 30, "heron": [True] * 30}
    for ahead in range(1, 14):
        java = {"finch": [False] * 40, "heron": [i < ahead for i in range(40)]}
        a, b = sides(tasks, verdicts_of(python, "p") + verdicts_of(java, "j"))
        groups = compare(a, b, by=["language"]).groups
        metrics = [metrics["pass@1"] for metrics in groups.values()]
        assert {metric.level for metric in metrics} == {0.025}
        for metric in metrics:
            holds_zero = metric.interval.low <= 0 <= metric.interval.high
            assert holds_zero == (metric.answer == "cannot tell") == (metric.p_adjusted >= 0.05)


def test_groups_with_too_few_tasks_are_told_as_that(tmp_path: Path, store: Store) -> None:
    tasks = [make_task(str(i), tags=("open" if i < 4 else "closed",)) for i in range(40)]
    make_run(store, tasks, answers("finch", range(10)) + answers("heron", range(4, 34)))
    shown = call(tmp_path, "compare", "latest", "--by", "domain").stdout
    (line,) = [line for line in shown.splitlines() if line.strip().startswith("open")]
    assert line.rstrip().endswith("too few tasks") and "to" not in line.split()[:-3]
    page = tmp_path / "report"
    call(tmp_path, "report", "latest", "-o", str(page))
    assert "too few tasks" in (page / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(("level", "least"), [(0.05, 6), (0.025, 6), (0.01, 7)])
def test_what_is_too_few_hangs_on_the_level(level: float, least: int) -> None:
    assert too_few(least - 1, level) and not too_few(least, level)


def test_a_margin_is_drawn_on_the_side_of_the_tool_that_may_be_worse() -> None:
    points = Points(0.1, -0.02, 0.2)
    left = str(difference(Hero("old", "new", points, -0.03, ())))
    right = str(difference(Hero("new", "old", points, 0.03, ())))
    starts = [
        float(found[1])
        for drawn in (left, right)
        if (found := re.search(r'class="margin" x="([\d.]+)"', drawn))
    ]
    assert starts[0] < starts[1]
    assert all("new worse by more than 3 points" in drawn for drawn in (left, right))
