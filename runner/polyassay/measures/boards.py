"""Which tools may be ranked together: the same suite, conditions and units."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from polyassay.measures.comparable import conditions
from polyassay.measures.doubts import EMPTY, REFERENCE
from polyassay.measures.results import Results
from polyassay.measures.table import Measure
from polyassay.measures.units import Unit, UnitScore
from polyassay.rules import judge_again, rules_of
from polyassay.wording import counted, some


@dataclass(frozen=True, slots=True)
class Board:
    """The tools that were asked the same units of one suite under the same conditions."""

    suite: str
    conditions: dict[str, str]
    asked: frozenset[Unit]  # of each of them
    prompt_language: str = ""  # the only one whose units count, where one was chosen
    tools: dict[str, Sequence[UnitScore]] = field(default_factory=dict)
    runs: dict[str, str] = field(default_factory=dict)  # tool → the run that its figures are from

    @property
    def units(self) -> int:
        return len(self.asked)

    @property
    def tasks(self) -> int:
        """Fewer than the units where a task is put in several prompt languages."""
        return len({unit.task for unit in self.asked})

    @property
    def prompt_languages(self) -> tuple[str, ...]:
        return tuple(sorted({unit.prompt_language for unit in self.asked}))


class _Asked(NamedTuple):
    """What one tool of one run was asked of one suite."""

    result: Results
    suite: str
    tool: str
    units: list[UnitScore]

    def __str__(self) -> str:
        return f"{self.tool} of {self.result.run.id} on {self.suite}"


def make_boards(
    results: Sequence[Results], by: Measure, prompt_language: str = ""
) -> tuple[list[Board], list[str]]:
    """What may be ranked together, and why the rest may not; newer results come first.

    With a prompt language only its units count, so tools meet that share no other one.
    """
    boards: dict[tuple[object, ...], Board] = {}
    remarks = []
    because: dict[str, list[str]] = {}
    newest = max((rules_of(result.run.provenance) for result in results), default=0)
    for result in sorted(results, key=lambda result: result.run.created, reverse=True):
        version = rules_of(result.run.provenance)
        if version != newest:
            remarks.append(judge_again(result.run.id, version))
        elif not result.complete:
            remarks.append(f"Run {result.run.id} is not complete.")
        else:
            for one in _asked(result):
                _place(boards, because, one, by, prompt_language)
    remarks += [f"{why}: {some(names, 3)}." for why, names in because.items()]
    return sorted(boards.values(), key=lambda board: (board.suite, -board.units)), remarks


def _asked(result: Results) -> Iterator[_Asked]:
    for suite in result.run.provenance["suites"]:
        for tool, units in result.scores.items():
            own = [unit for unit in units if unit.unit.suite == suite]
            if own and tool not in (REFERENCE, EMPTY):
                yield _Asked(result, suite, tool, own)


def _place(
    boards: dict[tuple[object, ...], Board],
    because: dict[str, list[str]],
    one: _Asked,
    by: Measure,
    language: str,
) -> None:
    """Puts a tool on its board, or its name below the reason why it has none."""
    own = [unit for unit in one.units if not language or unit.unit.prompt_language == language]
    if problem := _cannot_rank(own, by) if own else f"Not asked in {language}":
        because.setdefault(problem, []).append(str(one))
        return
    under = conditions(one.result.run, one.suite)
    asked = frozenset(unit.unit for unit in own)
    board = boards.setdefault(
        (one.suite, asked, *under.values()), Board(one.suite, under, asked, language)
    )
    if one.tool not in board.tools:
        board.tools[one.tool], board.runs[one.tool] = own, one.result.run.id


def _cannot_rank(units: Sequence[UnitScore], by: Measure) -> str:
    fewest = min((len(unit.samples) for unit in units if unit.samples), default=0)
    if fewest < by.needs:
        return f"Only {counted(fewest, 'sample')} of a task, and {by.title} needs {by.needs}"
    if all(by.of_unit(unit) is None for unit in units):
        return f"No {by.title}"
    return ""


def samples_told(units: Sequence[UnitScore]) -> str:
    """How many a tool gave of a task that it answered: 5, or 1–5 where they differ."""
    counts = [len(unit.samples) for unit in units if unit.samples] or [0]
    return str(min(counts)) if min(counts) == max(counts) else f"{min(counts)}–{max(counts)}"
