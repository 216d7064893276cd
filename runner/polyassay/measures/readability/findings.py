"""Linters' findings in the lines that an answer wrote, by class and per 100 lines."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from polyassay.languages import LANGUAGES, imported
from polyassay.measures.readability.linters import CLASSES
from polyassay.model import Language, Program

NAMES = ("findings", *(f"findings_{kind}" for kind in CLASSES))


@dataclass(frozen=True, slots=True)
class Linted:
    """One program; `lines` are those of the answer."""

    source: str
    first: int
    lines: int

    @classmethod
    def of(cls, program: Program) -> "Linted":
        written = program.code.strip("\n").splitlines()
        return cls(program.source, program.first_line, len(written))


def linter_version(language: Language) -> str:
    found: str = imported(LANGUAGES[language].linter_version)()
    return found


def findings(programs: Sequence[Linted], language: Language) -> list[dict[str, float | None]]:
    """One a program; unknown where it has no source, does not parse, or the linter is missing.

    A linter that breaks off is tried on halves, so that one program harms no other.
    """
    lint = imported(LANGUAGES[language].lint)
    if not programs or not linter_version(language):
        return [dict.fromkeys(NAMES) for _ in programs]
    found = lint([program.source for program in programs])
    if found is None:
        if len(programs) == 1:
            return [dict.fromkeys(NAMES)]
        middle = len(programs) // 2
        return findings(programs[:middle], language) + findings(programs[middle:], language)
    counts: list[Counter[str]] = [Counter() for _ in programs]
    broken = {one.program for one in found if not one.kind}
    for one in found:
        program = programs[one.program]
        if one.kind and program.first <= one.line < program.first + program.lines:
            counts[one.program][one.kind] += 1
    return [
        dict.fromkeys(NAMES)
        if number in broken or not program.lines or not program.source.strip()
        else _rates(counts[number], program.lines)
        for number, program in enumerate(programs)
    ]


def _rates(counts: Counter[str], lines: int) -> dict[str, float | None]:
    each: dict[str, float | None] = {
        f"findings_{kind}": 100 * counts[kind] / lines for kind in CLASSES
    }
    return {"findings": 100 * counts.total() / lines, **each}
