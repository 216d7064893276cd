"""Figures of boards and gaps, recomputed by hand from `verdicts --json`; and how they are told."""

import csv
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from math import comb
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from click.testing import CliRunner, Result

from made import make_run, make_task, make_verdict
from polyassay.cli import polyassay
from polyassay.errors import PolyAssayError
from polyassay.model import Language, Verdict
from polyassay.store import Store

Call = Callable[..., Result]
LANGUAGES = {"en": "…", "es": "…", "zh": "…"}
PYTHON = [
    make_task(f"p{i}", suite="pads", prompts=LANGUAGES if i < 2 else {"en": "…"}) for i in range(6)
]
JAVA = [
    make_task(f"j{i}", suite="jars", language=Language.JAVA, prompts={"en": "…", "zh": "…"})
    for i in range(4)
]
LONG = "a-tool-of-" + "very-" * 26 + "long-name-v2"


def verdicts_of(tool: str, seed: int, samples: int = 3) -> list[Verdict]:
    """Of Python so many samples, of Java one; which pass depends on the seed."""
    found = []
    for task in [*PYTHON, *JAVA]:
        for n, language in enumerate(task.prompts):
            for sample in range(samples if task in PYTHON else 1):
                passes = (seed * (ord(task.id[1]) + 3 * n + 5 * sample)) % 7 < 4
                given: dict[str, Any] = {
                    "suite": task.suite,
                    "prompt_language": language,
                    "sample": sample,
                }
                found.append(make_verdict(task.id, 2 * passes, tool=tool, **given))
    return found


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store_url: str) -> Call:
    monkeypatch.chdir(tmp_path)

    def called(*arguments: str, columns: int = 200) -> Result:
        env = {"COLUMNS": str(columns)}
        result = CliRunner().invoke(polyassay, [*arguments, "--store", store_url], env=env)
        if isinstance(result.exception, PolyAssayError):
            raise result.exception
        return result

    return called


@pytest.fixture
def runs(store: Store) -> dict[str, str]:
    """One a tool; kestrel was asked in English only, and left two tasks out."""
    tasks = [*PYTHON, *JAVA]
    made = {tool: verdicts_of(tool, seed) for tool, seed in (("finch", 2), ("heron", 3))}
    made["kestrel"] = [
        verdict
        for verdict in verdicts_of("kestrel", 5)
        if verdict.candidate.prompt_language == "en" and verdict.candidate.task not in ("p4", "p5")
    ]
    return {tool: make_run(store, tasks, verdicts).id for tool, verdicts in made.items()}


Units = dict[tuple[str, str, str], list[bool]]


def by_hand(call: Call, run: str) -> Units:
    """(suite, task, prompt language) → whether each sample passed."""
    found: Units = defaultdict(list)
    for line in call("verdicts", run, "--json").stdout.splitlines():
        one = json.loads(line)
        found[one["suite"], one["task"], one["prompt_language"]].append(one["outcome"] == "passed")
    return found


def mean(units: Iterable[list[bool]], k: int = 1) -> float:
    return fmean(1 - comb(len(u) - sum(u), k) / comb(len(u), k) for u in units)


