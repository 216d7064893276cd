"""Tasks whose tests deserve less trust, so that footnotes can say how many there are."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from polyassay.measures.units import TaskKey, UnitScore
from polyassay.model import Task

REFERENCE, EMPTY = "reference", "empty"  # the built-in tools
_NONE: frozenset[TaskKey] = frozenset()


@dataclass(frozen=True, slots=True)
class Doubts:
    passes_empty: frozenset[TaskKey] = _NONE  # an empty answer passes
    catches_little: frozenset[TaskKey] = _NONE  # most mutants of the reference pass
    flaky: frozenset[TaskKey] = _NONE  # measured, or the suite says that results vary
    reference_fails: frozenset[TaskKey] = _NONE

    @property
    def weak(self) -> frozenset[TaskKey]:
        return self.passes_empty | self.catches_little


def doubts(
    tasks: Iterable[Task], scores: Mapping[str, Sequence[UnitScore]], known: Doubts
) -> Doubts:
    """What is known already, what tags say, and what the built-in tools show where they ran."""
    tagged: dict[str, set[TaskKey]] = {"weak": set(), "flaky": set(), "reference-fails": set()}
    keys = set()
    for task in tasks:
        keys.add((task.suite, task.id))
        for tag in tagged.keys() & set(task.tags):
            tagged[tag].add((task.suite, task.id))
    empty = {u.unit.task_key for u in scores.get(EMPTY, ()) if u.passed}
    failing = {u.unit.task_key for u in scores.get(REFERENCE, ()) if u.counted and not u.passed}
    return Doubts(
        frozenset(tagged["weak"] | empty | known.passes_empty) & keys,
        known.catches_little & keys,
        frozenset(tagged["flaky"] | known.flaky) & keys,
        frozenset(tagged["reference-fails"] | failing | known.reference_fails) & keys,
    )
