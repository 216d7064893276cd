"""One change of a program's source."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from polyassay.harness import Harness
from polyassay.model import Program, Task

_SHOWN = 60  # characters of either side of a change


class Kind(StrEnum):
    """What was changed."""

    OPERATOR = "operator"
    CONSTANT = "constant"
    CONDITION = "condition"
    BOUNDARY = "boundary"
    CALL = "call"  # left out
    RETURN = "return"


@dataclass(frozen=True, slots=True)
class CodeChange:
    """A piece of a source, by its bytes, and what stands there instead."""

    kind: Kind
    line: int
    start: int
    end: int
    text: str

    def applied(self, source: bytes) -> str:
        return (source[: self.start] + self.text.encode() + source[self.end :]).decode()

    def described(self, source: bytes) -> str:
        """line 3, boundary: a < b → a <= b."""
        before = source[self.start : self.end].decode()
        after = self.text[1:-1] if self.text.startswith("(") and before[:1] != "(" else self.text
        return f"line {self.line}, {self.kind}: {_short(before)} → {_short(after) or '(nothing)'}"


def _short(text: str) -> str:
    line = re.sub(r"\s+", " ", text).strip()
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"


class Mutations(Protocol):
    """What one language contributes; a row of the table of languages names it."""

    def changes(self, source: str, first: int, last: int) -> Sequence[CodeChange]:
        """All changes of nodes that begin in these lines, in the order of the source."""
        ...

    def fingerprint(self, task: Task, program: Program, harness: Harness) -> bytes:
        """Of what the program compiles to: equal where two are the same; empty: it does not."""
        ...
