"""Samples of the columns that a store keeps for scores.

Of a million verdicts few differ in what scores need, so samples that are alike are one object:
that is what makes them fit into memory.
"""

import json
from collections.abc import Iterator, Mapping
from itertools import chain

from polyassay.measures.taxonomy import SETTLED, TAXONOMY, Failure, failure_of
from polyassay.measures.units import Sample, TaskKey, Unit
from polyassay.model import Judging, Outcome, Task
from polyassay.store import Run, Store
from polyassay.store.figures import VerdictFigures

_KEPT = 200_000  # different samples that are remembered at once


def kept_samples(store: Store, run: Run) -> Iterator[tuple[str, Unit, Sample]]:
    """All that were judged, with their tools and units, in the order of their keys."""
    known: dict[tuple[object, ...], Sample] = {}
    units: dict[tuple[str, str, str], Unit] = {}
    for row in chain.from_iterable(VerdictFigures(store).all(run.id)):
        suite, task, tool, language = row[:4]
        look = row[4:]  # the sample's number, and all that scores need
        sample = known.get(look)
        if sample is None:
            if len(known) >= _KEPT:
                known.clear()
            sample = known[look] = _sample(*look)
        unit = units.get((suite, task, language))
        if unit is None:
            unit = units[suite, task, language] = Unit(suite, task, language)
        yield tool, unit, sample


def _sample(
    number: int,
    ending: str,
    passed: int,
    total: int,
    judged: str,
    recorded: str | None,
    failure: str | None,
) -> Sample:
    more = json.loads(recorded) if recorded else {}
    outcome, sets, solved_by = Outcome(ending), more.get("sets", {}), more.get("solved_by")
    return Sample(
        number=number,
        outcome=outcome,
        ratio=passed / total if total and outcome.counts else 0.0,
        judged=Judging(judged),
        tests=(passed, total),
        solved_by=solved_by["set"] if solved_by else "",
        sets={name: s["passed"] / s["total"] if s["total"] else 0.0 for name, s in sets.items()},
        measures=more.get("measures", {}),
        flags=tuple(more.get("flags", ())),
        failure=Failure(failure) if failure else None,
    )


def settle_failures(store: Store, run: Run, tasks: Mapping[TaskKey, Task]) -> None:
    """Finds out why verdicts failed, once for each: it is in their bodies, which are many."""
    figures = VerdictFigures(store)
    if figures.are_settled(run.id, TAXONOMY):
        return
    figures.settle_failures(run.id, TAXONOMY, SETTLED)
    for page in figures.unsettled(run.id, TAXONOMY):
        found = [
            (verdict.candidate, failure_of(verdict, tasks[key.suite, key.task]))
            for verdict in page
            for key in [verdict.candidate]
        ]
        figures.save_failures(run.id, TAXONOMY, found)
