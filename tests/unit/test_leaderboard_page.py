"""The leaderboard says which runs it took, can be told, and writes a page to publish."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from made import make_run
from made_report import HOSTILE, large_run
from polyassay.cli import polyassay
from polyassay.errors import PolyAssayError
from polyassay.store import Store
from polyassay.store.housekeeping import label_run

Call = Callable[..., Result]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store_url: str) -> Call:
    monkeypatch.chdir(tmp_path)

    def called(*arguments: str) -> Result:
        arguments = ("leaderboard", *arguments, "--store", store_url)
        return CliRunner().invoke(polyassay, arguments)

    return called


@pytest.fixture
def runs(store: Store) -> list[str]:
    tasks, verdicts = large_run(40, ("finch", "heron", "kite", HOSTILE))
    made = [
        make_run(store, tasks, [v for v in verdicts if v.candidate.tool in tools])
        for tools in (("finch", "heron", "kite"), ("kite", HOSTILE))
    ]
    for run, label in zip(made, ("release-1", "release-2"), strict=True):
        label_run(store, run, label)
    return [run.id for run in made]


def tools_of(result: Result) -> dict[str, list[str]]:
    return {one["run"]: one["tools"] for one in json.loads(result.stdout)["runs"]}


def test_it_says_which_runs_it_took(runs: list[str], call: Call) -> None:
    taken = tools_of(call("--json"))
    assert taken == {runs[1]: ["kite", HOSTILE], runs[0]: ["finch", "heron"]}  # the newest of each
    assert f"Runs taken: {runs[1]} (release-2, 20" in call().stdout


def test_it_can_be_told_which_runs_to_take(runs: list[str], call: Call) -> None:
    old = {runs[0]: ["finch", "heron", "kite"]}
    for arguments in (("release-1",), ("--runs", runs[0]), ("--label", "*-1"), ("show", runs[0])):
        assert tools_of(call(*arguments, "--json")) == old, arguments
    assert tools_of(call("--label", "release-*", "--json")).keys() == set(runs)
    assert tools_of(call("--runs", ",".join(runs), "--json")).keys() == set(runs)
    refused = call("--label", "beta*").exception
    assert isinstance(refused, PolyAssayError)
    assert "release-2" in refused.hint


def test_the_page_has_every_board_and_how_to_submit(
    runs: list[str], call: Call, tmp_path: Path
) -> None:
    assert call("-o", "board", "--contact", "boards@example.org", "--json").exit_code == 0
    folder = tmp_path / "board"
    page = (folder / "index.html").read_text()
    boards = json.loads((folder / "boards.json").read_text())["boards"]
    assert [board["suite"] for board in boards] == ["pads-java", "pads-python"]
    for number, board in enumerate(boards, 1):
        assert f'id="ranks-{number}"' in page
        csv = (folder / f"board-{number}.csv").read_text().splitlines()
        assert csv[0].startswith("rank,tool,pass@1,pass@1 low,pass@1 high")
        assert len(csv) == 1 + len(board["tools"])
    assert "java · zh" in page
    assert "Gaps between prompt languages" in page
    assert "leaderboard check" in page
    assert page.count('class="trend"') == 2  # both suites were run twice
    assert "boards@example.org" in page
    assert "<script>window.hacked" not in page
    assert "(release-2, 20" in page


def test_ranks_on_the_page_are_those_of_the_terminal(runs: list[str], call: Call) -> None:
    places = json.loads(call("-o", "board", "--json").stdout)["boards"][0]["tools"]
    page = Path("board/board-1.csv").read_text().splitlines()[1:]
    for line, place in zip(page, places, strict=True):
        first, last = place["rank"]
        assert line.split(",")[0] == (str(first) if first == last else f"{first}–{last}")


def test_one_tool_alone_and_a_measure_that_is_no_share(
    store: Store, call: Call, tmp_path: Path
) -> None:
    make_run(store, *large_run(6, ("finch",)))
    assert call("-o", "board").exit_code == 0
    assert "Only finch so far" in (tmp_path / "board" / "index.html").read_text()


def test_a_folder_that_cannot_be_written_is_said(runs: list[str], call: Call) -> None:
    Path("taken").write_text("")
    refused = call("-o", "taken/board").exception
    assert isinstance(refused, PolyAssayError)
    assert "cannot be written" in refused.problem
