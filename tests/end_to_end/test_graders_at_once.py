"""Several processes write scores into one store."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from end_to_end.at_once import AtTerminal, check, grade_in_browser
from end_to_end.grading_pages import answered_folder, served
from polyassay.rubric.sheets import scores
from polyassay.store import Store
from polyassay.store.scores import Scores
from real_parts import need
from unit.test_score_store import RUBRIC

ROOT = Path(__file__).resolve().parents[2]


# Two graders score the same 200 answers at once, each waiting for the other at the start.
GRADER = """
import sys, time
from pathlib import Path
from polyassay.model import CandidateKey
from polyassay.store import Store
from polyassay.store.scores import Event, EventKind, Scores

home, me, other = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
store = Scores(Store.open(sys.argv[4]))
(home / me).touch()
while not (home / other).exists():
    time.sleep(0.01)
for number in range(200):
    key = CandidateKey("s", f"t{number}", "finch", "en", 0)
    store.append(Event(EventKind.SCORE, me, "aixbench", key, dimension="quality",
                       score=1 + number % 3))
"""


def test_two_graders_at_once_lose_nothing_and_meet_no_lock(
    tmp_path: Path, either_store: str
) -> None:
    store = Scores(Store.open(either_store))
    store.save_rubric("aixbench", RUBRIC.text)
    graders = [
        subprocess.Popen(
            [sys.executable, "-c", GRADER, str(tmp_path), me, other, either_store],
            env={"PYTHONPATH": f"{ROOT / 'runner'}"},
            stderr=subprocess.PIPE,
            text=True,
        )
        for me, other in (("ann", "bob"), ("bob", "ann"))
    ]
    for process in graders:
        _, error = process.communicate(timeout=120)
        assert (process.returncode, error) == (0, "")
    found = scores(store.events())
    assert len(found) == 400
    for grader in ("ann", "bob"):
        given = {int(s.key.task[1:]): s.score for s in found if s.grader == grader}
        assert given == {number: 1 + number % 3 for number in range(200)}


@pytest.fixture
def one_tool(tmp_path: Path) -> Path:
    """15 answers of one tool."""
    answered_folder(tmp_path, 15)
    rows = (tmp_path / "answers.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "answers.jsonl").write_text("".join(rows[::2]))
    return tmp_path


def test_terminal_and_browser_at_once_with_kills(
    browser: Any, one_tool: Path, either_store: str
) -> None:
    need("tmux")
    terminal = AtTerminal(one_tool, 15, kill_every=7)
    terminal.start()
    with served(one_tool, "--repeat", "0", graders=("bob",)) as server:
        tab = browser.new_context().new_page()
        kills = grade_in_browser(tab, server, 15, kill_every=7)
    terminal.join(300)
    assert terminal.problem == ""
    assert kills == terminal.kills == 2
    check(Scores(Store.open(either_store)), 15)
