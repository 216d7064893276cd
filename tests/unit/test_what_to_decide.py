"""What is said to whoever decides: by language, with answers missing, with too few tasks."""

import json
from pathlib import Path

import pytest

from made import make_run, make_task, make_verdict, scores_of
from measured import TOOLS, call, sides, tasks_of, verdicts_of
from polyassay.errors import PolyAssayError
from polyassay.measures.comparing.beside import Beside, beside
from polyassay.measures.comparing.many import compare_all
from polyassay.measures.comparing.margins import margin_of
from polyassay.measures.comparing.planning import needed, spread_of
from polyassay.measures.comparing.two import compare
from polyassay.measures.thresholds import parse_threshold
from polyassay.model import Language, Task, Verdict
from polyassay.report.comparing.advice import advice_of_many
from polyassay.report.hero import hero
from polyassay.store import Store
from polyassay.texts import speaking


def advice(tasks: list[Task], verdicts: list[Verdict], margin: float | None = None) -> str:
    a, b = sides(tasks, verdicts)
    found = compare(a, b)
    told = beside(a, b, found, frozenset(), "pass@1")
    return " ".join(hero(found, "pass@1", margin, told).advice)


def two_languages(java: int) -> tuple[list[Task], list[Verdict]]:
    """heron solves all of 30 Python tasks, finch none; of 30 Java tasks finch so many more."""
    tasks = tasks_of(30, name="p") + tasks_of(30, Language.JAVA, "j")
    python = {"finch": [False] * 30, "heron": [True] * 30}
    other = {"finch": [i < java for i in range(30)], "heron": [False] * 30}
    return tasks, verdicts_of(python, "p") + verdicts_of(other, "j")


def test_each_language_has_a_sentence_of_its_own(tmp_path: Path, store: Store) -> None:
    tasks, verdicts = two_languages(java=3)
    make_run(store, tasks, verdicts)
    shown = call(tmp_path, "compare", "latest").stdout
    assert "Java, 30 tasks: cannot tell which is better; finch solves 10.0 points more" in shown
    assert "Python, 30 tasks: heron is better; it solves 100.0 points more than finch" in shown
    told = json.loads(call(tmp_path, "compare", "latest", "--json").stdout)["languages"]
    by_group = json.loads(
        call(tmp_path, "compare", "latest", *TOOLS, "--by", "language", "--json").stdout
    )["groups"]
    assert [one["metrics"] for one in told] == [group["metrics"] for group in by_group]
    assert told[0]["sentence"] in call(tmp_path, "score", "latest").stdout
    summary = call(tmp_path, "report", "latest", "--markdown").stdout
    assert told[0]["sentence"] in summary
    chinese = call(tmp_path, "report", "latest", "--markdown", "--language", "zh").stdout
    assert "Java，30 个任务：无法判断哪个更好" in chinese
    widened = "97.5 %: widened, because 2 languages are told apart at once."
    assert shown.count("widened") == 1
    assert all(widened in printed for printed in (shown, call(tmp_path, "score", "latest").stdout))
    assert widened in summary
    assert "97.5%：同时分别比较 2 种语言，因此区间放宽。" in chinese


def test_the_command_that_plans_for_smaller_differences_works_as_printed(
    tmp_path: Path, store: Store
) -> None:
    tasks = tasks_of(30)
    halves = {"finch": [i % 2 == 0 for i in range(30)], "heron": [i % 3 == 0 for i in range(30)]}
    run = make_run(store, tasks, verdicts_of(halves))
    shown = " ".join(call(tmp_path, "compare", run.id).stdout.split())
    assert f"(`polyassay power --difference 5 --from {run.id}` says what smaller ones" in shown


def test_one_language_needs_no_sentence() -> None:
    a, b = sides(tasks_of(8), verdicts_of({"finch": [False] * 8, "heron": [True] * 8}))
    assert beside(a, b, compare(a, b), frozenset(), "pass@1") == Beside()


def test_the_advice_follows_the_languages() -> None:
    assert advice(*two_languages(java=3)) == (
        "Choose heron, unless its price or its speed speaks against it. "
        "For Java alone it cannot be told."
    )
    assert advice(*two_languages(java=30)) == "For Java choose finch. For Python choose heron."


