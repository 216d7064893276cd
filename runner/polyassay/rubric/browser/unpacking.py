"""Scores that come back from a packed file: hostile text until every part of it is checked.

Each event has a token, so a file that comes twice, or a later one that holds the same and more,
adds only what is new.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from polyassay.errors import PolyAssayError
from polyassay.rubric.blind import printable
from polyassay.rubric.room.preferring import KEYS
from polyassay.rubric.rubrics import Rubric
from polyassay.store import Store
from polyassay.store.preferences import PreferenceEvent, PreferenceKind, Preferences
from polyassay.store.scores import (
    PREFERENCES,
    Event,
    EventKind,
    GradingSession,
    Item,
    Scores,
)

HINT = "Ask for the file that the page's “download the scores” gives, unchanged."
MOST_BYTES = 50_000_000
MOST_EVENTS = 200_000
LONGEST_COMMENT = 2000
LONGEST_LOOK = 1e7  # seconds
NONCE = re.compile(r"[0-9a-f]{24}")
KINDS = ("give", "skip", "comment", "flag", "undo")

Kept = TypeVar("Kept", Event, PreferenceEvent)


class ReturnedScores:
    """What a grader sent back, checked as far as that goes without the store."""

    def __init__(self, content: bytes, place: str) -> None:
        self._place = place
        values = self._parse(content)
        self.session = values["pack"]
        self._nonce = values["nonce"]
        self._events: list[dict[str, Any]] = values["events"]

    def _parse(self, content: bytes) -> dict[str, Any]:
        if len(content) > MOST_BYTES:
            raise self._bad("it is larger than any session")
        try:
            values = json.loads(content)
        except (ValueError, RecursionError):
            raise self._bad("this is not JSON") from None
        if not isinstance(values, dict) or values.get("format") != "polyassay-scores":
            raise self._bad("these are not scores of a packed session")
        if values.get("version") != 1:
            raise self._bad("another version of PolyAssay made the pack")
        session, nonce, events = (values.get(name) for name in ("pack", "nonce", "events"))
        if not isinstance(session, str) or not isinstance(nonce, str) or not NONCE.fullmatch(nonce):
            raise self._bad("it does not say which pack it is of")
        if not isinstance(events, list) or len(events) > MOST_EVENTS:
            raise self._bad("it has no list of events")
        return values

    def _bad(self, problem: str, number: int | None = None) -> PolyAssayError:
        where = "" if number is None else f", event {number + 1}"
        return PolyAssayError(f"{self._place}{where}: {problem}.", HINT)

    def keep(self, store: Store, session: GradingSession, rubric: Rubric) -> tuple[int, int]:
        """How many events were new, and how many were there already."""
        screens: dict[int, list[Item]] = {}
        for item in Scores(store).items(session.id):
            screens.setdefault(item.screen, []).append(item)
        checked = [
            self._checked(n, one, screens, session, rubric) for n, one in enumerate(self._events)
        ]
        if session.kind == PREFERENCES:
            log = Preferences(store)
            pairs = [self._choice(n, one, screens, session) for n, one in enumerate(checked)]
            known = {event.token for event in log.events(session=session.id)}
            return self._append(pairs, known, log.append_all)
        scores = Scores(store)
        events = [self._score(n, one, screens, session) for n, one in enumerate(checked)]
        known = {event.token for event in scores.events(session=session.id)}
        return self._append(events, known, scores.append_all)

    def _append(
        self,
        events: Sequence[Kept],
        known: set[str | None],
        append: Callable[[Sequence[Kept]], list[Kept]],
    ) -> tuple[int, int]:
        """What takes something back needs the number of it, so it comes after all others."""
        given = [e for e in events if e.kind != "undo"]
        numbers = {event.token: event.id for event in append(given)}
        undos = [
            replace(event, undoes=numbers[self._token(event.undoes or 0)])
            for event in events
            if event.kind == "undo"
        ]
        append(undos)
        new = sum(event.token not in known for event in events)
        return new, len(events) - new

    def _token(self, number: int) -> str:
        return f"{self._nonce}-{number}"

    def _checked(
        self,
        number: int,
        event: Any,
        screens: dict[int, list[Item]],
        session: GradingSession,
        rubric: Rubric,
    ) -> dict[str, Any]:
        if not isinstance(event, dict) or event.get("kind") not in KINDS:
            raise self._bad("it is of no known kind", number)
        items = screens.get(_whole(event.get("screen")))
        sides = 1 if session.kind == PREFERENCES else len(items or ())
        if items is None or not 0 <= _whole(event.get("side")) < sides:
            raise self._bad("the session has no such item", number)
        seconds = event.get("seconds")
        if isinstance(seconds, bool) or not isinstance(seconds, int | float):
            raise self._bad("it does not say how long the grader looked", number)
        if not 0 <= seconds <= LONGEST_LOOK:
            raise self._bad("nobody looks that long", number)
        if event["kind"] in ("give", "comment"):
            whole = [""] if session.kind == PREFERENCES else []
            if event.get("dimension") not in [*whole, *rubric.scales]:
                raise self._bad("the rubric has no such dimension", number)
        if event["kind"] == "give":
            self._check_value(number, event, session, rubric)
        if event["kind"] == "comment" and not isinstance(event.get("text"), str):
            raise self._bad("a comment has no text", number)
        if event["kind"] == "undo":
            self._check_undo(number, event)
        return event

    def _check_value(
        self, number: int, event: dict[str, Any], session: GradingSession, rubric: Rubric
    ) -> None:
        value = event.get("value")
        if session.kind == PREFERENCES:
            good = isinstance(value, str) and value in KEYS
        else:
            low, high = rubric.scales[event["dimension"]]
            good = isinstance(value, str) and value in map(str, range(low, high + 1))
        if not good:
            raise self._bad("there are no such points", number)

    def _check_undo(self, number: int, event: dict[str, Any]) -> None:
        undone = _whole(event.get("undoes"))
        if not 0 <= undone < number or self._events[undone]["kind"] == "undo":
            raise self._bad("it takes back what is not there", number)

    def _score(
        self,
        number: int,
        event: dict[str, Any],
        screens: dict[int, list[Item]],
        session: GradingSession,
    ) -> Event:
        item = screens[event["screen"]][event["side"]]
        kind = "score" if event["kind"] == "give" else event["kind"]
        return Event(
            EventKind(kind),
            *(session.grader, session.rubric, item.key, item.showing),
            dimension=event["dimension"] if kind in ("score", "comment") else "",
            score=int(event["value"]) if kind == "score" else None,
            text=_comment(event),
            undoes=event.get("undoes"),
            session=session.id,
            seconds=float(event["seconds"]),
            token=self._token(number),
        )

    def _choice(
        self,
        number: int,
        event: dict[str, Any],
        screens: dict[int, list[Item]],
        session: GradingSession,
    ) -> PreferenceEvent:
        a, b = screens[event["screen"]]
        kind = "choice" if event["kind"] == "give" else event["kind"]
        return PreferenceEvent(
            PreferenceKind(kind),
            *(session.grader, session.rubric, a.key, b.key, a.showing),
            dimension=event["dimension"] if kind in ("choice", "comment") else "",
            choice=KEYS[event["value"]] if kind == "choice" else None,
            text=_comment(event),
            undoes=event.get("undoes"),
            session=session.id,
            seconds=float(event["seconds"]),
            token=self._token(number),
        )


def _whole(value: object) -> int:
    """A whole number, or one that nothing has."""
    return value if isinstance(value, int) and not isinstance(value, bool) else -1


def _comment(event: dict[str, Any]) -> str:
    if event["kind"] != "comment":
        return ""
    return printable(event["text"][:LONGEST_COMMENT]).replace("\n", " ").strip()
