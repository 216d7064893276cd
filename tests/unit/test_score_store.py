"""Key presses are durable, in order, and safe from other processes."""

import subprocess
import sys
from pathlib import Path

import pytest

from made import make_task
from polyassay.model import CandidateKey, Style, Suite
from polyassay.rubric import rubrics
from polyassay.rubric.sheets import scores
from polyassay.store import Store
from polyassay.store.scores import Event, EventKind, Item, Scores

ROOT = Path(__file__).resolve().parents[2]
RUBRIC = rubrics.load("aixbench")
SUITE = Suite("s", "1", "c" * 64, (make_task("t", 0, style=Style.RUBRIC),))
KEY = CandidateKey("s", "t", "finch", "en", 0)
HOSTILE = "\0 \ud800 \U0001f40d"

# Two graders score the same 200 answers at once, each waiting for the other at the start.
GRADER = """
import sys, time
from pathlib import Path
from polyassay.model import CandidateKey
from polyassay.store import Store
from polyassay.store.scores import Event, EventKind, Scores

home, me, other = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
store = Scores(Store.at(home))
(home / me).touch()
while not (home / other).exists():
    time.sleep(0.01)
for number in range(200):
    key = CandidateKey("s", f"t{number}", "finch", "en", 0)
    store.append(Event(EventKind.SCORE, me, "aixbench", key, dimension="quality",
                       score=1 + number % 3))
"""


@pytest.fixture
def store(tmp_path: Path) -> Scores:
    found = Scores(Store.at(tmp_path))
    found.save_rubric("aixbench", RUBRIC.text)
    return found


def test_two_graders_at_once_lose_nothing_and_meet_no_lock(store: Scores, tmp_path: Path) -> None:
    graders = [
        subprocess.Popen(
            [sys.executable, "-c", GRADER, str(tmp_path), me, other],
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


def test_everything_comes_back_as_it_was(store: Scores) -> None:
    item = Item(KEY, HOSTILE, screen=3, showing=1)
    session = store.start_session(SUITE, "ann", "aixbench", "p" * 64, {"seed": 7}, lambda _: [item])
    assert store.sessions(grader="ann", pool="p" * 64) == [session]
    assert store.sessions(grader="bob") == []
    assert store.items(session.id) == [item]
    assert store.shown_code("s") == {KEY: HOSTILE}
    event = Event(
        EventKind.COMMENT, "ann", "aixbench", KEY, 1, "quality", None, HOSTILE, None, session.id
    )
    kept = store.append(event)
    assert kept.id and kept.at
    undo = store.append(Event(EventKind.UNDO, "ann", "aixbench", KEY, undoes=kept.id))
    assert store.events() == [kept, undo]
    assert store.events(kind="undo", grader="ann") == [undo]
    assert store.rubrics() == ["aixbench"]


def test_a_plan_learns_how_many_graders_each_answer_has(store: Scores) -> None:
    learned = []
    for grader in ("ann", "bob"):
        store.start_session(
            SUITE,
            grader,
            "aixbench",
            "p" * 64,
            {},
            lambda taken: learned.append(dict(taken)) or [Item(KEY, "x"), Item(KEY, "x", 1, 1)],
        )
    assert learned == [{}, {KEY: 1}]


def test_many_events_are_kept_as_a_whole_or_not_at_all(store: Scores) -> None:
    good = Event(EventKind.SCORE, "ann", "aixbench", KEY, dimension="quality", score=1)
    unknown = Event(EventKind.SCORE, "ann", "nobody's", KEY, dimension="quality", score=1)
    with pytest.raises(Exception, match="FOREIGN KEY"):
        store.append_all([good, unknown])
    assert store.events() == []
