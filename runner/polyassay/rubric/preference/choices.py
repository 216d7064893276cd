"""From the log of choices to what holds now."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from polyassay.model import CandidateKey
from polyassay.rubric.sheets import Remarks, live
from polyassay.store.preferences import Choice, PreferenceEvent, PreferenceKind

Pair = tuple[CandidateKey, CandidateKey]  # sorted, so that sides do not matter
Place = tuple[Pair, int]  # two answers, shown for the first time (0) or again (1)

STEPS = {  # how far A is ahead, in steps
    Choice.A_MUCH_BETTER: 2,
    Choice.A_BETTER: 1,
    Choice.TIE: 0,
    Choice.BOTH_BAD: 0,
    Choice.B_BETTER: -1,
    Choice.B_MUCH_BETTER: -2,
}


@dataclass(slots=True)
class PreferenceSheet(Remarks):
    """What one grader said about two answers."""

    choices: dict[str, PreferenceEvent] = field(default_factory=dict)  # dimension → choice

    def take(self, event: PreferenceEvent) -> None:
        self.remark(event)
        if event.kind is PreferenceKind.CHOICE:
            self.choices[event.dimension] = event
            self.skipped = False


@dataclass(frozen=True, slots=True)
class Preference:
    """A choice that holds."""

    a: CandidateKey  # was on the left
    b: CandidateKey
    grader: str
    dimension: str  # empty: as a whole
    choice: Choice
    seconds: float | None = None
    comment: str = ""
    showing: int = 0  # 1: again, with the sides swapped

    @property
    def pair(self) -> Pair:
        return pair_of(self.a, self.b)

    def ahead(self, tool: str) -> int:
        """By how many steps a tool's answer is preferred; negative where the other one is."""
        return STEPS[self.choice] if self.a.tool == tool else -STEPS[self.choice]


def pair_of(a: CandidateKey, b: CandidateKey) -> Pair:
    return (a, b) if a <= b else (b, a)


def sheets(events: Iterable[PreferenceEvent]) -> dict[Place, PreferenceSheet]:
    """One grader's sheets."""
    found: dict[Place, PreferenceSheet] = {}
    for event in live(events):
        place = pair_of(event.a, event.b), event.showing
        found.setdefault(place, PreferenceSheet()).take(event)
    return found


def preferences(events: Iterable[PreferenceEvent]) -> list[Preference]:
    """All choices that hold, in the order of grader, answers and dimension."""
    by_grader: dict[str, list[PreferenceEvent]] = {}
    for event in events:
        by_grader.setdefault(event.grader, []).append(event)
    return [
        Preference(
            *(event.a, event.b, grader, dimension, event.choice),
            seconds=event.seconds,
            comment=sheet.comments.get(dimension, ""),
            showing=showing,
        )
        for grader, mine in sorted(by_grader.items())
        for (_, showing), sheet in sorted(sheets(mine).items(), key=lambda item: item[0])
        for dimension, event in sorted(sheet.choices.items())
        if event.choice is not None
    ]
