"""`compare` and `leaderboard` on runs made by hand."""

import json
from pathlib import Path

import pytest

from made import make_run, make_task, make_verdict
from measured import TASKS, answers, call
from polyassay.errors import PolyAssayError
from polyassay.store import Store


def test_compare_keeps_its_contract(tmp_path: Path, two_tools: str) -> None:
    shown = call(tmp_path, "compare", "latest", "finch", "heron", "--by", "domain", "--json")
    value = json.loads(shown.stdout)
    assert (value["a"], value["b"], value["tasks"]) == ("finch", "heron", 40)
    metric = value["metrics"]["pass@1"]
    assert (metric["a"], metric["b"], metric["difference"]) == (0.25, 0.75, 0.5)
    assert metric["low"] < 0.5 < metric["high"]
    assert metric["p"] == metric["p_adjusted"] < 0.001
    assert metric["answer"] == value["metrics"]["avg_pass_ratio"]["answer"] == "better"
    assert value["detectable"] > 0
    assert "tasks_needed" not in value
    assert value["needed"]["10"] < value["needed"]["5"] < value["needed"]["2"]
    assert len(value["deciding"]) == 20
    assert [group["domain"] for group in value["groups"]] == ["closed", "open"]


@pytest.mark.parametrize(
    ("sides", "flag", "code"),
    [
        (("finch", "heron"), "--fail-if-worse", 0),
        (("heron", "finch"), "--fail-if-worse", 100),
        (("finch", "heron"), "--fail-under=pass@1=0.95", 100),
        (("finch", "heron"), "--fail-under=pass@1=0.8", 0),  # 0.75, but it may be 0.8
        (("finch", "heron"), "--margin=3", 0),
        (("heron", "finch"), "--margin=3", 100),
        (("heron", "finch"), "--fail-if-cannot-tell", 0),
    ],
)
def test_compare_for_ci(
    tmp_path: Path, two_tools: str, sides: tuple[str, str], flag: str, code: int
) -> None:
    shown = call(tmp_path, "compare", "latest", *sides, flag)
    assert shown.exit_code == code
    assert "heron is better" in shown.stdout


def test_compare_says_once_why_it_fails(tmp_path: Path, two_tools: str) -> None:
    flags = ("--margin", "3", "--fail-if-worse")
    shown = call(tmp_path, "compare", "latest", "heron", "finch", *flags)
    assert shown.stderr == "Fails: finch is worse than heron by more than the margin.\n"


def test_who_passes_unsurely_is_told(tmp_path: Path, store: Store) -> None:
    few = make_run(store, TASKS[:8], [*answers("finch", range(4))[:8], *answers("heron")[:8]]).id
    sides = ("compare", few, "finch", "heron")
    for flags in (["--margin", "5"], ["--fail-if-worse"], ["--margin", "5", "--fail-if-worse"]):
        shown = call(tmp_path, *sides, *flags)
        assert shown.exit_code == 0
        assert shown.stderr == (
            "Passes, though it could not be told; --fail-if-cannot-tell would fail.\n"
        )
        shown = call(tmp_path, *sides, *flags, "--fail-if-cannot-tell")
        assert shown.exit_code == 100 and "Passes" not in shown.stderr
    assert call(tmp_path, *sides).stderr == ""  # nothing was asked for that it could pass


def test_who_passes_surely_or_fails_is_not_told_so(tmp_path: Path, two_tools: str) -> None:
    for sides in (("finch", "heron"), ("heron", "finch")):
        shown = call(tmp_path, "compare", "latest", *sides, "--margin", "3", "--fail-if-worse")
        assert "Passes" not in shown.stderr


@pytest.mark.parametrize("written", ["pass1", "pass_1", "passat1", "pass@01"])
def test_a_measure_that_is_nearly_pass_at_1_is_told_so(
    tmp_path: Path, two_tools: str, written: str
) -> None:
    with pytest.raises(PolyAssayError) as refusal:
        call(tmp_path, "score", two_tools, "--fail-under", f"{written}=90%")
    assert (refusal.value.hint or "").startswith('did you mean "pass@1"?')


def test_compare_names_the_tasks_that_decide(tmp_path: Path, two_tools: str) -> None:
    shown = call(tmp_path, "compare", "latest", "finch", "heron", "--by", "domain").stdout
    assert "heron has the higher pass@1 on 20 tasks: 10, 11, 12," in shown


