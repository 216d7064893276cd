"""One tool's figures: a value a measure, with its interval and how many samples know it."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from polyassay.measures.measuring.names import HIGHEST
from polyassay.measures.measuring.request import EMPTY, Flavour
from polyassay.measures.measuring.rows import Row, by_unit
from polyassay.measures.surface.corpus import FROM_SUMS
from polyassay.measures.worth.resampling import draws, numbered, percentiles
from polyassay.statistics.clusters import Interval, by_cluster
from polyassay.statistics.intervals import mean_interval

RESAMPLES = 1000


@dataclass(frozen=True, slots=True)
class Figure:
    value: float
    interval: Interval | None
    known: int  # samples
    unknown: int


@dataclass(frozen=True, slots=True)
class ToolFigures:
    tool: str
    tasks: int
    samples: int
    empty: int  # answers; their surface metrics are 0
    figures: dict[str, Figure | None]  # None: no sample knows it
    corpus: dict[str, Figure]  # of a corpus taken as one text, where the metric can be


def tool_figures(tool: str, rows: Sequence[Row], flavour: Flavour, best_of: int = 0) -> ToolFigures:
    """As the publishers aggregate in their flavour: over all samples, BLEU and ChrF from sums.

    In the standard flavour a task's samples are averaged first, as for all other measures.
    """
    kept = _best(rows, best_of) if best_of else list(rows)
    names = list(dict.fromkeys(name for row in kept for name in row.sample.values))
    published = flavour is Flavour.PUBLISHED
    corpus = {
        name: found
        for name in FROM_SUMS[flavour]
        if (found := _from_sums(kept, name, flavour)) is not None
    }
    figures = {name: _mean(kept, name, by_task=not published) for name in names}
    if published and not best_of:
        figures |= corpus
    return ToolFigures(
        tool,
        len(by_unit(rows)),
        len(rows),
        sum(EMPTY in row.sample.notes for row in rows),
        figures,
        corpus,
    )


def _mean(rows: Sequence[Row], name: str, by_task: bool) -> Figure | None:
    known = [(row, value) for row in rows if (value := row.value(name)) is not None]
    if not known:
        return None
    values: list[float]
    clusters: list[Hashable]
    if by_task:
        units: dict[object, list[float]] = {}
        cluster_of: dict[object, Hashable] = {}
        for row, value in known:
            units.setdefault(row.unit, []).append(value)
            cluster_of[row.unit] = row.cluster
        values = [sum(of) / len(of) for of in units.values()]
        clusters = [cluster_of[unit] for unit in units]
    else:
        values, clusters = [v for _, v in known], [row.cluster for row, _ in known]
    interval = mean_interval(by_cluster(values, clusters), 0.0, HIGHEST.get(name))
    mean = sum(values) / len(values)
    ends = interval if np.isfinite(interval.low) and np.isfinite(interval.high) else None
    return Figure(mean, ends, len(known), len(rows) - len(known))


def _from_sums(rows: Sequence[Row], name: str, flavour: Flavour) -> Figure | None:
    known = [row for row in rows if name in row.sample.counts]
    if not known:
        return None
    score = FROM_SUMS[flavour][name]
    counts = np.array([row.sample.counts[name] for row in known], float)
    clusters = numbered([row.cluster for row in known])
    sums = np.zeros((int(clusters.max()) + 1, counts.shape[1]))
    np.add.at(sums, clusters, counts)
    drawn = draws(len(sums), RESAMPLES) @ sums
    interval = percentiles(np.array([score(row) for row in drawn])) if len(sums) > 1 else None
    value = score([float(x) for x in counts.sum(0)])
    return Figure(value, interval, len(known), len(rows) - len(known))


def _best(rows: Sequence[Row], most: int) -> list[Row]:
    """Of each unit, one row that has the best value of each measure among its first samples."""
    best = []
    for of in by_unit(rows).values():
        first = sorted(of, key=lambda row: row.key.sample)[:most]
        names = dict.fromkeys(name for row in first for name in row.sample.values)
        values = {
            name: max(known)
            if (known := [v for r in first if (v := r.value(name)) is not None])
            else None
            for name in names
        }
        sample = type(first[0].sample)(first[0].key, values)
        best.append(Row(first[0].key, first[0].task, first[0].cluster, sample, first[0].passed))
    return best
