"""Graders' sessions, and the log of their key presses: one row each, never changed or deleted."""

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, TypeVar

import sqlalchemy as sa

from polyassay.model import CandidateKey, Suite
from polyassay.store import Store, rows, schema
from polyassay.store.database import insert_new

SCORES, PREFERENCES = "scores", "preferences"  # what a session asks for
CALIBRATION = "(calibration)"  # stands where answers have their tool, in keys of known scores


class EventKind(StrEnum):
    SCORE = "score"
    SKIP = "skip"
    COMMENT = "comment"  # the last one of a dimension counts; an empty one takes it away
    FLAG = "flag"  # on, off, on, …
    UNDO = "undo"
    DECISION = "decision"  # of a disagreement; the scores stay


@dataclass(frozen=True, slots=True)
class Event:
    """A key press of a grader."""

    kind: EventKind
    grader: str
    rubric: str
    key: CandidateKey
    showing: int = 0
    dimension: str = ""
    score: int | None = None
    text: str = ""
    undoes: int | None = None
    session: str | None = None
    seconds: float | None = None  # that the grader looked at it, where that is known
    token: str | None = None  # a sender's own number: the same one again changes nothing
    at: str = ""  # the store fills in when it was, and its number
    id: int = 0


@dataclass(frozen=True, slots=True)
class Item:
    """An answer as one grader is shown it."""

    key: CandidateKey
    code: str
    screen: int = 0
    showing: int = 0


@dataclass(frozen=True, slots=True)
class GradingSession:
    id: str
    created: str
    grader: str
    rubric: str
    suite: str  # its checksum
    pool: str
    settings: Mapping[str, Any]
    kind: str = SCORES


