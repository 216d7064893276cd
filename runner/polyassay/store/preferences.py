"""Which of two answers a grader prefers: a log of choices, never changed or deleted.

A preference session is a grading session of the kind `preferences`: its items stand two on a
screen, the first on the left (A), the second on the right (B). Choices are kept with their sides,
so that it can be told later whether a grader leans to one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from polyassay.model import CandidateKey
from polyassay.store import Store, schema
from polyassay.store.scores import append_rows


class Choice(StrEnum):
    """A is the answer on the left, B the one on the right."""

    A_MUCH_BETTER = "a_much_better"
    A_BETTER = "a_better"
    TIE = "tie"
    B_BETTER = "b_better"
    B_MUCH_BETTER = "b_much_better"
    BOTH_BAD = "both_bad"


class PreferenceKind(StrEnum):
    CHOICE = "choice"
    SKIP = "skip"
    COMMENT = "comment"  # the last one of a dimension counts; an empty one takes it away
    FLAG = "flag"  # on, off, on, …
    UNDO = "undo"


@dataclass(frozen=True, slots=True)
class PreferenceEvent:
    """A key press of a grader who has two answers in view."""

    kind: PreferenceKind
    grader: str
    rubric: str
    a: CandidateKey
    b: CandidateKey
    showing: int = 0  # 1: the same two again, sides swapped
    dimension: str = ""  # empty: which is better as a whole
    choice: Choice | None = None
    text: str = ""
    undoes: int | None = None
    session: str | None = None
    seconds: float | None = None
    token: str | None = None  # a sender's own number: the same one again changes nothing
    at: str = ""  # the store fills in when it was, and its number
    id: int = 0


class Preferences:
    """The part of a store that holds preferences; all is durable when a method returns."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def append(self, event: PreferenceEvent) -> PreferenceEvent:
        (kept,) = self.append_all([event])
        return kept

    def append_all(self, events: Sequence[PreferenceEvent]) -> list[PreferenceEvent]:
        """All of them or none; one whose token is known comes back as it was kept first."""
        table = schema.preference_events
        return append_rows(self._store, table, [_row(event) for event in events], _event_of)

    def events(self, **wanted: str) -> list[PreferenceEvent]:
        """The key presses whose columns have these values, in their order."""
        table = schema.preference_events
        query = sa.select(table).filter_by(**wanted).order_by(table.c.id)
        with self._store._transaction() as connection:
            return [_event_of(row) for row in connection.execute(query).mappings()]


_PLAIN = (
    *("grader", "rubric", "showing", "dimension", "text", "undoes"),
    *("session", "seconds", "token"),
)
_PROMPT = ("suite", "task", "prompt_language")


def _row(event: PreferenceEvent) -> dict[str, Any]:
    plain = {name: getattr(event, name) for name in _PLAIN}
    return plain | {
        **{name: getattr(event.a, name) for name in _PROMPT},
        "tool_a": event.a.tool,
        "sample_a": event.a.sample,
        "tool_b": event.b.tool,
        "sample_b": event.b.sample,
        "kind": event.kind.value,
        "choice": event.choice.value if event.choice else "",
    }


def _event_of(row: sa.RowMapping) -> PreferenceEvent:
    def key(side: str) -> CandidateKey:
        tool, sample = row[f"tool_{side}"], row[f"sample_{side}"]
        return CandidateKey(row["suite"], row["task"], tool, row["prompt_language"], sample)

    return PreferenceEvent(
        kind=PreferenceKind(row["kind"]),
        a=key("a"),
        b=key("b"),
        choice=Choice(row["choice"]) if row["choice"] else None,
        at=row["at"],
        id=row["id"],
        **{name: row[name] for name in _PLAIN},
    )
