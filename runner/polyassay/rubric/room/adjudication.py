"""Disagreements between graders, decided one after the other."""

from collections.abc import Callable, Sequence

from polyassay.model import CandidateKey
from polyassay.rubric.agreement import Disagreement
from polyassay.rubric.rubrics import Dimension, Rubric
from polyassay.rubric.sheets import live
from polyassay.store.scores import Event, EventKind

Question = tuple[CandidateKey, str]  # an answer and a dimension


class Adjudication:
    """What is in view, and what each key does; `record` returns when an event is durable."""

    def __init__(
        self,
        rubric: Rubric,
        grader: str,
        found: Sequence[Disagreement],
        events: Sequence[Event],
        record: Callable[[Event], Event],
    ) -> None:
        self._rubric, self._grader = rubric, grader
        self.found = tuple(found)
        self._events = [e for e in events if e.kind in (EventKind.DECISION, EventKind.UNDO)]
        self._record = record
        self._own: list[Event] = []  # what was decided in this sitting
        self._number = 0

    @property
    def number(self) -> int:
        return self._number

    @property
    def finished(self) -> bool:
        return self._number >= len(self.found)

    @property
    def current(self) -> Disagreement:
        return self.found[self._number]

    @property
    def dimension(self) -> Dimension:
        dimension = self._rubric.dimension(self.current.dimension)
        assert dimension is not None
        return dimension

    @property
    def decision(self) -> Event | None:
        """The decision that holds for what is in view."""
        return self._decision(self.current)

    @property
    def decided(self) -> int:
        """How many of these disagreements have a decision."""
        return sum(self._decision(one) is not None for one in self.found)

    def _decision(self, one: Disagreement) -> Event | None:
        question = (one.key, one.dimension)
        made = [e for e in live(self._events) if (e.key, e.dimension) == question]
        return made[-1] if made else None

    def decide(self, points: int) -> bool:
        """Gives points and moves on; False where the dimension has no such points."""
        if not self.dimension.low <= points <= self.dimension.high:
            return False
        before = self.decision
        self._add(points, before.text if before else "")
        self._number += 1
        return True

    def comment(self, text: str) -> bool:
        """Says why; False where nothing is decided yet, because a comment belongs to a decision."""
        before = self.decision
        if before is None or before.score is None:
            return False
        self._add(before.score, text)
        return True

    def undo(self) -> bool:
        """Takes the last decision of this sitting back and goes there; False if there is none."""
        if not self._own:
            return False
        last = self._own.pop()
        question = (last.key, last.dimension)
        self._number = next(
            n for n, one in enumerate(self.found) if (one.key, one.dimension) == question
        )
        taken = Event(
            EventKind.UNDO,
            self._grader,
            self._rubric.name,
            last.key,
            dimension=last.dimension,
            undoes=last.id,
        )
        self._events.append(self._record(taken))
        return True

    def go(self, step: int) -> None:
        """To the one before or after, decided or not."""
        self._number = max(0, min(len(self.found), self._number + step))

    def _add(self, points: int, text: str) -> None:
        one = self.current
        decision = Event(
            EventKind.DECISION,
            self._grader,
            self._rubric.name,
            one.key,
            dimension=one.dimension,
            score=points,
            text=text,
        )
        kept = self._record(decision)
        self._events.append(kept)
        self._own.append(kept)
