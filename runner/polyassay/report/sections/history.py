"""How tools did on a suite over time: the runs of a store whose figures mean the same."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from polyassay.measures.comparable import differences
from polyassay.measures.doubts import EMPTY, REFERENCE
from polyassay.measures.results import Results, load
from polyassay.measures.scores import score
from polyassay.measures.table import HEADLINE, Measure
from polyassay.measures.units import Scores, Unit, same_for_all
from polyassay.report.score_table import estimate_cell
from polyassay.report.tables import Cell, Table
from polyassay.report.views import PastRun, SuiteHistory
from polyassay.store import Run, Store
from polyassay.texts import say
from polyassay.wording import counted

_MOST_RUNS = 12  # more than a chart can name
_MOST_CANDIDATES = 200_000  # of other runs: a report must not take longer than its own run does


def histories(store: Store, results: Results, by: Measure = HEADLINE) -> list[SuiteHistory]:
    """One for each suite of the run that other runs were judged on in the same way."""
    known = {results.run.id: results}
    found = [
        history_of(store, results.run, _asked(results.scores, suite), known, by)
        for suite in results.run.provenance["suites"]
    ]
    return [one for one in found if len(one.runs) > 1]


@dataclass(frozen=True, slots=True)
class HistoryOf:
    """What a history is about; with a prompt language, others than this do not count."""

    suite: str
    units: frozenset[Unit]
    prompt_language: str = ""

    def counts(self, unit: Unit) -> bool:
        return unit.suite == self.suite and self.prompt_language in ("", unit.prompt_language)


def history_of(
    store: Store, run: Run, asked: HistoryOf, known: dict[str, Results], by: Measure
) -> SuiteHistory:
    """Of the runs that were judged as this one was; `known`: what was loaded already."""
    suite = asked.suite
    same_suite = [one for one in store.runs() if suite in one.provenance["suites"]]
    alike = [one for one in same_suite if not differences(run, one, suite)]
    chosen = list(_affordable(run, sorted(alike, key=lambda one: one.created, reverse=True)))
    if chosen == [run]:
        return SuiteHistory(suite, by.title, (), {}, ())  # nothing to hold it against
    runs, scores = [], []
    for one in sorted(chosen, key=lambda one: one.created):
        found = known[one.id] if one.id in known else known.setdefault(one.id, load(store, one))
        own = _suite_scores(found, asked, by) if found.complete or one.id == run.id else {}
        if own:
            runs.append(PastRun(one.id, one.label, one.created[:10], one.id == run.id))
            scores.append(own)
    tools = list(dict.fromkeys(tool for own in scores for tool in own))
    points = {tool: tuple(own.get(tool) for own in scores) for tool in tools}
    notes = _notes(len(same_suite), len(alike), len(runs))
    return SuiteHistory(suite, by.title, tuple(runs), points, notes)


def _affordable(run: Run, newest_first: Sequence[Run]) -> Iterator[Run]:
    """The run itself and the newest others, as many as are read in reasonable time."""
    read = 0
    others = 0
    for one in newest_first:
        if one.id == run.id:
            yield one
            continue
        read += sum(one.provenance["candidates"]["tools"].values())
        if others + 1 < _MOST_RUNS and read <= _MOST_CANDIDATES:
            others += 1
            yield one


def _asked(scores: Scores, suite: str) -> HistoryOf:
    units = (unit.unit for units in scores.values() for unit in units)
    return HistoryOf(suite, frozenset(unit for unit in units if unit.suite == suite))


def _suite_scores(found: Results, asked: HistoryOf, by: Measure) -> dict[str, Cell]:
    """Tools that were asked exactly what the shown run asks; others' shares mean something else."""
    own = {}
    for tool, units in same_for_all(found.scores).items():
        kept = [unit for unit in units if asked.counts(unit.unit)]
        if tool not in (REFERENCE, EMPTY) and {unit.unit for unit in kept} == asked.units:
            own[tool] = estimate_cell(score(kept, [by])[by.name], by)
    return own


def _notes(of_suite: int, alike: int, shown: int) -> tuple[str, ...]:
    notes = []
    if of_suite > alike:
        notes.append(
            say(
                "Not shown, because they were judged on another version or in another way: {runs}.",
                runs=counted(of_suite - alike, "run"),
            )
        )
    if alike > shown:
        notes.append(
            say(
                "Not shown, because they are older, not complete or asked other tasks: {runs}.",
                runs=counted(alike - shown, "run"),
            )
        )
    return tuple(notes)


def history_table(history: SuiteHistory) -> Table:
    """One line a run, one column a tool."""
    rows: list[tuple[Cell, ...]] = [
        (one.name, one.date, *(points[place] for points in history.points.values()))
        for place, one in enumerate(history.runs)
    ]
    return Table((say("run"), say("date"), *history.points), tuple(rows), history.notes)
