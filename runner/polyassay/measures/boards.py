"""Which tools may be ranked together: the same suite, conditions and units."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from polyassay.measures.comparable import conditions
from polyassay.measures.doubts import EMPTY, REFERENCE
from polyassay.measures.results import Results
from polyassay.measures.table import Measure
from polyassay.measures.units import UnitScore
from polyassay.rules import judge_again, rules_of
from polyassay.wording import counted


@dataclass(frozen=True, slots=True)
class Board:
    """The tools that were asked the same units of one suite under the same conditions."""

    suite: str
    conditions: dict[str, str]
    prompt_languages: tuple[str, ...]
    units: int  # that each of them was asked
    tools: dict[str, Sequence[UnitScore]] = field(default_factory=dict)
    runs: dict[str, str] = field(default_factory=dict)  # tool → the run that its figures are from


def make_boards(results: Sequence[Results], by: Measure) -> tuple[list[Board], list[str]]:
    """What may be ranked together, and why the rest may not; newer results come first."""
    boards: dict[tuple[object, ...], Board] = {}
    remarks = []
    newest = max((rules_of(result.run.provenance) for result in results), default=0)
    for result in sorted(results, key=lambda result: result.run.created, reverse=True):
        version = rules_of(result.run.provenance)
        if version != newest:
            remarks.append(judge_again(result.run.id, version))
            continue
        if not result.complete:
            remarks.append(f"Run {result.run.id} is not complete.")
            continue
        for suite in result.run.provenance["suites"]:
            under = conditions(result.run, suite)
            for tool, units in result.scores.items():
                own = [unit for unit in units if unit.unit.suite == suite]
                if tool in (REFERENCE, EMPTY) or not own:
                    continue
                if problem := _cannot_rank(own, by):
                    remarks.append(f"{tool} of {result.run.id} {problem} on {suite}.")
                    continue
                asked = frozenset(unit.unit for unit in own)
                languages = tuple(sorted({unit.prompt_language for unit in asked}))
                board = boards.setdefault(
                    (suite, asked, *under.values()), Board(suite, under, languages, len(asked))
                )
                if tool not in board.tools:
                    board.tools[tool], board.runs[tool] = own, result.run.id
    return sorted(boards.values(), key=lambda board: (board.suite, -board.units)), remarks


def _cannot_rank(units: Sequence[UnitScore], by: Measure) -> str:
    fewest = min((len(unit.samples) for unit in units if unit.samples), default=0)
    if fewest < by.needs:
        return f"has {counted(fewest, 'sample')}"
    if all(by.of_unit(unit) is None for unit in units):
        return f"has no {by.title}"
    return ""
