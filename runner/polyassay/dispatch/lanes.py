"""Work that waits for slots, in lanes whose neighbours belong together."""

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Generic, TypeVar

Work = TypeVar("Work")


@dataclass(slots=True)
class _Lane(Generic[Work]):
    groups: deque[Iterable[Work]]  # that nobody has begun to fetch
    source: Iterator[Work] = field(default_factory=lambda: iter(()))  # the group under way
    fetched: deque[Work] = field(default_factory=deque)
    ended: bool = False  # there is nothing left to fetch, here or elsewhere

    @property
    def over(self) -> bool:
        return self.ended and not self.fetched


class Lanes(Generic[Work]):
    """One thread refills them, and others take from them.

    A lane that has no more groups goes on with the last one of the lane that has most: there it is
    farthest away from what others have under way, and next to what the following lane began with.
    """

    def __init__(self, lanes: Sequence[Iterable[Iterable[Work]]], jobs: int, ahead: int) -> None:
        self._lanes: list[_Lane[Work]] = [_Lane(deque(groups)) for groups in lanes]
        self._jobs = jobs
        self._ahead = ahead  # pieces for a slot that are fetched before it wants them
        self._changed = threading.Condition()

    def refill(self) -> int:
        """Fetches as much as there is room for, and says how much that was.

        All lanes fetch of their own groups first, so that nobody takes what another has room for.
        """
        room = self._ahead * self._slots()
        own = [self._fetch(lane, room, _own_group) for lane in self._lanes]
        return sum(own) + sum(self._fetch(lane, room, self._last_group) for lane in self._lanes)

    def _fetch(
        self,
        lane: _Lane[Work],
        room: int,
        next_group: Callable[[_Lane[Work]], Iterable[Work] | None],
    ) -> int:
        wanted = room - len(lane.fetched)
        found = list(islice(_pieces(lane, next_group), wanted))
        with self._changed:  # both at once, or a slot would take the lane to be over
            lane.fetched += found
            lane.ended = len(found) < wanted and not any(other.groups for other in self._lanes)
            self._changed.notify_all()
        return len(found)

    def _last_group(self, lane: _Lane[Work]) -> Iterable[Work] | None:
        longest = max(self._lanes, key=lambda other: len(other.groups))
        return longest.groups.pop() if longest.groups else None

    def take(self, slot: int, most: int) -> list[Work]:
        """Waits for work in the slot's lane, or in another one once that is over.

        Nothing: all of them are over.
        """
        with self._changed:
            while lane := self._lane_of(slot):
                if lane.fetched:
                    count = min(most, self._share(lane))
                    return [lane.fetched.popleft() for _ in range(count)]
                self._changed.wait()
        return []

    def _lane_of(self, slot: int) -> _Lane[Work] | None:
        going_on = self._open()
        if not going_on:
            return None
        own = self._lanes[slot % len(self._lanes)]
        return max(going_on, key=lambda lane: len(lane.fetched)) if own.over else own

    def _share(self, lane: _Lane[Work]) -> int:
        """What there is for each slot at it, lest one takes what another could do meanwhile."""
        return max(len(lane.fetched) // self._slots(), 1)

    def _slots(self) -> int:
        """That work in a lane."""
        return -(-self._jobs // max(len(self._open()), 1))

    def _open(self) -> list[_Lane[Work]]:
        return [lane for lane in self._lanes if not lane.over]


def _pieces(
    lane: _Lane[Work], next_group: Callable[[_Lane[Work]], Iterable[Work] | None]
) -> Iterator[Work]:
    """Of the group under way, and then of the next ones."""
    while True:
        for piece in lane.source:  # noqa: UP028 - `yield from` would close it when this is left
            yield piece
        group = next_group(lane)
        if group is None:
            return
        lane.source = iter(group)


def _own_group(lane: _Lane[Work]) -> Iterable[Work] | None:
    return lane.groups.popleft() if lane.groups else None
