"""Every figure on the first page is the one that the command line prints."""

import csv
import io
import json
import re
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from click.testing import CliRunner

from made import make_run
from made_report import large_run
from polyassay.cli import polyassay
from polyassay.store import Store

TOOLS = ("finch", "heron")


class Report:
    """A run, asked by the command line and read from its page."""

    def __init__(self, folder: Path, tools: tuple[str, ...], unanswered: int = 0) -> None:
        self.store = f"sqlite:///{folder / 'store.sqlite'}"
        tasks, verdicts = large_run(90, tools)
        given = [v for v in verdicts if v.candidate.task not in {t.id for t in tasks[:unanswered]}]
        make_run(Store.open(self.store), tasks, given)
        self.call("report", "latest", "-o", str(folder / "site"))
        self.page = (folder / "site" / "index.html").read_text("utf-8")
        self.tasks = (folder / "site" / "tasks.js").read_text("utf-8")

    def call(self, *arguments: str) -> str:
        given = [*arguments, "--store", self.store]
        done = CliRunner().invoke(polyassay, given, catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.stdout

    def json(self, *arguments: str) -> Any:
        return json.loads(self.call(*arguments, "--json"))

    def part(self, start: str, end: str) -> str:
        """What stands between two marks of the page, as text."""
        found = self.page.split(start, 1)[1].split(end, 1)[0]
        return " ".join(unescape(re.sub(r"<[^>]*>", " ", found)).split())

    def csv(self, name: str) -> list[dict[str, str]]:
        (address,) = re.findall(
            rf'href="data:text/csv;charset=utf-8,([^"]*)" download="{name}.csv"', self.page
        )
        return list(csv.DictReader(io.StringIO(unquote(unescape(address)))))


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return Report(tmp_path_factory.mktemp("two"), TOOLS)


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return Report(tmp_path_factory.mktemp("four"), (*TOOLS, "owl", "wren"))


def percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def ends(pair: list[float]) -> str:
    return "–".join(f"{100 * end:.1f}" for end in pair)


@pytest.mark.parametrize("which", ["two", "four"])
def test_scores_are_those_of_score(which: str, request: pytest.FixtureRequest) -> None:
    report: Report = request.getfixturevalue(which)
    told = report.json("score", "latest")["tools"]
    shown = report.part('id="scores"', "</table>")
    outcomes = report.part('id="outcomes-title"', "Why candidates failed")
    summary = report.call("report", "latest", "--markdown")
    for tool, of in told.items():
        expected = [
            tool,
            *(percent(of["pass@1"]), ends(of["intervals"]["pass@1"])),
            *(percent(of["avg_pass_ratio"]), ends(of["intervals"]["avg_pass_ratio"])),
            f"{of['solved']}/{of['tasks']}",
        ]
        assert re.search(r"\s+".join(map(re.escape, expected)), shown), expected
        row = f"| {tool} | {expected[1]} ({expected[2]}) | {expected[3]} ({expected[4]}) |"
        assert row in summary
        own = outcomes.split(f" {tool} ", 1)[1]
        for outcome, count in of["outcomes"].items():
            share = percent(count / of["samples"])
            if count:
                assert f"{outcome.replace('_', ' ')} {count} ({share})" in own
    taken = {row["tool"]: row for row in report.csv("scores")}
    assert {tool: float(row["pass@1"]) for tool, row in taken.items()} == {
        tool: of["pass@1"] for tool, of in told.items()
    }


def test_the_difference_is_that_of_compare(two: Report) -> None:
    told = two.json("compare", "latest", *TOOLS)
    metric = told["metrics"]["pass@1"]
    head = two.part('<section class="answer">', "</section>")
    drawn = two.part('class="difference"', "</svg>")
    assert drawn.endswith(f"+{abs(100 * metric['difference']):.1f}")  # of whoever is ahead
    assert f"{abs(100 * metric['difference']):.1f} points" in head
    low, high = (f"{100 * metric[end]:.1f}".replace("-", "−") for end in ("low", "high"))
    assert f"{low} to {high}" in head or metric["difference"] < 0
    # The sentence is the command's own, with its beginning as a heading.
    first, *rest = told["sentence"].split(": ", 1)
    assert first in head
    for sentence in re.split(r"(?<=\.) (?=\S)", rest[0]):  # the first above the drawing
        if sentence.startswith("("):  # a command, which stands in the small print
            assert "polyassay power" in two.page and "polyassay power" not in head
        else:
            assert re.sub(r"[\s`]", "", sentence) in re.sub(r"\s", "", head)


def test_dots_are_inside_their_plot(two: Report) -> None:
    plot = re.search(r'class="above" x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"', two.page)
    assert plot
    left, top, wide, high = map(float, plot.groups())
    dots = re.findall(r'cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"><title>\d+ prompt', two.page)
    for x, y, radius in (map(float, dot) for dot in dots):
        assert left <= x - radius and x + radius <= left + wide
        assert top <= y - radius and y + radius <= top + high
    assert any(float(x) + 20.0 == left + wide for x, _, _ in dots)  # 100 % is among them


def test_the_four_fields_add_up_to_what_is_solved(two: Report) -> None:
    told = two.json("score", "latest")["tools"]
    fields = {row["solved by"]: int(row["tasks"]) for row in two.csv("head-to-head")}
    assert list(fields.values()) == [
        int(count) for count in re.findall(r'data-show="\w+">(\d+) ', two.page)
    ]
    assert fields["both"] + fields["only finch"] == told["finch"]["solved"]
    assert fields["both"] + fields["only heron"] == told["heron"]["solved"]
    assert sum(fields.values()) == told["finch"]["tasks"]
    legend = [int(count) for count in re.findall(r"(?:better|the same): (\d+)<", two.page)]
    assert sum(legend) == told["finch"]["tasks"]
    dots = [int(count) for count in re.findall(r'aria-label="([\d,]+) prompts?: ', two.page)]
    assert sum(dots) == told["finch"]["tasks"]


def test_the_list_has_the_tasks_that_are_solved(two: Report) -> None:
    told = two.json("score", "latest")["tools"]
    data = json.loads(two.tasks.removeprefix("window.POLYASSAY=").removesuffix(";\n"))
    for place, tool in enumerate(data["tools"]):
        results = [row[6][place] for row in data["rows"]]
        assert sum(result[4] > 0 for result in results) == told[tool]["solved"]
        ratios = sum(result[1] for result in results)
        assert ratios == pytest.approx(told[tool]["pass_ratio_sum"], abs=0.001 * len(results))


def test_groups_are_those_of_score_and_compare(two: Report) -> None:
    for kind in ("language", "prompt_language", "domain"):
        told = two.json("score", "latest", "--by", kind)["groups"]
        taken = [row for row in two.csv("groups") if row["by"] == kind.replace("_", " ")]
        assert {(row["group"], row["tool"]): float(row["pass@1"]) for row in taken} == {
            (row[kind], row["tool"]): row["pass@1"] for row in told
        }
        compared = two.json("compare", "latest", *TOOLS, "--by", kind)["groups"]
        differences = {row["group"]: row["difference"] for row in taken if row["difference"]}
        assert {name: float(value) for name, value in differences.items()} == {
            group[kind]: group["metrics"]["pass@1"]["difference"] for group in compared
        }


def test_failures_are_those_of_score(two: Report) -> None:
    told = two.json("score", "latest")["tools"]
    for row in two.csv("failures"):
        of = told[row["tool"]]
        assert int(row["passed"]) == of["outcomes"]["passed"]
        assert {kind: int(row[kind]) for kind in of["failures"]} == of["failures"]


def test_a_missing_answer_is_told_as_a_task_and_counted_as_an_answer(tmp_path: Path) -> None:
    half = Report(tmp_path, TOOLS, unanswered=60)
    told = "Without an answer, counted as failed: finch 60 tasks, heron 60 tasks."
    assert told in half.part('<section class="answer">', "</section>")
    assert half.page.count(told) == 2  # there, and in the summary to copy
    assert told in half.call("compare", "latest", *TOOLS)
    chart = half.part('<dl class="failures"', "</dl>")
    for tool in TOOLS:
        failed = [int(n) for n in re.findall(rf"{tool}: (\d+) \(", chart)]
        of = half.json("score", "latest")["tools"][tool]
        assert f"{tool}: 60 (" in chart
        assert sum(failed) + of["outcomes"]["passed"] == of["tasks"]
        assert of["failures"]["no answer"] == 60


def test_ranks_and_pairs_are_those_of_compare(four: Report) -> None:
    told = four.json("compare", "latest", "--all")
    ranks = {
        row["tool"]: [int(row["best rank"]), int(row["worst rank"])] for row in four.csv("ranks")
    }
    assert ranks == told["ranks"]
    head = four.part('<section class="answer">', "</section>")
    assert "Ranks" not in head and "rank lies in its range" in head and "hoose" in head
    rows = {row["tool"]: row for row in four.csv("rivals")}
    for pair in told["pairs"]:
        points = 100 * pair["metrics"]["pass@1"]["difference"]
        cells = [rows[pair["b"]].get(f"− {pair['a']}"), rows[pair["a"]].get(f"− {pair['b']}")]
        (shown,) = [cell for cell in cells if cell]
        value = float(shown.removesuffix(" *").replace("−", "-"))
        assert abs(value) == pytest.approx(abs(points), abs=0.051)
