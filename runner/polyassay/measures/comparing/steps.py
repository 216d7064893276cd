"""By how much one sample can change a unit's value, where samples pass or fail.

The data decides whether they do, and not the measure's name: AvgPassRatio of tasks with one test is
pass@1, and has to give the same answers.
"""

from collections.abc import Sequence

from polyassay.measures.table import RATIO, Measure, Of
from polyassay.measures.units import UnitScore


def is_passing(row: Measure, units: Sequence[UnitScore]) -> bool:
    """Whether the values are made of samples that are 0 or 1 each."""
    if row.passing:
        return True
    if not row.scale.is_share:
        return False
    if row.name == RATIO:
        return all(sample.ratio in (0.0, 1.0) for unit in units for sample in unit.counted)
    if row.of is not Of.SAMPLE:
        return False
    values = (row.value(sample) for unit in units for sample in unit.counted)
    return all(value in (None, 0.0, 1.0) for value in values)


def mean_step(units: Sequence[UnitScore]) -> float:
    """Of samples that pass or fail."""
    return sum(1.0 / max(1, len(unit.counted)) for unit in units) / len(units)
