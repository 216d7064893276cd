"""From the log of key presses to what holds now."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from polyassay.model import CandidateKey
from polyassay.store.scores import Event, EventKind

Place = tuple[CandidateKey, int]  # an answer, shown for the first time (0) or again (1)


class Undoable(Protocol):
    """A key press of any log."""

    @property
    def kind(self) -> str: ...
    @property
    def dimension(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def id(self) -> int: ...
    @property
    def undoes(self) -> int | None: ...


@dataclass(slots=True)
class Remarks:
    """What one grader said beside scores or choices."""

    comments: dict[str, str] = field(default_factory=dict)  # dimension → text
    flagged: bool = False
    skipped: bool = False

    def remark(self, event: Undoable) -> None:
        if event.kind == EventKind.COMMENT:
            self.comments[event.dimension] = event.text
        elif event.kind == EventKind.FLAG:
            self.flagged = not self.flagged
        elif event.kind == EventKind.SKIP:
            self.skipped = True


@dataclass(slots=True)
class Sheet(Remarks):
    """What one grader said about one answer."""

    scores: dict[str, int] = field(default_factory=dict)  # dimension → score

    def take(self, event: Event) -> None:
        self.remark(event)
        if event.kind is EventKind.SCORE:
            assert event.score is not None
            self.scores[event.dimension] = event.score
            self.skipped = False


@dataclass(frozen=True, slots=True)
class Score:
    """A score that holds, in the terms of the files that people exchange."""

    key: CandidateKey
    grader: str
    dimension: str
    score: int
    comment: str = ""
    showing: int = 0
    decision: bool = False


Press = TypeVar("Press", bound=Undoable)


def live(events: Iterable[Press]) -> list[Press]:
    """The key presses that were not taken back."""
    known = list(events)
    undone = {event.undoes for event in known if event.kind == EventKind.UNDO}
    return [e for e in known if e.kind != EventKind.UNDO and e.id not in undone]


def sheets(events: Iterable[Event]) -> dict[Place, Sheet]:
    """One grader's sheets."""
    found: dict[Place, Sheet] = {}
    for event in live(events):
        found.setdefault((event.key, event.showing), Sheet()).take(event)
    return found


def scores(events: Iterable[Event]) -> list[Score]:
    """All scores and decisions that hold, in the order of grader, answer and dimension."""
    found: list[Score] = []
    known = list(events)
    for grader in sorted({event.grader for event in known}):
        mine = [event for event in known if event.grader == grader]
        given = [event for event in mine if event.kind is not EventKind.DECISION]
        for (key, showing), sheet in sorted(sheets(given).items(), key=lambda item: item[0]):
            for dimension, score in sheet.scores.items():
                comment = sheet.comments.get(dimension, "")
                found.append(Score(key, grader, dimension, score, comment, showing))
    return found + _decisions(known)


def _decisions(events: Sequence[Event]) -> list[Score]:
    """Of each disagreement the last decision, whoever made it."""
    last: dict[tuple[CandidateKey, str], Score] = {}
    for event in live(events):
        if event.kind is EventKind.DECISION and event.score is not None:
            last[event.key, event.dimension] = Score(
                event.key, event.grader, event.dimension, event.score, event.text, decision=True
            )
    return [last[place] for place in sorted(last)]


def first_showings(given: Iterable[Score]) -> list[Score]:
    """What enters means and agreement: an item that was shown again counts once."""
    return [score for score in given if not score.showing and not score.decision]
