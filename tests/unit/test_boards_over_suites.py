"""One board over several suites, and boards that rank nothing."""

import json
import re
from pathlib import Path

import pytest

from made import make_run
from polyassay.errors import PolyAssayError
from polyassay.store import Store
from unit.test_board_figures import JAVA, PYTHON, Call, by_hand, call, mean, runs, verdicts_of

__all__ = ["call", "runs"]  # fixtures


def test_tools_of_several_suites_have_one_board_over_all(
    call: Call, store: Store, runs: dict[str, str]
) -> None:
    """As if one run had asked them everything. Kestrel was asked less: no such board has it."""
    tasks, seeds = [*PYTHON, *JAVA], {"finch": 2, "heron": 3, "kite": 4}
    runs["kite"] = make_run(store, tasks, verdicts_of("kite", seeds["kite"])).id
    value = json.loads(call("leaderboard", "--json").stdout)
    every = [v for tool, seed in seeds.items() for v in verdicts_of(tool, seed)]
    whole = make_run(store, tasks, every).id
    joint, compared = value["joint"], call("compare", whole, "--all", "--json").stdout
    ranks = json.loads(compared)["ranks"]
    assert {one["tool"]: one["rank"] for one in joint["tools"]} == ranks
    for one in joint["tools"]:
        assert one["run"] == runs[one["tool"]]
        assert one["pass@1"] == pytest.approx(mean(by_hand(call, one["run"]).values()))
    assert joint["asked"] == sum(
        board["asked"] for board in value["boards"] if len(board["tools"]) == 3
    )
    named = ("leaderboard", *runs.values())
    shown = call(*named, "-o", "board").stdout
    assert shown.startswith("All suites: jars, pads\n") and "kestrel" in shown
    assert "Not as many samples" not in shown  # of each suite there are as many of every task
    page = Path("board/index.html").read_text()
    assert page.index("All suites: jars, pads") < page.index('id="ranks-2"')
    assert (Path("board") / joint["csv"]).exists()
    one_suite = json.loads(call(*named, "--suite", "pads", "--json").stdout)
    assert one_suite["joint"] is None
    assert {board["suite"] for board in one_suite["boards"]} == {"pads"}
    with pytest.raises(PolyAssayError) as refused:
        call("leaderboard", "--suite", "pad")
    assert 'did you mean "pads"?' in refused.value.hint
    call("leaderboard", runs["finch"], "-o", "board")  # a tool alone has no joint board
    assert not (Path("board") / joint["csv"]).exists()


def test_boards_that_rank_nothing_are_lines(call: Call, store: Store) -> None:
    tasks = [task for task in PYTHON if task.prompts.keys() == {"en"}]
    for tools, asked in (("ab", tasks), ("ab", tasks[:2]), ("c", tasks[1:])):
        seeds = {"a": 2, "b": 3, "c": 5}
        given = [v for tool in tools for v in verdicts_of(tool, seeds[tool])]
        kept = [v for v in given if v.candidate.task in {task.id for task in asked}]
        make_run(store, asked, kept)
    shown = call("leaderboard").stdout
    assert len(re.findall(r"Ranked on", shown)) == 1
    assert "2 boards of one tool alone, or with tasks that another board has, too" in shown
    assert re.search(r"2 tasks +a +\S+ % +2/2 +r\w+", shown)
    assert re.search(r"3 tasks +c +\S+ % +3/3 +r\w+", shown)
    assert len(re.findall(r"Ranked on", call("leaderboard", "--all").stdout)) == 3
    assert len(json.loads(call("leaderboard", "--json").stdout)["boards"]) == 3