def test_compare_across_runs_refuses_other_limits_and_other_judging(
    tmp_path: Path, store: Store
) -> None:
    first = make_run(store, TASKS, answers("heron", range(10))).id
    alike = make_run(store, TASKS, answers("heron", range(30))).id
    other = make_run(store, TASKS, answers("heron", range(30)), timeout=1.0).id
    shown = call(tmp_path, "compare", first, "heron", "heron", "--with", alike, "--json")
    assert json.loads(shown.stdout)["runs"] == [first, alike]
    with pytest.raises(PolyAssayError, match="1 s a test"):
        call(tmp_path, "compare", first, "heron", "heron", "--with", other)
    together = make_run(store, TASKS, answers("heron", range(30)), judging="together").id
    with pytest.raises(PolyAssayError, match="judging together throughout"):
        call(tmp_path, "compare", first, "heron", "heron", "--with", together)


def test_compare_names_the_tools_there_are(tmp_path: Path, two_tools: str) -> None:
    with pytest.raises(PolyAssayError, match='no tool "crow"') as refusal:
        call(tmp_path, "compare", "latest", "finch", "crow")
    assert refusal.value.hint == "It has finch, heron."


def test_leaderboard_keeps_unlike_runs_apart(tmp_path: Path, store: Store) -> None:
    make_run(store, TASKS, answers("finch", range(5)))
    make_run(store, TASKS, answers("heron", range(30)))
    make_run(store, TASKS, answers("heron", range(40)), timeout=1.0)
    changed = [make_task(str(i), tests=2, reference="other") for i in range(40)]
    make_run(store, changed, answers("crow", range(20)))
    make_run(store, TASKS, answers("jay", range(40)), judging="together")
    boards = json.loads(call(tmp_path, "leaderboard", "--json").stdout)["boards"]
    ranks = [[(t["tool"], t["rank"]) for t in board["tools"]] for board in boards]
    assert sorted(ranks) == [
        [("crow", [1, 1])],
        [("heron", [1, 1])],
        [("heron", [1, 1]), ("finch", [2, 2])],
        [("jay", [1, 1])],
    ]
    shown = call(tmp_path, "leaderboard").stdout
    assert "1 s a test" in shown and "judging together throughout" in shown
    assert "judged apart" not in shown  # nobody has to be warned
    assert "not comparable with the other boards of this suite" in shown


def test_second_tries_are_never_ranked_or_pooled_with_single_ones(
    tmp_path: Path, store: Store
) -> None:
    tools = {
        "o1": range(5),
        "o1[tries:2]": range(20),
        "gpt": range(9),
        "gpt[effort:low,tries:2]": (),
    }
    for tool, passing in tools.items():
        make_run(store, TASKS, answers(tool, passing))
    verdicts = [verdict for tool, passing in tools.items() for verdict in answers(tool, passing)]
    run = make_run(store, TASKS, verdicts).id
    boards = json.loads(call(tmp_path, "leaderboard", "--json").stdout)["boards"]
    ranked = {board["tries"]: {t["tool"]: t["pass@1"] for t in board["tools"]} for board in boards}
    assert ranked == {
        "one try": {"gpt": 0.225, "o1": 0.125},
        "2 tries, with the tests' output": {"o1[tries:2]": 0.5, "gpt[effort:low,tries:2]": 0},
    }
    assert "2 tries, with the tests' output" in call(tmp_path, "leaderboard").stdout
    shown = call(tmp_path, "compare", run, "o1", "o1[tries:2]").stdout
    assert "o1 had one try; o1[tries:2] had 2 tries" in shown
    assert "Not the same protocol" in call(tmp_path, "compare", run, "--all").stdout
    assert "o1 had one try; o1[tries:2] had 2 tries" in call(tmp_path, "score", run).stdout
    assert "Not the same protocol" not in call(tmp_path, "compare", run, "o1", "gpt").stdout


def test_leaderboard_takes_the_newest_run_of_a_tool(tmp_path: Path, store: Store) -> None:
    make_run(store, TASKS, answers("heron", range(5)))
    newer = make_run(store, TASKS, answers("heron", range(30))).id
    (board,) = json.loads(call(tmp_path, "leaderboard", "--json").stdout)["boards"]
    assert board["tools"][0]["run"] == newer


def test_compare_names_the_suite_of_every_task_where_the_run_has_several(
    tmp_path: Path, store: Store
) -> None:
    tasks = [make_task("0", suite="one"), make_task("1", suite="one"), make_task("0", suite="two")]
    passed = {("one", "0"): (2, 0), ("one", "1"): (0, 2), ("two", "0"): (0, 2)}
    verdicts = [
        make_verdict(task, solved, tool=tool, suite=suite)
        for (suite, task), both in passed.items()
        for tool, solved in zip(("finch", "heron"), both, strict=True)
    ]
    make_run(store, tasks, verdicts)
    shown = call(tmp_path, "compare", "latest", "finch", "heron").stdout
    assert "finch has the higher pass@1 on 1 task: one 0\n" in shown
    assert "heron has the higher pass@1 on 2 tasks: one 1, two 0\n" in shown


