"""`report --measure`: any row of the measure table decides, and the columns are the table's."""

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

from made import make_run, make_task, make_verdict
from polyassay.cli import polyassay
from polyassay.model import Language, Outcome, Style
from polyassay.store import Store

CELLS = 24


@pytest.fixture(scope="module")
def cells(tmp_path_factory: pytest.TempPathFactory) -> str:
    """heron has the right output in every cell, finch in half of them; a price is known of both."""
    folder = tmp_path_factory.mktemp("cells")
    url = f"sqlite:///{folder / 'store.sqlite'}"
    tasks, verdicts = [], []
    for i in range(CELLS):
        tasks.append(make_task(f"{i}", 1, language=Language.PYTHON, style=Style.CELL))
        for tool, right in (("finch", i % 2 == 0), ("heron", True)):
            measures = {"output_em": float(right), "f1": 1.0 if right else 0.5, "ran": 1.0}
            verdict = make_verdict(f"{i}", int(right), 1, tool=tool, measures=measures)
            verdicts.append(verdict)
    make_run(Store.open(url), tasks, verdicts, costs={"finch": 0.01, "heron": 0.03})
    return url


def call(store: str, *arguments: str) -> Any:
    given = ["report", "latest", *arguments, "--store", store]
    return CliRunner().invoke(polyassay, given, catch_exceptions=False)


def page_of(store: str, folder: Path, *arguments: str) -> str:
    done = call(store, "-o", str(folder), *arguments)
    assert done.exit_code == 0, done.output
    return (folder / "index.html").read_text("utf-8")


def scores(page: str) -> list[dict[str, str]]:
    (address,) = re.findall(
        r'href="data:text/csv;charset=utf-8,([^"]*)" download="scores.csv"', page
    )
    return list(csv.DictReader(io.StringIO(unquote(unescape(address)))))


def test_a_report_of_cells_has_the_columns_that_the_score_table_has(
    cells: str, tmp_path: Path
) -> None:
    page = page_of(cells, tmp_path / "usual")
    titles = [name for name in scores(page)[0] if not name.endswith((" low", " high", " of"))]
    assert titles == ["tool", "pass@1", "AvgPassRatio", "OutputEM", "F1", "ran", "solved"]
    told = CliRunner().invoke(polyassay, ["score", "latest", "--json", "--store", cells])
    tools = json.loads(told.stdout)["tools"]
    for row in scores(page):
        assert float(row["OutputEM"]) == tools[row["tool"]]["output_em"]


def test_what_decides_stands_first_and_is_named_everywhere(cells: str, tmp_path: Path) -> None:
    page = page_of(cells, tmp_path / "f1", "--measure", "f1")
    assert list(scores(page)[0])[1] == "F1"
    assert "It has 25.0 points more of the output than finch" in unescape(page)
    assert "Points of F1 by which heron is ahead of finch" in page
    assert "Points of pass@1" not in page
    assert "F1 and the mean cost of an answer" in page


def test_a_measure_that_is_no_share_is_told_without_axes_of_shares(
    cells: str, tmp_path: Path
) -> None:
    """And where less is better, less is better on the page, too."""
    page = page_of(cells, tmp_path / "cost", "--measure", "cost")
    assert list(scores(page)[0])[1] == "cost"
    assert "heron costs 0.020 more an answer than finch" in page
    assert "finch is better" in page
    assert 'class="hero"' not in page


def test_one_tool_is_told_by_the_measure(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.sqlite'}"
    tasks = [make_task(f"{i}", 4) for i in range(8)]
    made = [make_verdict(f"{i}", 2, 4, outcome=Outcome.FAILED) for i in range(8)]
    make_run(Store.open(url), tasks, made)
    done = call(url, "--markdown", "--measure", "avg_pass_ratio")
    assert done.stdout.startswith("### AvgPassRatio of heron is 50.0 % on 8 tasks")


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("pass@one", "There is no measure"),
        ("cost_per_solved", "is of a whole tool"),
        ("bleu", "BLEU is not known of any task of this run."),
        ("pass@3", "pass@3 needs 3 samples"),
    ],
)
def test_what_cannot_decide_is_refused(cells: str, name: str, problem: str) -> None:
    done = CliRunner().invoke(
        polyassay, ["report", "latest", "--markdown", "--measure", name, "--store", cells]
    )
    assert problem in str(done.exception), done.output
