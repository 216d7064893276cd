"""Work that waits for slots, in lanes whose neighbours belong together."""

import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Generic, TypeVar

Work = TypeVar("Work")


@dataclass(slots=True)
class _Lane(Generic[Work]):
    groups: deque[Iterable[Work]]  # that nobody has begun to fetch
    source: Iterator[Work] | None  # None: there is nothing left to fetch
    fetched: deque[Work] = field(default_factory=deque)

    @property
    def over(self) -> bool:
        return self.source is None and not self.fetched


class Lanes(Generic[Work]):
    """One thread refills them, and others take from them.

    A lane that has no more groups goes on with the last one of the lane that has most: there it is
    farthest away from what others have under way, and next to what the following lane began with.
    """

    def __init__(self, lanes: Sequence[Iterable[Iterable[Work]]], jobs: int, ahead: int) -> None:
        self._lanes: list[_Lane[Work]] = [_Lane(deque(groups), iter(())) for groups in lanes]
        self._jobs = jobs
        self._ahead = ahead  # pieces for a slot that are fetched before it wants them
        self._changed = threading.Condition()

    def refill(self) -> int:
        """Fetches as much as there is room for, and says how much that was."""
        count = 0
        room = self._ahead * self._slots()
        for lane in self._lanes:
            wanted = room - len(lane.fetched)
            found: list[Work] = []
            while lane.source is not None and len(found) < wanted:
                some = list(islice(lane.source, wanted - len(found)))
                found += some
                if not some:
                    lane.source = self._next_group(lane)
            with self._changed:
                lane.fetched += found
                self._changed.notify_all()
            count += len(found)
        return count

    def _next_group(self, lane: _Lane[Work]) -> Iterator[Work] | None:
        if lane.groups:
            return iter(lane.groups.popleft())
        longest = max(self._lanes, key=lambda other: len(other.groups))
        return iter(longest.groups.pop()) if longest.groups else None

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
