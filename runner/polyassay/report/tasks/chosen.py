"""Which tasks of a run get a page of their own: of a large run not all of them.

A page shows every answer to its task, so what pages cost in time and space grows with verdicts.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from polyassay.errors import PolyAssayError
from polyassay.measures.units import Scores, TaskKey, UnitScore
from polyassay.wording import counted

ALL, DIFFERING = "all", "differing"
MANY = 20_000  # verdicts on the pages of a report, unless more is asked for
MANY_IN_A_FILE = 4_000  # and in a single file, where there are more than MANY in the run


@dataclass(frozen=True, slots=True)
class WantedPages:
    """What was asked for, or what a run of this size gets where nothing was."""

    differing: bool = False  # only tasks on which the two best tools differ
    most: int | None = None  # those that differ most

    @property
    def all(self) -> bool:
        return not self.differing and self.most is None


ALL_PAGES = WantedPages()


def wanted_pages(asked: str | None, verdicts: int, tasks: int, single_file: bool) -> WantedPages:
    """As --tasks says; without it, all unless that is too much to write or to send."""
    if asked is None:
        if verdicts <= MANY:
            return ALL_PAGES
        budget = MANY_IN_A_FILE if single_file else MANY
        return WantedPages(most=max(1, budget * tasks // verdicts))
    if asked in (ALL, DIFFERING):
        return WantedPages(differing=asked == DIFFERING)
    if asked.isdecimal():
        return WantedPages(most=int(asked))
    raise PolyAssayError(
        f'"{asked}" does not say which tasks get a page.',
        hint="--tasks takes all, differing, or how many of those that differ most.",
    )


def number_pages(
    wanted: WantedPages, tasks: Iterable[TaskKey], scores: Scores, pair: Sequence[str]
) -> dict[TaskKey, int]:
    """Pages by number, because a task's id may hold anything; in the suites' order."""
    scored = {unit.unit.task_key for units in scores.values() for unit in units}
    every = [key for key in tasks if key in scored]
    chosen = every if wanted.all else _most_different(every, scores, pair)[: wanted.most]
    kept = set(chosen)
    return {key: i for i, key in enumerate(key for key in every if key in kept)}


def _most_different(
    tasks: Sequence[TaskKey], scores: Scores, pair: Sequence[str]
) -> Sequence[TaskKey]:
    """Tasks of which the two tools solve another share, largest difference first."""
    if len(pair) != 2:
        return tasks
    first, second = ({unit.unit: unit for unit in scores[tool]} for tool in pair)
    by: dict[TaskKey, float] = {}
    for unit in first.keys() | second.keys():
        a, b = first.get(unit), second.get(unit)
        if _solved(a) != _solved(b):
            key, much = unit.task_key, abs(_ratio(b) - _ratio(a))
            by[key] = max(by.get(key, 0.0), much)
    return sorted((key for key in tasks if key in by), key=lambda key: -by[key])


def _solved(unit: UnitScore | None) -> float:
    return unit.passed / len(unit.samples) if unit and unit.samples else 0.0


def _ratio(unit: UnitScore | None) -> float:
    return unit.ratio if unit else 0.0


def pages_note(
    wanted: WantedPages, pages: Mapping[TaskKey, int], tasks: int, pair: Sequence[str]
) -> str:
    """What a reader must know about pages that are not there; empty where all are."""
    if len(pages) == tasks:
        return ""
    which = f", those on which {' and '.join(pair)} differ" if len(pair) == 2 else ""
    which += " most" if which and wanted.most is not None else ""
    has = "has a page" if len(pages) == 1 else "have pages"
    told = f"Of {counted(tasks, 'task')} {len(pages):,} {has}{which if pages else ''}."
    return f"{told} The list has all; `polyassay report --tasks all` writes all pages."
