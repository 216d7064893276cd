"""The leaderboard says which runs it took, can be told, and writes a page to publish."""

import gzip
import hashlib
import json
import re
from collections.abc import Callable
from csv import DictReader
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from made import make_run
from made_report import HOSTILE, large_run
from polyassay.cli import polyassay
from polyassay.errors import PolyAssayError
from polyassay.rules import RULES
from polyassay.store import Run, Store, schema
from polyassay.store.housekeeping import delete_run, label_run
from polyassay.store.moving.run_file import export_run, import_run
from polyassay.suites.make import content_problem

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
    both = ("--runs", ",".join(runs), "--label", "release-1", "--json")
    assert tools_of(call(*both)) == old  # "only" of one and "only" of the other
    assert tools_of(call("--label", "release-*", "--json")).keys() == set(runs)
    assert tools_of(call("--runs", ",".join(runs), "--json")).keys() == set(runs)
    refused = call("--label", "beta*").exception
    assert isinstance(refused, PolyAssayError)
    assert "release-2" in refused.hint
    assert "None of these runs has" in str(call(runs[0], "--label", "release-2").exception)
    meant = call("chek", "finch.gz").exception
    assert isinstance(meant, PolyAssayError) and 'did you mean "check"?' in meant.hint
    told = CliRunner().invoke(polyassay, ["leaderboard", "--help"]).stdout
    assert "--judged-here" in told and "check" in told  # of show, and the other command


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
        csv = (folder / board["csv"]).read_text().splitlines()
        assert f'href="#{board["name"]}"' in page
        assert csv[0].startswith("rank first,rank last,tool,pass@1,pass@1 low,pass@1 high")
        assert len(csv) == 1 + len(board["tools"])
    assert "java · zh" in page
    assert "Gaps between prompt languages" in page
    assert "leaderboard check" in page
    assert page.count('class="trend"') == 2  # both suites were run twice
    assert "boards@example.org" in page
    assert re.search(r"Made on \d{4}-\d\d-\d\d \(UTC\)", page)
    years = re.findall(r'class="date"[^>]*>(\d{4}-\d\d-\d\d)<', page)
    assert len(years) == 4  # two runs a board
    assert "<script>window.hacked" not in page
    assert "(release-2, 20" in page


def test_ranks_on_the_page_are_those_of_the_terminal(runs: list[str], call: Call) -> None:
    board = json.loads(call("-o", "board", "--json").stdout)["boards"][0]
    page = (Path("board") / board["csv"]).read_text().splitlines()[1:]
    for line, place in zip(page, board["tools"], strict=True):
        first, last = place["rank"]
        assert line.split(",")[:2] == [str(first), str(last)]


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


def test_only_the_files_of_an_earlier_leaderboard_are_replaced(
    runs: list[str], call: Call, tmp_path: Path
) -> None:
    folder = tmp_path / "board"
    call("-o", "board")
    (folder / "mine.csv").write_text("mine")
    before = {path.name for path in folder.glob("*.csv")}
    call("--label", "release-2", "-o", "board")
    after = {path.name for path in folder.glob("*.csv")}
    assert "mine.csv" in after
    value = json.loads((folder / "boards.json").read_text())
    named = {one["csv"] for one in (*value["boards"], value["joint"])}
    assert after == {"mine.csv", *named}
    assert before & named  # a link to a board holds, whatever other boards there are
    foreign = tmp_path / "site"
    foreign.mkdir()
    (foreign / "index.html").write_text("my site")
    refused = call("-o", "site").exception
    assert isinstance(refused, PolyAssayError) and "no leaderboard" in refused.problem
    assert (foreign / "index.html").read_text() == "my site"


def test_a_board_says_what_judges_others_for_it(store: Store, call: Call, tmp_path: Path) -> None:
    make_run(store, *large_run(3, ("finch",)), timeout=2.5)
    boards = json.loads(call("-o", "board", "--json").stdout)["boards"]
    page = (tmp_path / "board" / "index.html").read_text()
    for board in boards:
        command = f"polyassay run -s {board['suite']} -c TOOL=answers.jsonl --timeout 2.5"
        assert board["command"] == command
        assert command in page


