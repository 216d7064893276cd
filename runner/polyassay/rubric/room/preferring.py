"""Preferences: two answers in view, and one key says which is better."""

from typing import Any

from polyassay.rubric.preference.choices import Place as PairPlace
from polyassay.rubric.preference.choices import PreferenceSheet, pair_of, sheets
from polyassay.rubric.room.desk import Desk, Field, Option
from polyassay.rubric.room.words import WORDS
from polyassay.store.preferences import Choice, PreferenceEvent, PreferenceKind
from polyassay.store.scores import PREFERENCES

# From left to right as the answers stand; 0 where neither will do.
KEYS = {
    "1": Choice.A_MUCH_BETTER,
    "2": Choice.A_BETTER,
    "3": Choice.TIE,
    "4": Choice.B_BETTER,
    "5": Choice.B_MUCH_BETTER,
    "0": Choice.BOTH_BAD,
}
OPTIONS = tuple(
    Option(key, WORDS[choice.value], WORDS[f"{choice.value}_text"]) for key, choice in KEYS.items()
)


class Preferring(Desk[PreferenceEvent]):
    """Asks which of two answers is better as a whole, and by dimension where that is wanted."""

    kind = PREFERENCES

    def __init__(self, *arguments: Any, by_dimension: bool = False, **more: Any) -> None:
        self._by_dimension = by_dimension
        self._sheets: dict[PairPlace, PreferenceSheet] = {}
        super().__init__(*arguments, **more)

    @property
    def fields(self) -> list[Field]:
        return self.asked

    @property
    def asked(self) -> list[Field]:
        whole = Field(None, "", WORDS["as_a_whole"], OPTIONS)
        if not self._by_dimension:
            return [whole]
        return [*(Field(None, d.id, d.name, OPTIONS) for d in self.rubric.dimensions), whole]

    def given(self, field: Field) -> str | None:
        event = self._sheet(self._screen).choices.get(field.dimension)
        if event is None or event.choice is None:
            return None
        return next(key for key, choice in KEYS.items() if choice is event.choice)

    def comment_on(self, field: Field) -> str:
        return self._sheet(self._screen).comments.get(field.dimension, "")

    def flagged(self, screen: int) -> bool:
        return self._sheet(screen).flagged

    def skipped(self, screen: int) -> bool:
        return self._sheet(screen).skipped

    def settled(self, screen: int) -> bool:
        sheet = self._sheet(screen)
        wanted = {""} | ({d.id for d in self.rubric.dimensions} if self._by_dimension else set())
        return sheet.skipped or sheet.choices.keys() >= wanted

    def skip(self) -> None:
        self._add(PreferenceKind.SKIP)
        self._go_to_open(self._screen)

    def comment(self, text: str) -> None:
        self._add(PreferenceKind.COMMENT, dimension=self.field.dimension, text=text)

    def flag(self) -> None:
        self._add(PreferenceKind.FLAG)

    def _give(self, field: Field, key: str) -> None:
        self._add(PreferenceKind.CHOICE, dimension=field.dimension, choice=KEYS[key])

    def _take_back(self, event: PreferenceEvent) -> None:
        self._add(PreferenceKind.UNDO, undoes=event.id)

    def _screen_of(self, event: PreferenceEvent) -> int:
        place = pair_of(event.a, event.b), event.showing
        return next(n for n in range(len(self.screens)) if self._place(n) == place)

    def _is_about(self, event: PreferenceEvent, field: Field) -> bool:
        return event.dimension == field.dimension

    def _read_sheets(self) -> None:
        self._sheets = sheets(self._events)

    def _add(self, kind: PreferenceKind, **more: Any) -> None:
        a, b = self.answers
        event = PreferenceEvent(
            kind,
            self._grader,
            self.rubric.name,
            a.key,
            b.key,
            a.showing,
            session=self._session,
            seconds=self._looked(),
            **more,
        )
        self._keep(event)

    def _place(self, screen: int) -> PairPlace:
        a, b = self.screens[screen]
        return pair_of(a.key, b.key), a.showing

    def _sheet(self, screen: int) -> PreferenceSheet:
        return self._sheets.get(self._place(screen), PreferenceSheet())