class Scores:
    """The part of a store that holds what people said; all is durable when a method returns."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @property
    def opened(self) -> Store:
        """The whole store."""
        return self._store

    def rubric_text(self, name: str) -> str | None:
        """The rubric of that name as it was used last."""
        query = sa.select(schema.rubrics.c.text).where(schema.rubrics.c.name == name)
        with self._store._transaction() as connection:
            return connection.execute(query).scalar()

    def rubrics(self) -> list[str]:
        """The names of the rubrics by which anything was said."""
        logs = (schema.grade_events, schema.preference_events)
        query = sa.union(*(sa.select(log.c.rubric) for log in logs))
        with self._store._transaction() as connection:
            return sorted(connection.execute(query).scalars())

    def save_rubric(self, name: str, text: str) -> None:
        """As it is used now. Two graders may start at once, and both find none."""
        table = schema.rubrics
        with self._store._transaction() as connection:
            connection.execute(insert_new(connection, table), {"name": name, "text": text})
            connection.execute(table.update().where(table.c.name == name).values(text=text))

    def sessions(self, **wanted: str) -> list[GradingSession]:
        """The sessions whose columns have these values, the oldest first."""
        table = schema.sessions
        query = sa.select(table).filter_by(**wanted).order_by(table.c.created)
        with self._store._transaction() as connection:
            found = connection.execute(query).mappings().all()
        return [
            GradingSession(**dict(row) | {"settings": json.loads(row["settings"])}) for row in found
        ]

    def start_session(
        self,
        suite: Suite,
        grader: str,
        rubric: str,
        pool: str,
        settings: Mapping[str, Any],
        plan: Callable[[Mapping[Any, int]], Sequence[Item]],
        kind: str = SCORES,
    ) -> GradingSession:
        """Records what a grader will be shown; `plan` learns how many graders each answer has.

        An update that changes nothing comes first: it takes the write lock, so that two graders
        who start at once are not both given the last item.
        """
        created = datetime.now(UTC).isoformat(timespec="microseconds")
        session = GradingSession(
            *("g" + secrets.token_hex(4), created, grader, rubric),
            *(suite.checksum, pool, settings, kind),
        )
        with self._store._transaction() as connection:
            table = schema.rubrics
            connection.execute(table.update().where(table.c.name == rubric).values(name=rubric))
            self._store._save_suite(connection, suite)
            row = {name: getattr(session, name) for name in GradingSession.__slots__}
            connection.execute(
                schema.sessions.insert(), row | {"settings": json.dumps(dict(settings))}
            )
            items = plan(self._graders_by_answer(connection, rubric, kind))
            for position, item in enumerate(items):
                connection.execute(schema.items.insert(), _item_row(session.id, position, item))
        return session

    def _graders_by_answer(
        self, connection: sa.Connection, rubric: str, kind: str
    ) -> dict[Any, int]:
        """How many graders each answer has; of preferences, each sorted pair of answers."""
        items, sessions = schema.items, schema.sessions
        query = (
            sa.select(items, sessions.c.grader)
            .join_from(items, sessions)
            .where(sessions.c.rubric == rubric, sessions.c.kind == kind)
        )
        screens: dict[tuple[str, str, int], list[CandidateKey]] = {}
        for row in connection.execute(query).mappings():
            place = (row["grader"], row["session"], row["screen"])
            screens.setdefault(place, []).append(rows.key_of(row))
        graders: dict[Any, set[str]] = {}
        for (grader, _, _), keys in screens.items():
            for shown in [tuple(sorted(keys))] if kind == PREFERENCES else keys:
                graders.setdefault(shown, set()).add(grader)
        return {shown: len(names) for shown, names in graders.items()}

    def items(self, session: str) -> list[Item]:
        """In the order in which the grader is shown them."""
        table = schema.items
        query = sa.select(table).where(table.c.session == session).order_by(table.c.position)
        with self._store._transaction() as connection:
            found = connection.execute(query).mappings().all()
        return [Item(rows.key_of(r), r["code"], r["screen"], r["showing"]) for r in found]

    def shown_code(self, suite: str) -> dict[CandidateKey, str]:
        """The code of every answer of a suite that any grader was given."""
        table = schema.items
        query = sa.select(table).where(table.c.suite == suite)
        with self._store._transaction() as connection:
            found = connection.execute(query).mappings()
            return {rows.key_of(row): row["code"] for row in found}

    def append(self, event: Event) -> Event:
        """One key press, durable when it returns."""
        (kept,) = self.append_all([event])
        return kept

    def append_all(self, events: Sequence[Event]) -> list[Event]:
        """All of them or none; one whose token is known comes back as it was kept first."""
        return append_rows(
            self._store,
            schema.grade_events,
            [
                {name: getattr(event, name) for name in _COLUMNS}
                | {name: getattr(event.key, name) for name in rows.KEY}
                for event in events
            ],
            _event_of,
        )

    def events(self, **wanted: str) -> list[Event]:
        """The key presses whose columns have these values, in their order."""
        table = schema.grade_events
        query = sa.select(table).filter_by(**wanted).order_by(table.c.id)
        with self._store._transaction() as connection:
            return [_event_of(row) for row in connection.execute(query).mappings()]


Kept = TypeVar("Kept")


def append_rows(
    store: Store,
    table: sa.Table,
    new: Sequence[Mapping[str, Any]],
    value_of: Callable[[sa.RowMapping], Kept],
) -> list[Kept]:
    """Appends to a log in one transaction; what has a token that is there already is not added."""
    at = datetime.now(UTC).isoformat(timespec="microseconds")
    kept = []
    with store._transaction() as connection:
        insert = insert_new(connection, table, "token")
        for row in new:
            result = connection.execute(insert, {**row, "at": at})
            added = result.inserted_primary_key if result.rowcount else None
            this = table.c.id == added[0] if added else table.c.token == row["token"]
            found = connection.execute(sa.select(table).where(this)).mappings().one()
            kept.append(value_of(found))
    return kept


_COLUMNS = (
    *("kind", "grader", "rubric", "showing", "dimension", "score", "text", "undoes", "session"),
    *("seconds", "token"),
)


def _event_of(row: sa.RowMapping) -> Event:
    fields = {name: row[name] for name in (*_COLUMNS, "at", "id")}
    return Event(**fields | {"kind": EventKind(row["kind"]), "key": rows.key_of(row)})


def _item_row(session: str, position: int, item: Item) -> dict[str, Any]:
    return {name: getattr(item.key, name) for name in rows.KEY} | {
        "session": session,
        "position": position,
        "screen": item.screen,
        "showing": item.showing,
        "code": item.code,
    }
