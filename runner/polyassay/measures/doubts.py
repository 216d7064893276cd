"""Tasks whose tests deserve less trust, so that footnotes can say how many there are."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from polyassay.measures.units import TaskKey, UnitScore
from polyassay.model import Task

REFERENCE, EMPTY = "reference", "empty"  # the built-in tools


@dataclass(frozen=True, slots=True)
class Doubts:
    weak: frozenset[TaskKey]  # an empty answer passes
    flaky: frozenset[TaskKey]  # the suite says that results vary
    reference_fails: frozenset[TaskKey]


def doubts(
    tasks: Iterable[Task],
    scores: Mapping[str, Sequence[UnitScore]],
    weak: Collection[TaskKey] = (),
    reference_fails: Collection[TaskKey] = (),
) -> Doubts:
    """What is known already, what tags say, and what the built-in tools show where they ran."""
    tagged: dict[str, set[TaskKey]] = {"weak": set(), "flaky": set(), "reference-fails": set()}
    for task in tasks:
        for tag in tagged.keys() & set(task.tags):
            tagged[tag].add((task.suite, task.id))
    empty = {u.unit.task_key for u in scores.get(EMPTY, ()) if u.passed}
    failing = {u.unit.task_key for u in scores.get(REFERENCE, ()) if u.counted and not u.passed}
    return Doubts(
        frozenset(tagged["weak"] | empty | set(weak)),
        frozenset(tagged["flaky"]),
        frozenset(tagged["reference-fails"] | failing | set(reference_fails)),
    )
