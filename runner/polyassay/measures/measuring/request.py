"""What is asked of a measuring helper, and what it answers; both ends import this."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from polyassay.measures.surface.comparing import comparison
from polyassay.model import CandidateKey, Program, Style, Task


class Flavour(StrEnum):
    STANDARD = "standard"
    PUBLISHED = "published"


class Publisher(StrEnum):
    ODEX = "odex"
    EXEDS = "exeds"


@dataclass(frozen=True, slots=True)
class Rules:
    """By which rules surface metrics are computed."""

    flavour: Flavour = Flavour.STANDARD
    publisher: Publisher | None = None  # none: ExeDS for notebook cells, else ODEX
    characters: bool = False  # CodeBLEU as in ODEX's tables: every character is a reference
    passing: bool = False  # other answers that pass are references too

    @property
    def name(self) -> str:
        """Under which the store keeps the values."""
        if self.flavour is Flavour.STANDARD:
            return f"standard{'+passing' if self.passing else ''}"
        parts = ["published", self.publisher or "", "characters" if self.characters else ""]
        return "-".join(part for part in parts if part) + ("+passing" if self.passing else "")

    def publisher_of(self, task: Task) -> Publisher:
        return self.publisher or (Publisher.EXEDS if task.style is Style.CELL else Publisher.ODEX)


@dataclass(frozen=True, slots=True)
class ToMeasure:
    """One answer, and what it is measured with."""

    key: CandidateKey
    code: str  # what was taken from the answer, or all of it where nothing could be
    references: tuple[str, ...]
    language: str
    method: str  # standard, odex, exeds
    characters: bool = False


@dataclass(frozen=True, slots=True)
class MeasuredSample:
    key: CandidateKey
    values: Mapping[str, float | None]  # None: unknown
    counts: Mapping[str, Sequence[float]] = field(default_factory=dict)  # add up over a corpus
    tags: tuple[str, ...] = ()  # how it differs from the reference
    notes: tuple[str, ...] = ()  # "empty", "no reference", "does not parse", or what went wrong


EMPTY, NO_REFERENCE, BROKEN = "empty answer", "no reference", "does not parse"


def to_measure(
    task: Task,
    key: CandidateKey,
    answer: str,
    program: Program,
    rules: Rules,
    others: Sequence[str] = (),
) -> ToMeasure:
    published = rules.flavour is Flavour.PUBLISHED
    code = (program.code or answer) if answer.strip() else ""
    found = comparison(task, code, published, others)
    return ToMeasure(
        key,
        found.answer if found else code,
        found.references if found else (),
        task.language.value,
        str(rules.publisher_of(task)) if published else "standard",
        rules.characters,
    )


def same_references(items: Sequence[ToMeasure]) -> dict[str, Any]:
    """A request for answers that share references, without their keys."""
    first = asdict(items[0])
    del first["key"], first["code"]
    return {**first, "answers": [item.code for item in items]}
