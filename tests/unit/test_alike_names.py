"""Names of tools that a reader takes for each other are told wherever tools are ranked."""

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from made import make_run, make_task, make_verdict
from polyassay.cli import polyassay
from polyassay.cli.beginning import tell_alike, tell_replaced
from polyassay.measures.submitting.names import alike
from polyassay.store import Store

TASKS = [make_task("t0")]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("ada.", True),
        ("Ada", True),
        ("ada\u2605", True),
        ("\u2605ada", True),
        ("\u0430da", True),
        ("ada-1", False),
        ("ada++", False),
        ("ad", False),
    ],
)
def test_names_that_look_alike(name: str, found: bool) -> None:
    assert alike([name], ["ada", name]) == ([tuple(sorted((name, "ada")))] if found else [])


def test_hyphens_of_every_kind_look_alike() -> None:
    assert alike(["ada\u20101"], ["ada-1", "ada\u20111"]) == [
        ("ada-1", "ada\u20101"),
        ("ada\u20101", "ada\u20111"),
    ]


def test_a_run_and_a_boardtell_them(
    store: Store, store_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for tool in ("ada", "ada.", "bob"):
        make_run(store, TASKS, [make_verdict("t0", 2, tool=tool)])
    board = CliRunner().invoke(polyassay, ["leaderboard", "--store", store_url]).stdout
    assert board.count("looks like") == 1
    assert "ada looks like ada.: are they one tool?" in board
    tell_alike(store, ["bob", "B0B"])
    assert capsys.readouterr().err == "  B0B looks like bob, and is ranked as another tool.\n"


def test_an_import_that_would_take_a_place_says_so_first(
    store: Store, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    here = make_run(store, TASKS, [make_verdict("t0", 2, tool="ada")])
    sent = replace(here, id="sent", provenance={**here.provenance, "imported": True})
    tell_replaced(store, here)
    assert capsys.readouterr().err == ""
    tell_replaced(store, sent)
    assert (
        f"ada of run {here.id}, judged here, will be ranked by this new" in capsys.readouterr().err
    )
