"""Tools side by side on tasks that both solved: there, only how the code is written differs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from polyassay.measures.measuring.rows import Row, by_tool, by_unit
from polyassay.measures.units import Unit
from polyassay.measures.worth.agreement import Agreed
from polyassay.measures.worth.resampling import draws, numbered, percentiles
from polyassay.measures.worth.summary import BUILT_IN


@dataclass(frozen=True, slots=True)
class SolvedPair:
    a: str
    b: str
    tasks: int  # that both solved
    differences: Mapping[str, Agreed]  # measure → b minus a; n: tasks in which both are known


def solved_pairs(rows: Sequence[Row], measures: Sequence[str]) -> list[SolvedPair]:
    """A task's value is the mean over the samples that pass."""
    solving = {
        tool: by_unit(row for row in of if row.passed)
        for tool, of in by_tool(rows).items()
        if tool not in BUILT_IN
    }
    pairs = []
    for a, b in combinations(sorted(solving), 2):
        both = sorted(solving[a].keys() & solving[b].keys())
        if both:
            differences = {
                name: _difference(name, both, solving[a], solving[b]) for name in measures
            }
            pairs.append(SolvedPair(a, b, len(both), differences))
    return pairs


def _difference(
    name: str,
    units: Sequence[Unit],
    first: Mapping[Unit, Sequence[Row]],
    second: Mapping[Unit, Sequence[Row]],
) -> Agreed:
    found, clusters = [], []
    for unit in units:
        a, b = _mean(name, first[unit]), _mean(name, second[unit])
        if a is not None and b is not None:
            found.append(b - a)
            clusters.append(first[unit][0].cluster)
    if not found:
        return Agreed(None, None, 0)
    index = numbered(clusters)
    sums = np.bincount(index, weights=np.array(found))
    sizes = np.bincount(index).astype(float)
    weights = draws(len(sums))
    drawn = (weights @ sums) / (weights @ sizes)
    interval = percentiles(drawn) if len(sums) > 1 else None
    return Agreed(float(np.mean(found)), interval, len(found))


def _mean(name: str, rows: Sequence[Row]) -> float | None:
    known = [value for row in rows if (value := row.value(name)) is not None]
    return sum(known) / len(known) if known else None
