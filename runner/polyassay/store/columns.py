"""Column types that take and refuse the same values in every database.

PostgreSQL refuses NULs, halves of characters, long names and large numbers that SQLite takes, and
SQLite reads a NaN as nothing where PostgreSQL takes it. What one of them refuses is refused here,
in a sentence, before either sees it.
"""

import math
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Dialect, TypeDecorator
from sqlalchemy.exc import DontWrapMixin
from sqlalchemy.types import TypeEngine

from polyassay.errors import PolyAssayError
from polyassay.shown_text import clean

LARGEST = 2**31 - 1  # PostgreSQL's integer
_BYTES = 3  # a character of a name, at most: keys of six names have to fit into one index entry


class Unstorable(PolyAssayError, DontWrapMixin):
    """A value that not every database takes; SQLAlchemy passes it on as it is."""


class String(TypeDecorator[str]):
    """Text of limited length that names something, ordered by its characters' numbers."""

    impl = sa.String
    cache_ok = True

    def __init__(self, length: int) -> None:
        super().__init__(length)
        self.length = length

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """PostgreSQL would order text by the rules of a language."""
        collation = "C" if dialect.name == "postgresql" else None
        return dialect.type_descriptor(sa.String(self.length, collation=collation))

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        if value is not None:
            _refuse_name(value, self.length)
        return value


def _refuse_name(value: str, longest: int) -> None:
    shown = clean(value if len(value) <= 40 else f"{value[:39]}…")
    try:
        size = len(value.encode())
    except UnicodeEncodeError:
        raise Unstorable(
            f'"{shown}" is no name that a store takes: it has half a character.',
            hint="Write it as UTF-8.",
        ) from None
    if "\0" in value:
        raise Unstorable(
            f'"{shown}" is no name that a store takes: it has a NUL.', hint="Take it out."
        )
    if len(value) > longest or size > _BYTES * longest:
        raise Unstorable(
            f'"{shown}" is too long for a name: a store takes {longest} characters.',
            hint="Shorten it.",
        )


class Integer(TypeDecorator[int]):
    """A whole number as large as every database takes."""

    impl = sa.Integer
    cache_ok = True

    def process_bind_param(self, value: int | None, dialect: Dialect) -> int | None:
        if value is not None and not -LARGEST <= value <= LARGEST:
            raise Unstorable(
                f"{value if abs(value) < 10**30 else 'A number'} is larger than a store takes.",
                hint=f"Numbers go up to {LARGEST:,}.",
            )
        return value


class Float(TypeDecorator[float]):
    """A measured number; what is no number (NaN, infinity) is kept as 0."""

    impl = sa.Float
    cache_ok = True

    def process_bind_param(self, value: float | None, dialect: Dialect) -> float | None:
        return 0.0 if value is not None and not math.isfinite(value) else value


class HostileText(TypeDecorator[str]):
    """Text that a tool wrote: NULs and lone surrogates included, which no text column takes."""

    impl = sa.LargeBinary
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> bytes | None:
        return None if value is None else value.encode("utf-8", "surrogatepass")

    def process_result_value(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else bytes(value).decode("utf-8", "surrogatepass")
