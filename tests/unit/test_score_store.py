"""Key presses are durable, in order, and safe from other processes."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from made import make_task
from polyassay.model import CandidateKey, Style, Suite
from polyassay.rubric import rubrics
from polyassay.store import Store
from polyassay.store.scores import Event, EventKind, Item, Scores

RUBRIC = rubrics.load("aixbench")
SUITE = Suite("s", "1", "c" * 64, (make_task("t", 0, style=Style.RUBRIC),))
KEY = CandidateKey("s", "t", "finch", "en", 0)
HOSTILE = "\0 \ud800 \U0001f40d"


@pytest.fixture
def store(store_url: str) -> Scores:
    found = Scores(Store.open(store_url))
    found.save_rubric("aixbench", RUBRIC.text)
    return found


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


def test_graders_who_start_at_once_may_all_bring_the_rubric(store: Scores) -> None:
    together = Barrier(4)

    def bring(grader: int) -> None:
        for number in range(20):
            together.wait(60)
            store.save_rubric(f"rubric {number}", f"as {grader} has it")

    with ThreadPoolExecutor(4) as graders:
        list(graders.map(bring, range(4)))
    texts = {store.rubric_text(f"rubric {number}") for number in range(20)}
    assert texts <= {f"as {grader} has it" for grader in range(4)}


def test_a_plan_learns_how_many_graders_each_answer_has(store: Scores) -> None:
    learned: list[dict[CandidateKey, int]] = []

    def items(taken: Mapping[CandidateKey, int]) -> list[Item]:
        learned.append(dict(taken))
        return [Item(KEY, "x"), Item(KEY, "x", 1, 1)]

    for grader in ("ann", "bob"):
        store.start_session(
            SUITE,
            grader,
            "aixbench",
            "p" * 64,
            {},
            items,
        )
    assert learned == [{}, {KEY: 1}]


def test_many_events_are_kept_as_a_whole_or_not_at_all(store: Scores) -> None:
    good = Event(EventKind.SCORE, "ann", "aixbench", KEY, dimension="quality", score=1)
    unknown = Event(EventKind.SCORE, "ann", "nobody's", KEY, dimension="quality", score=1)
    with pytest.raises(Exception, match=r"(?i)foreign key"):
        store.append_all([good, unknown])
    assert store.events() == []
