"""Cases that show where a measure and tests part ways."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from polyassay.model import CandidateKey


@dataclass(frozen=True, slots=True)
class JudgedSample:
    """A sample that counts, with what tests and measures say of it."""

    key: CandidateKey
    passed: bool
    values: dict[str, float | None]
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Contradiction:
    key: CandidateKey
    passed: bool
    measure: str
    value: float
    tags: tuple[str, ...]


def mine(samples: Iterable[JudgedSample], measure: str, most: int) -> list[Contradiction]:
    """Passes with the lowest values, then failures with the highest; one a task and tool each."""
    known = [(value, s) for s in samples if (value := s.values.get(measure)) is not None]
    passes = sorted((p for p in known if p[1].passed), key=lambda p: (p[0], p[1].key))
    fails = sorted((p for p in known if not p[1].passed), key=lambda p: (-p[0], p[1].key))
    return [
        Contradiction(sample.key, sample.passed, measure, value, sample.tags)
        for side in (passes, fails)
        for value, sample in _first_of_each(side)[:most]
    ]


def _first_of_each(pairs: Sequence[tuple[float, JudgedSample]]) -> list[tuple[float, JudgedSample]]:
    kept: dict[tuple[str, str, str], tuple[float, JudgedSample]] = {}
    for pair in pairs:
        key = pair[1].key
        kept.setdefault((key.suite, key.task, key.tool), pair)
    return list(kept.values())
