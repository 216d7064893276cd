"""Samples of the columns that a store keeps for scores.

Of a million verdicts few differ in what scores need, so samples that are alike are one object:
that is what makes them fit into memory.
"""

import json
from collections.abc import Iterator, Mapping

from polyassay.measures.taxonomy import SETTLED, TAXONOMY, Failure, failure_of
from polyassay.measures.units import Sample, TaskKey, Unit
from polyassay.model import Judging, Outcome, Task
from polyassay.store import Run, Store
from polyassay.store.figures import Figures, VerdictFigures

_KEPT = 200_000  # different samples that are remembered at once


def kept_samples(store: Store, run: Run) -> Iterator[tuple[str, Unit, Sample]]:
    """All that were judged, with their tools and units, in the order of their keys."""
    known: dict[tuple[object, ...], Sample] = {}
    units: dict[tuple[str, str, str], Unit] = {}
    for row in VerdictFigures(store).all(run.id):
        look = row[4:]
        sample = known.get(look)
        if sample is None:
            if len(known) >= _KEPT:
                known.clear()
            sample = known[look] = _sample(row)
        place = row.suite, row.task, row.prompt_language
        unit = units.get(place)
        if unit is None:
            unit = units[place] = Unit(*place)
        yield row.tool, unit, sample


def _sample(row: Figures) -> Sample:
    recorded = json.loads(row.recorded) if row.recorded else {}
    outcome, sets = Outcome(row.outcome), recorded.get("sets", {})
    solved_by = recorded.get("solved_by")
    return Sample(
        number=row.sample,
        outcome=outcome,
        ratio=row.passed / row.total if row.total and outcome.counts else 0.0,
        judged=Judging(row.judged),
        tests=(row.passed, row.total),
        solved_by=solved_by["set"] if solved_by else "",
        sets={name: s["passed"] / s["total"] if s["total"] else 0.0 for name, s in sets.items()},
        measures=recorded.get("measures", {}),
        flags=tuple(recorded.get("flags", ())),
        failure=Failure(row.failure) if row.failure else None,
    )


def settle_failures(store: Store, run: Run, tasks: Mapping[TaskKey, Task]) -> None:
    """Finds out why verdicts failed, once for each: it is in their bodies, which are many."""
    figures = VerdictFigures(store)
    figures.settle_failures(run.id, TAXONOMY, SETTLED)
    for page in figures.unsettled(run.id, TAXONOMY):
        found = [
            (verdict.candidate, failure_of(verdict, tasks[key.suite, key.task]))
            for verdict in page
            for key in [verdict.candidate]
        ]
        figures.save_failures(run.id, TAXONOMY, found)
