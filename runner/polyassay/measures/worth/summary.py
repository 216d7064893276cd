"""All that is said of what a run's measures are worth."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from polyassay.measures.measuring.rows import Row, by_tool, by_unit
from polyassay.measures.surface.values import NAMES as SURFACE
from polyassay.measures.worth.agreement import (
    Agreed,
    BestThreshold,
    Quintile,
    auc,
    auc_within,
    best_threshold,
    correlation,
    quintiles,
)
from polyassay.measures.worth.mining import JudgedSample
from polyassay.measures.worth.tools import Ranking, rank_tools

BUILT_IN = ("reference", "empty")


@dataclass(frozen=True, slots=True)
class Worth:
    """One measure against passing."""

    measure: str
    passed: int
    failed: int
    auc: Agreed
    correlation: Agreed
    within: Agreed
    quintiles: Sequence[Quintile]
    threshold: BestThreshold | None
    ranking: Ranking | None
    confounders: Mapping[str, Agreed]  # the AUC within groups: a language, a domain, short ones


def judged_rows(rows: Sequence[Row]) -> list[Row]:
    """Those that tests said something about, by tools that are not our own."""
    return [row for row in rows if row.passed is not None and row.key.tool not in BUILT_IN]


def worth(rows: Sequence[Row], measures: Sequence[str]) -> list[Worth]:
    """Measures that at least one judged sample knows, in the order given."""
    judged = judged_rows(rows)
    found = []
    for name in measures:
        known = [row for row in judged if row.value(name) is not None]
        if known:
            found.append(_worth(name, known))
    return found


def known_measures(rows: Sequence[Row]) -> list[str]:
    """Surface metrics first."""
    names = dict.fromkeys(name for row in rows for name in row.sample.values)
    return sorted(names, key=lambda name: (name not in SURFACE, list(names).index(name)))


def _worth(name: str, rows: Sequence[Row]) -> Worth:
    values = [value for row in rows if (value := row.value(name)) is not None]
    passed = [bool(row.passed) for row in rows]
    clusters = [row.cluster for row in rows]
    units = [row.unit for row in rows]
    return Worth(
        name,
        sum(passed),
        len(passed) - sum(passed),
        auc(values, passed, clusters),
        correlation(values, passed, clusters),
        auc_within(values, passed, units, clusters),
        quintiles(values, passed),
        best_threshold(values, passed, clusters),
        _ranking(name, rows),
        _confounders(name, rows),
    )


def _ranking(name: str, rows: Sequence[Row]) -> Ranking | None:
    measure: dict[str, dict[Hashable, float]] = {}
    tests: dict[str, dict[Hashable, float]] = {}
    clusters: dict[Hashable, Hashable] = {}
    for tool, of_tool in by_tool(rows).items():
        for unit, of_unit in by_unit(of_tool).items():
            values = [v for row in of_unit if (v := row.value(name)) is not None]
            measure.setdefault(tool, {})[unit] = sum(values) / len(values)
            passes = [float(bool(row.passed)) for row in of_unit]
            tests.setdefault(tool, {})[unit] = sum(passes) / len(passes)
            clusters[unit] = of_unit[0].cluster
    return rank_tools(measure, tests, clusters)


def _confounders(name: str, rows: Sequence[Row]) -> dict[str, Agreed]:
    """If a measure tells passes from failures only because tasks differ, it fails within groups."""
    groups: dict[str, list[Row]] = {}
    lengths = sorted(len(row.task.reference) for row in rows)
    middle = lengths[len(lengths) // 2]
    for row in rows:
        task = row.task
        length = "short" if len(task.reference) < middle else "long"
        labels = [
            f"{length} references",
            f"prompts in {row.key.prompt_language}",
            task.language.value,
            f"{task.domain} domain" if task.domain else "",
        ]
        for label in filter(None, labels):
            groups.setdefault(label, []).append(row)
    return {
        label: auc(
            [row.value(name) or 0.0 for row in of],
            [bool(row.passed) for row in of],
            [row.cluster for row in of],
            resamples=200,
        )
        for label, of in sorted(groups.items())
        if len(of) < len(rows)
    }


def judged_samples(rows: Sequence[Row]) -> list[JudgedSample]:
    """What the mining of cases takes."""
    return [
        JudgedSample(row.key, bool(row.passed), dict(row.sample.values), row.sample.tags)
        for row in judged_rows(rows)
    ]
