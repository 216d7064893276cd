"""Samples of the columns that a store keeps for scores.

Of a million verdicts few differ in what scores need, so samples that are alike are one object:
that is what makes them fit into memory.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from polyassay.measures.taxonomy import SETTLED, TAXONOMY, Failure, failure_of
from polyassay.measures.units import Sample, TaskKey, Unit
from polyassay.model import Judging, Outcome, Task, Verdict
from polyassay.store import Failures, Run, Store
from polyassay.store.figures import VerdictFigures

_KEPT = 200_000  # different samples that are remembered at once


def kept_samples(store: Store, run: Run) -> Iterator[tuple[str, Unit, Sample]]:
    """All that were judged, with their tools and units, in the order of their keys."""
    known: dict[tuple[object, ...], Sample] = {}
    units: dict[Unit, Unit] = {}
    head: tuple[object, ...] = ()
    for row in chain.from_iterable(VerdictFigures(store).all(run.id)):
        if row[:4] != head:  # samples of one unit follow each other
            suite, task, tool, language = head = row[:4]
            unit = Unit(suite, task, language)
            unit = units.setdefault(unit, unit)
        look = row[4:]  # the sample's number, and all that scores need
        sample = known.get(look)
        if sample is None:
            if len(known) >= _KEPT:
                known.clear()
            sample = known[look] = _sample(*look)
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


def named_failures(verdicts: Sequence[Verdict], tasks: Mapping[TaskKey, Task]) -> Failures:
    """Why verdicts failed, to be kept with them: later their bodies would have to be read."""
    keys = [(verdict.candidate.suite, verdict.candidate.task) for verdict in verdicts]
    names = [failure_of(verdict, tasks[key]) for verdict, key in zip(verdicts, keys, strict=True)]
    return Failures(TAXONOMY, names)


def settle_failures(store: Store, run: Run, tasks: Mapping[TaskKey, Task]) -> None:
    """Finds out why verdicts failed where an older version stored or named them.

    That is in their bodies, which are many: it is done once for each.
    """
    figures = VerdictFigures(store)
    if figures.are_settled(run.id, TAXONOMY):
        return
    figures.settle_failures(run.id, TAXONOMY, SETTLED)
    for page in figures.unsettled(run.id, TAXONOMY):
        names = named_failures(page, tasks).names
        keys = [verdict.candidate for verdict in page]
        figures.save_failures(run.id, TAXONOMY, list(zip(keys, names, strict=True)))