def test_missing_answers_that_could_turn_it_are_the_advice() -> None:
    tasks = tasks_of(40)
    solved: dict[str, list[bool | None]] = {"finch": [None] * 20 + [False] * 20}
    solved["heron"] = [*[True] * 20, *[False] * 20]
    told = advice(tasks, verdicts_of(solved))
    assert told.startswith(
        "Missing answers could turn this: get them before you choose, or compare"
    )
    assert "on the 20 tasks that both answered, with `--answered-only`." in told
    with speaking("zh"):
        assert "缺失的答案可能改变结论" in advice(tasks, verdicts_of(solved))
    # The better one's own missing answers could only make it better, and one more is too little.
    solved["finch"] = [None] + [False] * 39
    assert advice(tasks, verdicts_of(solved)).startswith("Choose heron")
    solved = {"finch": [False] * 40, "heron": [True] * 20 + [None] * 20}
    assert advice(tasks, verdicts_of(solved)).startswith("Choose heron")


def test_nobody_is_called_better_whom_missing_answers_could_turn(
    tmp_path: Path, store: Store
) -> None:
    solved: dict[str, list[bool | None]] = {"finch": [None] * 20 + [False] * 20}
    solved["heron"] = [*[True] * 20, *[False] * 20]
    make_run(store, tasks_of(40), verdicts_of(solved))
    wanted = "heron is ahead, but answers are missing"
    for command in (("score",), ("compare",), ("compare", "--json"), ("report", "--markdown")):
        shown = call(tmp_path, command[0], "latest", *command[1:]).stdout
        assert wanted in shown and "heron is better" not in shown
    gate = call(tmp_path, "compare", "latest", "finch", "heron", "--fail-if-cannot-tell")
    assert gate.exit_code == 0
    assert gate.stderr == "Passes, though answers that are missing could turn this.\n"


def test_a_run_as_it_is_stored_is_told_without_what_was_not_answered(
    tmp_path: Path, store: Store
) -> None:
    solved: dict[str, list[bool | None]] = {"finch": [None] * 20 + [True] * 20}
    solved["heron"] = [False] * 10 + [None] * 10 + [True] * 20
    make_run(store, tasks_of(40), verdicts_of(solved))
    remark = "Left out: 20 tasks that some tool has not answered (`--answered-only`)."
    for command in (("score", "latest"), ("compare", "latest"), ("report", "latest", "--markdown")):
        shown = call(tmp_path, *command, "--answered-only").stdout
        assert remark in shown and "counted as failed:" not in shown
        assert remark not in call(tmp_path, *command).stdout
    told = json.loads(call(tmp_path, "score", "latest", "--answered-only", "--json").stdout)
    assert [(of["tasks"], of["pass@1"]) for of in told["tools"].values()] == [(20, 1.0)] * 2


def test_nothing_may_be_answered_by_all(tmp_path: Path, store: Store) -> None:
    make_run(store, tasks_of(2), verdicts_of({"finch": [True, None], "heron": [None, True]}))
    with pytest.raises(PolyAssayError, match="No task of run"):
        call(tmp_path, "score", "latest", "--answered-only")


def test_price_decides_only_where_what_matters_is_ruled_out() -> None:
    few = {"finch": [False] * 6, "heron": [True] * 4 + [False] * 2}
    told = advice(tasks_of(6), verdicts_of(few))
    assert told.startswith("Too few tasks were run to choose by: heron may be 100.0 points better")
    assert "To show a difference of 10 points takes about " in told and ", one of 5 points" in told
    assert "price" not in told
    same = {"finch": [True] * 400, "heron": [True] * 400}
    told = advice(tasks_of(400), verdicts_of(same))
    assert told == "Choose on price or speed: a difference of 5 points would have shown."


@pytest.mark.parametrize(
    ("heron", "tasks", "told"),
    [
        (28, 40, "Too few tasks were run to choose among finch, heron: one may be "),
        (30, 40, "Choose heron, unless its price"),
    ],
)
def test_many_tools_have_advice(heron: int, tasks: int, told: str) -> None:
    solved = {"crow": 2, "finch": 28 if heron == 28 else 8, "heron": heron}
    shown = {tool: [i < count for i in range(tasks)] for tool, count in solved.items()}
    scores = scores_of(verdicts_of(shown), tasks_of(tasks))
    assert advice_of_many(compare_all(scores)).startswith(told)


