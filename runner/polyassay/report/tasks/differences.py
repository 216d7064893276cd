"""How two texts of code differ, line by line."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

_MOST_LINES = 400  # beyond that the comparison takes longer than anyone would read


@dataclass(frozen=True, slots=True)
class DiffLine:
    sign: str  # "+", "-" or " "
    text: str


def line_difference(first: str, second: str) -> tuple[DiffLine, ...]:
    """Nothing where the texts are equal or too long."""
    a, b = first.strip("\n").splitlines(), second.strip("\n").splitlines()
    if a == b or max(len(a), len(b)) > _MOST_LINES:
        return ()
    return tuple(_lines(a, b))


def _lines(a: list[str], b: list[str]) -> Iterator[DiffLine]:
    for tag, start, end, other_start, other_end in SequenceMatcher(None, a, b, False).get_opcodes():
        if tag == "equal":
            yield from (DiffLine(" ", text) for text in a[start:end])
            continue
        yield from (DiffLine("-", text) for text in a[start:end])
        yield from (DiffLine("+", text) for text in b[other_start:other_end])
