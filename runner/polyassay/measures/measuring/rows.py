"""Measured samples with what is known of their tasks: what figures are made of."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

from polyassay.measures.measuring.request import MeasuredSample
from polyassay.measures.units import TaskKey, Unit, UnitScore
from polyassay.model import CandidateKey, Task


@dataclass(frozen=True, slots=True)
class Row:
    key: CandidateKey
    task: Task
    cluster: Hashable
    sample: MeasuredSample
    passed: bool | None = None  # none: it was not judged, or does not count

    @property
    def unit(self) -> Unit:
        return Unit(self.key.suite, self.key.task, self.key.prompt_language)

    def value(self, name: str) -> float | None:
        return self.sample.values.get(name)


def rows_of(
    samples: Iterable[MeasuredSample],
    tasks: Mapping[TaskKey, Task],
    passed: Mapping[CandidateKey, bool] | None = None,
) -> list[Row]:
    clusters: dict[Unit, Hashable] = {}
    rows = []
    for sample in samples:
        key = sample.key
        task = tasks[key.suite, key.task]
        unit = Unit(key.suite, key.task, key.prompt_language)
        if unit not in clusters:
            clusters[unit] = UnitScore(unit, task, (), ()).cluster
        judged = passed.get(key) if passed is not None else None
        rows.append(Row(key, task, clusters[unit], sample, judged))
    return rows


def by_tool(rows: Iterable[Row]) -> dict[str, list[Row]]:
    tools: dict[str, list[Row]] = {}
    for row in rows:
        tools.setdefault(row.key.tool, []).append(row)
    return tools


def by_unit(rows: Iterable[Row]) -> dict[Unit, list[Row]]:
    units: dict[Unit, list[Row]] = {}
    for row in rows:
        units.setdefault(row.unit, []).append(row)
    return units