def test_price_decides_among_many_where_what_matters_is_ruled_out() -> None:
    shown = {tool: [i < 300 for i in range(600)] for tool in ("crow", "finch", "heron")}
    told = advice_of_many(compare_all(scores_of(verdicts_of(shown), tasks_of(600))))
    assert told == (
        "Choose among crow, finch, heron on price or speed: a difference of 5 points would have "
        "shown."
    )


def test_a_margin_says_what_matters() -> None:
    few = {"finch": [False] * 6, "heron": [True] * 4 + [False] * 2}
    told = advice(tasks_of(6), verdicts_of(few), margin=20)
    assert "To show a difference of 20 points takes about " in told and "10 points" not in told


def test_compare_and_power_say_one_figure() -> None:
    """Whatever is unanswered, in however large clusters, with one sample or several."""
    for size, samples in ((1, 1), (4, 1), (1, 3)):
        tasks = [make_task(str(i), cluster=str(i // size)) for i in range(48)]
        verdicts = [
            make_verdict(str(i), 2 * ((i * (n + 3)) % 7 < 2 + 2 * place), tool=tool, sample=n)
            for place, tool in enumerate(TOOLS)
            for i in range(48)
            for n in range(samples)
            if (i + place) % 5
        ]
        a, b = sides(tasks, verdicts)
        told = needed(compare(a, b).metrics["pass@1"])
        spread = spread_of(dict([a, b]))
        for points, many in told.items():
            assert spread.tasks(points / 100, samples, 0.8) == pytest.approx(many, abs=1)


def test_power_plans_with_the_tasks_of_all_suites(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    both = ("--suite", "starter-python", "--suite", "starter-notebooks")
    alone = [
        json.loads(call(tmp_path, "power", *part, "--difference", "5", "--json").stdout)["tasks"]
        for part in (both[:2], both[2:], both)
    ]
    assert alone[2] == alone[0] + alone[1]


def test_units_are_said_or_asked_for() -> None:
    assert parse_threshold("pass@1=45%").value == parse_threshold("pass@1=0.45").value == 0.45
    for text in ("pass@1=45", "mean_cost=5%"):
        with pytest.raises(PolyAssayError):
            parse_threshold(text)
    a, b = sides(tasks_of(8), verdicts_of({"finch": [False] * 8, "heron": [True] * 8}))
    metric = compare(a, b).metrics["pass@1"]
    assert margin_of(metric, 3) is not None
    with pytest.raises(PolyAssayError, match="points is less than") as error:
        margin_of(metric, 0.03)
    assert "3 where you mean a share of 0.03" in error.value.hint


def test_missing_answers_are_an_outcome_and_a_cause(tmp_path: Path, store: Store) -> None:
    solved: dict[str, list[bool | None]] = {"finch": [True] * 10 + [None] * 30}
    solved["heron"] = [*[True] * 20, *[False] * 20]
    make_run(store, tasks_of(40), verdicts_of(solved))
    call(tmp_path, "report", "latest", "-o", str(tmp_path / "site"))
    page = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert "passed 10 (25.0 %)" in page and "no answer 30 (75.0 %)" in page
    assert "finch: 30 (75.0 %), no answer" in page


def test_two_tools_of_a_run_need_no_names(tmp_path: Path, two_tools: str) -> None:
    assert "heron is better" in call(tmp_path, "compare", "latest").stdout
    result = call(tmp_path, "compare", "latest", "finch", "finch")
    assert result.exit_code == 2 and "add --with RUN" in result.stderr
    with pytest.raises(PolyAssayError) as error:
        call(tmp_path, "compare", "latest", "finch", "herron")
    assert 'did you mean "heron"?' in error.value.hint


def test_a_file_is_no_run(tmp_path: Path, two_tools: str) -> None:
    answers = tmp_path / "a.jsonl"
    answers.write_text("{}")
    with pytest.raises(PolyAssayError) as error:
        call(tmp_path, "compare", str(answers), "b.jsonl")
    assert "judge it first" in error.value.hint
