"""How long graders looked at each item, and in which order."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from statistics import median

from polyassay.rubric.room.desk import PAUSE
from polyassay.rubric.sheets import Place, live
from polyassay.store.scores import Event, EventKind

QUICK = 0.25  # of the usual time: too short to read an answer
FLOOR = 3.0  # seconds


@dataclass(frozen=True, slots=True)
class Looked:
    place: Place
    order: int  # of this grader's items, from 0
    seconds: float | None  # none: not known, or the grader was away


def looks(events: Iterable[Event]) -> dict[str, list[Looked]]:
    """Grader → what they scored in a session, in order; imported scores have no time."""
    given: dict[str, dict[Place, list[Event]]] = {}
    for event in live(events):
        if event.kind is EventKind.SCORE and event.session is not None:
            place = (event.key, event.showing)
            given.setdefault(event.grader, {}).setdefault(place, []).append(event)
    return {grader: _in_order(items) for grader, items in sorted(given.items())}


def _in_order(items: dict[Place, list[Event]]) -> list[Looked]:
    """`seconds` of an event counts from when its screen came; older stores have only the hour."""
    ordered = sorted(items.items(), key=lambda item: item[1][-1].id)
    ends = [datetime.fromisoformat(events[-1].at) for _, events in ordered]
    gaps = [None, *((after - before).total_seconds() for before, after in pairwise(ends))]
    found = []
    for order, ((place, events), gap) in enumerate(zip(ordered, gaps, strict=True)):
        told = [event.seconds for event in events if event.seconds is not None]
        seconds = max(told) if told else gap
        away = seconds is not None and seconds >= PAUSE
        found.append(Looked(place, order, None if away else seconds))
    return found


def usual_seconds(every: Iterable[Iterable[Looked]]) -> float | None:
    """The median over graders of each one's median, so that one who hurries does not set it."""
    known = [[one.seconds for one in of if one.seconds is not None] for of in every]
    medians = [median(of) for of in known if of]
    return median(medians) if medians else None


def too_fast(looked: Iterable[Looked], usual: float | None) -> list[Looked]:
    """Items that nobody can have read: under three seconds, or a quarter of the usual time."""
    least = max(FLOOR, QUICK * usual if usual else 0.0)
    return [one for one in looked if one.seconds is not None and one.seconds < least]