def boards(call: Call, *arguments: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(call("leaderboard", *arguments, "--json").stdout)[
        "boards"
    ]
    return found


def test_gaps_between_languages_count_a_task_in_each_prompt_language(
    call: Call, runs: dict[str, str]
) -> None:
    units = by_hand(call, runs["finch"])
    suites = {suite: mean(u for key, u in units.items() if key[0] == suite) for suite in
              ("jars", "pads")}  # fmt: skip
    rows = json.loads(call("score", runs["finch"], "--gaps", "--format", "json").stdout)
    (gap,) = (row for row in rows if row["by"] == "language")
    values = {gap["first"]: gap["pass@1"], gap["second"]: gap["pass@1 of second"]}
    assert values == {
        "java": pytest.approx(suites["jars"]),
        "python": pytest.approx(suites["pads"]),
    }
    assert gap["tasks"] in ("4 and 6 others", "6 and 4 others")
    grouped = json.loads(call("score", runs["finch"], "--by", "language", "--json").stdout)
    assert {one["language"]: one["pass@1"] for one in grouped["groups"]} == pytest.approx(values)


@pytest.mark.parametrize(("measure", "k"), [("pass@1", 1), ("pass@3", 3)])
def test_a_board_has_gaps_of_its_measure_on_the_tasks_that_both_languages_have(
    call: Call, runs: dict[str, str], measure: str, k: int
) -> None:
    (board,) = (one for one in boards(call, "--k", str(k)) if len(one["prompt_languages"]) == 3)
    for tool in board["tools"]:
        units = {key: u for key, u in by_hand(call, tool["run"]).items() if key[0] == "pads"}
        assert tool[measure] == pytest.approx(mean(units.values(), k))
        for gap in tool["gaps"]:
            shared = [task for _, task, name in units if name == gap["first"]]
            first, second = (
                mean((units["pads", task, name] for task in shared), k)
                for name in (gap["first"], gap["second"])
            )
            assert (gap["measure"], gap["paired"], gap["tasks"]) == (measure, True, [2, 2])
            assert gap["values"] == [pytest.approx(first), pytest.approx(second)]
            assert gap["difference"] == pytest.approx(first - second)
    assert "es − en" in call("leaderboard", "--k", str(k)).stdout
    assert f"{measure} gap" in call("leaderboard", "--k", str(k)).stdout


def test_gaps_of_another_measure_are_of_that_measure(call: Call, runs: dict[str, str]) -> None:
    rows = json.loads(
        call(
            *("score", runs["finch"], "--gaps", "--format", "json", "--measure", "avg_pass_ratio")
        ).stdout
    )
    assert all("AvgPassRatio" in row and "pass@1" not in row for row in rows)


def test_one_prompt_language_brings_tools_together(call: Call, runs: dict[str, str]) -> None:
    found = {one["suite"]: one for one in boards(call, "--prompt-language", "en")}
    assert set(found) == {"pads", "jars"}
    for suite, board in found.items():
        assert {tool["tool"] for tool in board["tools"]} == {"finch", "heron", "kestrel"}
        assert board["prompt_language"] == "en"
        for tool in board["tools"]:
            units = {
                key: u
                for key, u in by_hand(call, tool["run"]).items()
                if key[0] == suite and key[2] == "en"
            }
            answered = board["asked"] - tool["unanswered"]
            assert len(units) == answered
            assert tool["pass@1"] == pytest.approx(mean(units.values()) * answered / board["asked"])
    shown = call("leaderboard", "--prompt-language", "en").stdout
    assert "only prompts in en count" in shown
    with pytest.raises(PolyAssayError, match="Not asked in fr: kestrel of"):
        call("leaderboard", "--prompt-language", "fr")


def test_what_has_no_answer_is_on_terminal_page_and_csv(call: Call, runs: dict[str, str]) -> None:
    shown = call("leaderboard", runs["kestrel"], "-o", "board").stdout
    assert "Without an answer, counted as failed: kestrel 2 tasks." in shown
    assert "Samples of a task: kestrel 3." in shown
    page = Path("board/index.html").read_text()
    assert "Without an answer, counted as failed: kestrel 2 tasks." in page
    assert ">4/6<" in page
    rows = [row for path in Path("board").glob("*.csv") for row in csv.DictReader(path.open())]
    told = [(row["answered"], row["answered of"], row["samples"]) for row in rows]
    assert ("4", "6", "3") in told


def test_prompts_are_told_from_tasks(call: Call, runs: dict[str, str]) -> None:
    shown = call("leaderboard").stdout
    assert "asked 10 prompts of 6 tasks in en, es, zh" in shown
    assert "Ranked on 10 prompts of 6 tasks that count for all of them." in shown
    told = call("compare", runs["finch"], "finch", "heron", "--with", runs["heron"]).stdout
    assert "18 prompts of 10 tasks" in told


def test_nothing_is_shown_as_minus_zero(call: Call, store: Store) -> None:
    verdicts = [v for tool in ("finch", "heron", "kite") for v in verdicts_of(tool, 2)]
    run = make_run(store, [*PYTHON, *JAVA], verdicts).id
    shown = [call("leaderboard", "-o", "board", "--pairs").stdout]
    shown += [call("compare", run, "--all").stdout, call("score", run, "--gaps").stdout]
    shown += [path.read_text() for path in Path("board").glob("*.*") if path.suffix != ".js"]
    for text in shown:
        assert not re.search(r"[-−+]0\.0+(?![0-9])", text)


def test_rank_and_tool_are_whole_at_80_columns(call: Call, store: Store) -> None:
    verdicts = [*verdicts_of(LONG, 2), *verdicts_of("heron", 3)]
    run = make_run(store, [*PYTHON, *JAVA], verdicts).id
    for command in (("leaderboard", "--pairs"), ("leaderboard", "--k", "3")):
        lines = call(*command, columns=80).stdout.splitlines()
        rows = [line.rstrip() for line in lines if re.match(r" [12](–2)?   ", line)]
        assert rows and all(line.endswith(run) for line in rows)
        assert {line.split()[1] for line in rows} == {"heron", *{
            line.split()[1] for line in rows if "…" in line.split()[1]}}  # fmt: skip
        assert all(len(line) <= 80 for line in rows)
        assert any(re.search(r" a-too\S*…\S*me-v2 ", line) for line in rows)


def test_pairs_have_ranges_on_terminal_page_and_in_json(call: Call, runs: dict[str, str]) -> None:
    shown = call("leaderboard", "--prompt-language", "en", "--pairs", "-o", "board").stdout
    value = json.loads(Path("board/boards.json").read_text())["boards"]
    page = Path("board/index.html").read_text()
    for board in value:
        ranked = {tool["tool"]: tool["pass@1"] for tool in board["tools"]}
        assert len(board["pairs"]) == 3
        for pair in board["pairs"]:
            assert pair["difference"] == pytest.approx(ranked[pair["a"]] - ranked[pair["b"]])
            assert pair["low"] <= pair["difference"] <= pair["high"]
            assert re.search(rf"{pair['a']} +{pair['b']} +\S+  \S+ to \S+ .*cannot tell", shown)
    assert page.count("Which tools can be told apart") == 3  # over both suites, too


def test_a_tool_has_one_colour_and_none_has_anothers(call: Call, store: Store) -> None:
    names = [f"tool{i}" for i in range(9)]
    for n, own in enumerate((names, names[::-1][:4])):
        for _ in range(2):  # so that there is a history
            verdicts = [v for i, tool in enumerate(own) for v in verdicts_of(tool, i + n)]
            make_run(store, [*PYTHON, *JAVA], [v for v in verdicts if n or v.candidate.sample == 0])
    call("leaderboard", "-o", "board")
    page = Path("board/index.html").read_text()
    colours = defaultdict(set)
    for colour, tool in re.findall(r'<i class="key (\w+)"></i>(\w+)<', page):
        colours[tool].add(colour)
    assert set(colours) == set(names)
    assert all(len(found) == 1 for found in colours.values())
    shown = [found.pop() for found in colours.values()]
    assert sorted(shown) == [*["many"] * 3, *(f"t{i}" for i in range(6))]
    assert 'class="start name many"' in page  # lines without a colour have names beside them


def test_a_history_stands_with_its_board_and_needs_two_runs_of_a_tool(
    call: Call, store: Store
) -> None:
    for tool in ("finch", "heron"):
        make_run(store, PYTHON, [v for v in verdicts_of(tool, 2) if v.candidate.suite == "pads"])
    call("leaderboard", "-o", "board")
    assert "History" not in Path("board/index.html").read_text()
    newer = [v for v in verdicts_of("finch", 3) if v.candidate.suite == "pads"]
    newest = make_run(store, PYTHON, newer)
    (left_out,) = json.loads(call("leaderboard", "--json").stdout)["left_out"]
    assert left_out.startswith(f"Ranked by the newer run {newest.id}: finch of ")
    call("runs", "label", "latest", "newest")
    assert re.search(r"finch .* newest *$", call("leaderboard", "-o", "board").stdout, re.MULTILINE)
    page = Path("board/index.html").read_text()
    assert page.count('<h3 id="history-title">History</h3>') == page.count('class="trend"') == 1
    chart = page[page.index('class="trend"') :]
    dots = re.findall(r'<circle cx="([\d.]+)"', chart[: chart.index("</svg>")])
    names = re.findall(r'<text x="([\d.]+)" y="264"', chart[: chart.index("</svg>")])
    assert sorted(set(dots)) == sorted(set(names))  # each run has one tool: its dot is above it


def test_headings_tell_boards_apart_in_few_words(call: Call, runs: dict[str, str]) -> None:
    call("leaderboard", "-o", "board")
    page = Path("board/index.html").read_text()
    titles = re.findall(r'<h2 id="[\w-]+-[0-9a-f]{8}-title">([^<]*)</h2>', page)
    each = ["jars · en, zh", "jars · en", "pads · en, es, zh", "pads · en"]
    assert titles == ["All suites: jars, pads", *each]


def test_scores_show_pass_at_k_where_there_are_enough_samples(call: Call, store: Store) -> None:
    verdicts = [*verdicts_of("finch", 2), *verdicts_of("reference", 3, samples=1)]
    run = make_run(store, [*PYTHON, *JAVA], verdicts).id
    with pytest.raises(PolyAssayError, match="which no tool has on all suites") as refused:
        call("score", run, "--k", "1,3")
    assert "--by suite" in refused.value.hint
    groups = json.loads(call("score", run, "--k", "1,3", "--by", "suite", "--json").stdout)[
        "groups"
    ]
    assert {(g["tool"], g["suite"]): g["pass@3"] is None for g in groups} == {
        ("finch", "pads"): False,
        ("finch", "jars"): True,
        ("reference", "pads"): True,
        ("reference", "jars"): True,
    }
    shown = call("score", run, "--k", "1,3", "--by", "suite").stdout
    assert "pass@3 needs 3 samples of every task, and these gave fewer of some" in shown
    with pytest.raises(PolyAssayError, match="pass@9 needs 9 samples of every task"):
        call("score", run, "--k", "9", "--by", "suite")


def test_why_nothing_can_be_ranked_is_told_in_few_words(call: Call, store: Store) -> None:
    with pytest.raises(PolyAssayError) as empty:
        call("leaderboard")
    assert "--k" not in empty.value.hint
    for tool in "abcdefgh":
        make_run(store, [*PYTHON, *JAVA], verdicts_of(tool, 2))
    with pytest.raises(PolyAssayError) as refused:
        call("leaderboard", "--k", "9")
    assert refused.value.problem.count(". ") == 2  # one sentence a number of samples
    assert "smaller --k" in refused.value.hint
