"""From a session in the store to a room."""

from functools import cache

from polyassay.rubric.answers import blinded
from polyassay.rubric.room.preferring import Preferring
from polyassay.rubric.room.room import Room
from polyassay.rubric.room.scoring import Scoring
from polyassay.rubric.rubrics import Rubric
from polyassay.rubric.sessions import mask_secret
from polyassay.store import Store
from polyassay.store.graders import Graders
from polyassay.store.preferences import Preferences
from polyassay.store.scores import PREFERENCES, GradingSession, Scores


def open_room(
    store: Store,
    session: GradingSession,
    rubric: Rubric,
    language: str,
    open_reference: bool = False,
) -> Room:
    """The room of a session, as far as its grader has got."""
    scores = Scores(store)
    suite = store.suite(session.suite)  # as it was when the session began
    items = scores.items(session.id)
    tasks = {(task.suite, task.id): task for task in suite.tasks}
    mine = {"grader": session.grader, "rubric": rubric.name}
    desk: Scoring | Preferring
    if session.kind == PREFERENCES:
        log = Preferences(store)
        desk = Preferring(
            *(rubric, session.grader, session.id, tasks, items),
            *(lambda: log.events(**mine), log.append),
            by_dimension=bool(session.settings.get("by_dimension")),
        )
    else:
        known = Graders(store).calibration(rubric.name, suite.name)
        desk = Scoring(
            *(rubric, session.grader, session.id, tasks, items),
            *(lambda: scores.events(**mine), scores.append),
            known={item.key: item for item in known},
        )
    code = cache(blinded(suite.tasks, {i.key: i.code for i in items}, mask_secret(session)))
    return Room(desk, code, language, open_reference)
