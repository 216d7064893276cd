"""The mutable values that worker and judge both hold, each its own copy of them.

Whichever side changes one, the other learns of it with the next message, so that a list that was
returned, kept or handed in is one list to a test, as it would be in one process.
"""

import operator
import sys
from typing import Any, Dict, List, Optional, Tuple

_same_object, _references = operator.is_, sys.getrefcount
_MAPPINGS = (dict,)


class Shared:
    """Numbers values in the order in which they crossed; both sides count alike."""

    def __init__(self) -> None:
        self.next = 0
        self._values: Dict[int, Any] = {}
        self._numbers: Dict[int, int] = {}  # by identity; the values are kept, so none is reused
        self._held: Dict[int, Tuple[Any, ...]] = {}  # when both sides last agreed

    def add(self, value: Any) -> int:
        number, self.next = self.next, self.next + 1
        self._values[number] = value
        self._numbers[id(value)] = number
        return number

    def number_of(self, value: Any) -> Optional[int]:
        return self._numbers.get(id(value))

    def value_of(self, number: int) -> Any:
        return self._values[number]

    def changed(self) -> List[int]:
        """What no longer holds the very same objects."""
        return [
            number
            for number, value in self._values.items()
            if not _same(self._held[number], _contents(value))
        ]

    def agree(self, numbers: List[int], since: int) -> None:
        """The other side knows these, and what was added since, as they are now."""
        for number in (*numbers, *range(since, self.next)):
            self._held[number] = _contents(self._values[number])

    def back_to(self, count: int) -> None:
        """As before those were added, which never crossed."""
        while self.next > count:
            self.next -= 1
            self._drop(self.next)

    def forget(self, numbers: List[int]) -> None:
        for number in numbers:
            self._drop(number)

    def forget_unused(self) -> List[int]:
        """Drops values that cannot be reached here any more; a container goes before its items.

        What was changed is kept for once, because the other side may still have it.
        """
        dropped = []
        changed = set(self.changed())
        for number in list(self._values):
            if number not in changed and _holders(self._values, number) <= _NOBODY:
                self._drop(number)
                dropped.append(number)
        return dropped

    def _drop(self, number: int) -> None:
        value = self._values.pop(number)
        del self._numbers[id(value)]
        self._held.pop(number, None)


def _holders(values: Dict[int, Any], number: int) -> int:
    value = values[number]
    return _references(value)


_NOBODY = _holders({0: []}, 0)


def _contents(value: Any) -> Tuple[Any, ...]:
    if isinstance(value, _MAPPINGS):
        return (*value, *value.values())
    if hasattr(value, "tobytes"):
        return (value.tobytes(),)
    return tuple(value)


def _same(before: Tuple[Any, ...], now: Tuple[Any, ...]) -> bool:
    if len(before) != len(now):
        return False
    return all(map(_same_object, before, now)) or _same_array(before, now)


def _same_array(before: Tuple[Any, ...], now: Tuple[Any, ...]) -> bool:
    """Arrays are known by their bytes, which are new ones each time."""
    return len(now) == 1 and type(now[0]) is bytes is type(before[0]) and before[0] == now[0]
