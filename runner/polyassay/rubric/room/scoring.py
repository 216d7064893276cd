"""Scores by a rubric: each dimension of each answer in view is a field."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from polyassay.model import CandidateKey
from polyassay.rubric.room.desk import Desk, Field, Option
from polyassay.rubric.rubrics import Dimension
from polyassay.rubric.sheets import Place, Sheet, sheets
from polyassay.store.graders import Calibration
from polyassay.store.scores import SCORES, Event, EventKind, Item


class Scoring(Desk[Event]):
    """Two answers are compared on one thing at a time: fields go dimension by dimension."""

    kind = SCORES

    def __init__(
        self, *arguments: Any, known: Mapping[CandidateKey, Calibration] | None = None, **more: Any
    ) -> None:
        """`known` are the calibration items among the items."""
        self._known = known or {}
        self._sheets: dict[Place, Sheet] = {}
        super().__init__(*arguments, **more)
        self._places = {
            _place(item): number for number, screen in enumerate(self.screens) for item in screen
        }

    @property
    def asked(self) -> list[Field]:
        return [Field(None, d.id, d.name, options_of(d)) for d in self.rubric.dimensions]

    @property
    def fields(self) -> list[Field]:
        sides = range(len(self.answers))
        return [replace(field, side=side) for field in self.asked for side in sides]

    def known_of(self, screen: int) -> Calibration | None:
        """Once, when a calibration item comes first; later ones are silent."""
        item = self.screens[screen][0]
        return None if item.showing else self._known.get(item.key)

    def sheet(self, item: Item) -> Sheet:
        return self._sheets.get(_place(item), Sheet())

    def given(self, field: Field) -> str | None:
        score = self.sheet(self._item(field)).scores.get(field.dimension)
        return None if score is None else str(score)

    def comment_on(self, field: Field) -> str:
        return self.sheet(self._item(field)).comments.get(field.dimension, "")

    def flagged(self, screen: int) -> bool:
        return any(self.sheet(item).flagged for item in self.screens[screen])

    def skipped(self, screen: int) -> bool:
        return any(self.sheet(item).skipped for item in self.screens[screen])

    def settled(self, screen: int) -> bool:
        return all(map(self._is_settled, self.screens[screen]))

    def give(self, key: str) -> bool:
        """What was scored before its known scores were shown stays as it was."""
        return self.feedback is None and super().give(key)

    def skip(self) -> None:
        for side, item in enumerate(self.answers):
            if not self._is_done(item):
                self._add(EventKind.SKIP, side)
        self._go_to_open(self._screen)

    def comment(self, text: str) -> None:
        self._add(
            EventKind.COMMENT, self._side(self.field), dimension=self.field.dimension, text=text
        )

    def flag(self) -> None:
        self._add(EventKind.FLAG, self._side(self.field))

    def _last_press(self) -> Event | None:
        last = super()._last_press()
        if last is None or last.showing or last.key not in self._known:
            return last
        scores = self._sheets[_place_of(last)].scores
        return None if scores.keys() >= self.rubric.scales.keys() else last  # they were told

    def _give(self, field: Field, key: str) -> None:
        self._add(EventKind.SCORE, self._side(field), dimension=field.dimension, score=int(key))

    def _take_back(self, event: Event) -> None:
        (side,) = (n for n, item in enumerate(self.answers) if _place(item) == _place_of(event))
        self._add(EventKind.UNDO, side, undoes=event.id)

    def _screen_of(self, event: Event) -> int:
        return self._places[_place_of(event)]

    def _is_about(self, event: Event, field: Field) -> bool:
        return (self.answers[self._side(field)].key, field.dimension) == (
            event.key,
            event.dimension,
        )

    def _read_sheets(self) -> None:
        self._sheets = sheets(self._events)

    def _add(
        self,
        kind: EventKind,
        side: int,
        dimension: str = "",
        score: int | None = None,
        text: str = "",
        undoes: int | None = None,
    ) -> None:
        item = self.answers[side]
        self._keep(
            Event(
                kind,
                self._grader,
                self.rubric.name,
                item.key,
                item.showing,
                dimension,
                score,
                text,
                undoes,
                self._session,
                seconds=self._looked(),
            )
        )

    def _side(self, field: Field) -> int:
        assert field.side is not None
        return field.side

    def _item(self, field: Field) -> Item:
        return self.answers[self._side(field)]

    def _is_done(self, item: Item) -> bool:
        return self.sheet(item).scores.keys() >= self.rubric.scales.keys()

    def _is_settled(self, item: Item) -> bool:
        return self.sheet(item).skipped or self._is_done(item)


def options_of(dimension: Dimension) -> tuple[Option, ...]:
    return tuple(Option(str(p.score), p.label, p.text) for p in dimension.points)


def _place(item: Item) -> Place:
    return item.key, item.showing


def _place_of(event: Event) -> Place:
    return event.key, event.showing
