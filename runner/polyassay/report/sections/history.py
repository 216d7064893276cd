"""How tools did on a suite over time: the runs of a store whose figures mean the same."""

from collections.abc import Iterator, Sequence

from polyassay.measures.comparable import differences
from polyassay.measures.doubts import EMPTY, REFERENCE
from polyassay.measures.results import Results, load
from polyassay.measures.scores import score
from polyassay.measures.table import measure
from polyassay.measures.units import Scores, Unit, same_for_all
from polyassay.report.score_table import share
from polyassay.report.tables import Cell, Share, Table
from polyassay.report.views import PastRun, SuiteHistory
from polyassay.store import Run, Store
from polyassay.texts import say
from polyassay.wording import counted

METRIC = "pass@1"
_MOST_RUNS = 12  # more than a chart can name
_MOST_CANDIDATES = 200_000  # of other runs: a report must not take longer than its own run does


def histories(store: Store, results: Results) -> list[SuiteHistory]:
    """One for each suite of the run that other runs were judged on in the same way."""
    known = {results.run.id: results}
    found = [
        _history(store, results.run, suite, known) for suite in results.run.provenance["suites"]
    ]
    return [one for one in found if len(one.runs) > 1]


def _history(store: Store, run: Run, suite: str, known: dict[str, Results]) -> SuiteHistory:
    same_suite = [one for one in store.runs() if suite in one.provenance["suites"]]
    alike = [one for one in same_suite if not differences(run, one, suite)]
    chosen = list(_affordable(run, sorted(alike, key=lambda one: one.created, reverse=True)))
    if chosen == [run]:
        return SuiteHistory(suite, (), {}, ())  # nothing to hold it against
    asked = _asked(known[run.id].scores, suite)
    runs, scores = [], []
    for one in sorted(chosen, key=lambda one: one.created):
        found = known[one.id] if one.id in known else known.setdefault(one.id, load(store, one))
        own = _suite_scores(found, suite, asked) if found.complete or one.id == run.id else {}
        if own:
            runs.append(PastRun(one.id, one.label, one.created[:10], one.id == run.id))
            scores.append(own)
    tools = list(dict.fromkeys(tool for own in scores for tool in own))
    points = {tool: tuple(own.get(tool) for own in scores) for tool in tools}
    return SuiteHistory(suite, tuple(runs), points, _notes(len(same_suite), len(alike), len(runs)))


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


def _asked(scores: Scores, suite: str) -> frozenset[Unit]:
    return frozenset(u.unit for units in scores.values() for u in units if u.unit.suite == suite)


def _suite_scores(found: Results, suite: str, asked: frozenset[Unit]) -> dict[str, Share]:
    """Tools that were asked exactly what the shown run asks; others' shares mean something else."""
    own = {}
    for tool, units in same_for_all(found.scores).items():
        kept = [unit for unit in units if unit.unit.suite == suite]
        if tool not in (REFERENCE, EMPTY) and {unit.unit for unit in kept} == asked:
            own[tool] = share(score(kept, [measure(METRIC)])[METRIC])
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