def three_tools(store: Store) -> None:
    tools = answers("crow", range(5)), answers("finch", range(28)), answers("heron", range(30))
    make_run(store, TASKS, [verdict for of in tools for verdict in of])


def test_compare_all_keeps_its_contract(tmp_path: Path, store: Store) -> None:
    three_tools(store)
    value = json.loads(call(tmp_path, "compare", "latest", "--all", "--json").stdout)
    assert [(pair["a"], pair["b"]) for pair in value["pairs"]] == [
        ("crow", "finch"),
        ("crow", "heron"),
        ("finch", "heron"),
    ]
    assert value["ranks"] == {"heron": [1, 2], "finch": [1, 2], "crow": [3, 3]}
    metric = value["pairs"][0]["metrics"]["pass@1"]
    assert metric["p"] < metric["p_adjusted"] < 0.05
    assert metric["low"] > 0  # of the level at which Holm tested it
    assert value["pairs"][2]["metrics"]["pass@1"]["answer"] == "cannot tell"
    named = json.loads(
        call(tmp_path, "compare", "latest", "crow", "heron", "finch", "--json").stdout
    )
    assert named["ranks"] == value["ranks"]


def test_compare_all_shows_ranks_and_who_is_ahead_of_whom(tmp_path: Path, store: Store) -> None:
    three_tools(store)
    shown = call(tmp_path, "compare", "latest", "--all").stdout
    assert "1–2" in shown and "3 pairs tested together (Holm)" in shown
    told = [line.split() for line in shown.splitlines() if "heron   crow" in line]
    assert told[0][2] == "+62.5" and told[0][4] == "to" and told[0][-1] == "better"
    assert "heron   finch     +5.0  −" in shown  # with its range
    gate = call(tmp_path, "compare", "latest", "--all", "--fail-if-cannot-tell")
    assert gate.exit_code == 100
    usage = call(tmp_path, "compare", "latest", "--all", "--margin", "3")
    assert usage.exit_code == 2 and "are for two tools" in usage.stderr


def test_compare_all_says_how_many_tasks_all_were_asked(tmp_path: Path, store: Store) -> None:
    """Of two suites, one was put to two of the three tools only."""
    more = [make_task(f"more {n}", suite="more") for n in range(3)]
    all_asked = (
        answers("crow", range(5)) + answers("finch", range(28)) + answers("heron", range(30))
    )
    some_asked = [
        make_verdict(task.id, 2, tool=tool, suite="more")
        for tool in ("finch", "heron")
        for task in more
    ]
    make_run(store, [*TASKS, *more], [*all_asked, *some_asked])
    shown = " ".join(call(tmp_path, "compare", "latest", "--all").stdout.split())
    assert "Compared on 40 tasks that all of them have, of 43." in shown


def test_a_task_that_the_other_has_not_answered_is_marked(tmp_path: Path, store: Store) -> None:
    made = [verdict for verdict in answers("finch", range(10)) if verdict.candidate.task != "12"]
    make_run(store, TASKS, made + answers("heron", range(30)))
    shown = call(tmp_path, "compare", "latest", "heron", "finch", "--all-tasks").stdout
    (line,) = [line for line in shown.splitlines() if "has the higher pass@1" in line]
    assert line.count("no answer") == 1
    assert " 12 (finch: no answer)" in line


def test_a_comparison_needs_two_tools(tmp_path: Path, two_tools: str) -> None:
    with pytest.raises(PolyAssayError, match="needs two tools, and 1 is named") as refusal:
        call(tmp_path, "compare", "latest", "finch")
    assert "has finch, heron" in refusal.value.hint


def test_the_margin_has_its_own_answer(tmp_path: Path, two_tools: str) -> None:
    args = ("compare", "latest", "heron", "finch", "--margin", "3", "--bayes", "--json")
    value = json.loads(call(tmp_path, *args).stdout)
    assert value["margin"]["points"] == 3.0
    assert value["margin"]["answer"] == "worse"
    assert value["bayes"]["better"] < value["bayes"]["not_worse"] < 0.01
    assert value["bayes"]["sentence"].startswith("As probabilities (if tools usually differ by")
    far = json.loads(
        call(tmp_path, "compare", "latest", "heron", "finch", "--margin", "90", "--json").stdout
    )
    assert far["margin"]["answer"] == "not worse"