def imported(store: Store, tmp_path: Path, run: Run, created: str) -> Run:
    """The run as a file brings it back that somebody else dated, and gave another id."""
    with (tmp_path / "sent.gz").open("wb") as file:
        export_run(store, run, file)
    packed = gzip.decompress((tmp_path / "sent.gz").read_bytes())
    lines = [json.loads(line) for line in packed.splitlines()][:-1]
    lines[0]["run"] |= {"id": "rsent", "created": created}
    text = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    end = json.dumps({"sha256": hashlib.sha256(text).hexdigest()}).encode() + b"\n"
    (tmp_path / "sent.gz").write_bytes(gzip.compress(text + end))
    return import_run(store, tmp_path / "sent.gz", content_problem).run


def test_an_import_never_displaces_what_was_judged_here(
    store: Store, call: Call, tmp_path: Path
) -> None:
    tasks, verdicts = large_run(6, ("finch", "heron"))
    both = make_run(store, tasks, verdicts)
    sent = imported(store, tmp_path, both, "2099-01-01T00:00:00+00:00")
    assert not sent.created.startswith("2099")
    found = call("--json")
    assert tools_of(found) == {both.id: ["finch", "heron"]}
    left_out = " ".join(json.loads(found.stdout)["left_out"])
    assert f"Imported, and ranked by run {both.id}, which was judged here: " in left_out
    assert f"finch of {sent.id} on pads-java" in left_out
    delete_run(store, both)
    alone = call("--judged-here").exception
    assert isinstance(alone, PolyAssayError) and "none of them was judged here" in alone.problem
    make_run(store, tasks, [v for v in verdicts if v.candidate.tool == "heron"])
    board = json.loads(call("-o", "board", "--json").stdout)["boards"][0]
    assert {one["tool"]: one["imported"] for one in board["tools"]} == {
        "finch": True,
        "heron": False,
    }
    csv = (tmp_path / "board" / board["csv"]).read_text()
    page = (tmp_path / "board" / "index.html").read_text()
    for text in (csv, page, call().stdout):
        assert f"{sent.id} (imported)" in text
    rows = {row["tool"]: row for row in DictReader(csv.splitlines())}
    assert {tool: row["imported"] for tool, row in rows.items()} == {"finch": "yes", "heron": "no"}
    assert "its file says 2099-01-01; not judged here" in page
    here = json.loads(call("--judged-here", "--json").stdout)["boards"]
    assert {one["tool"] for of in here for one in of["tools"]} == {"heron"}


@pytest.mark.parametrize("claimed", [RULES, 99, 10**30, "5", True])
def test_rules_of_an_import_put_no_run_aside_that_was_judged_here(
    store: Store, call: Call, tmp_path: Path, claimed: object
) -> None:
    """Not even one that an older PolyAssay has let in."""
    tasks, verdicts = large_run(6, ("finch", "heron"))
    here = make_run(store, tasks, [v for v in verdicts if v.candidate.tool == "heron"])
    given = make_run(store, tasks, [v for v in verdicts if v.candidate.tool == "finch"])
    sent = imported(store, tmp_path, given, "2099-01-01T00:00:00+00:00")
    delete_run(store, given)
    with store._transaction() as connection:
        for run, rules in ((here, RULES - 1), (sent, claimed)):
            facts = json.dumps({**run.provenance, "rules": rules})
            connection.execute(
                schema.runs.update().where(schema.runs.c.id == run.id).values(provenance=facts)
            )
    found = call("--json")
    assert tools_of(found) == {here.id: ["heron"]}
    assert "since then" not in call().stdout


def test_chosen_samples_show_on_the_board(store: Store, call: Call) -> None:
    tasks, verdicts = large_run(6, ("finch", "heron"))
    one = [v for v in verdicts if v.candidate.tool == "finch" and v.candidate.suite == "pads-java"]
    fewer = [v for v in verdicts if v != one[0] or v.candidate.sample == 0]
    more = [replace(v, candidate=replace(v.candidate, sample=7)) for v in one[:1]]
    make_run(store, tasks, [*fewer, *more])
    told = " ".join(call().stdout.split())
    assert "Not as many samples of every task, so they may be chosen ones: finch" in told
    board = json.loads(call("--json").stdout)["boards"][0]
    samples = {place["tool"]: place["samples_of_a_task"] for place in board["tools"]}
    assert "–" in samples["finch"] and "–" not in samples["heron"]
