"""All of tests/unit/test_moving_runs.py, from a server to a file; and from a file to a server."""

from pathlib import Path

import postgres
from polyassay.model import CandidateKey
from polyassay.store import Store
from polyassay.store.moving.copying import copy_store
from polyassay.store.scores import Event, EventKind, Scores
from unit.test_moving_runs import *  # noqa: F403


def test_what_is_copied_to_a_server_is_numbered_on(
    store: Store, exported: Path, other: str, postgres_server: postgres.Server
) -> None:
    key = CandidateKey("s", "t1", "a", "en", 0)
    scores = Scores(store)
    scores.save_rubric("aixbench", "text")
    for score in (1, 2):
        event = Event(EventKind.SCORE, "ann", "aixbench", key, dimension="quality", score=score)
        scores.append(event)
    file, server = Store.open(other), Store.open(postgres_server.new_database())
    assert copy_store(store, file) == copy_store(file, server)
    assert server.runs() == store.runs()
    assert Scores(server).events() == scores.events()
    more = Event(EventKind.FLAG, "ann", "aixbench", key)
    assert Scores(server).append(more).id == scores.append(more).id
