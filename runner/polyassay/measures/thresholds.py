"""`--fail-under MEASURE=VALUE`, for CI."""

import re
from dataclasses import dataclass

from polyassay.errors import PolyAssayError
from polyassay.measures.scores import Score
from polyassay.measures.table import Measure, measure


@dataclass(frozen=True, slots=True)
class Threshold:
    measure: Measure
    value: float

    def missed_by(self, score: Score, strict: bool = False) -> bool:
        """Whether the whole 95 % interval is on the bad side; `strict`: whether the value is.

        What is unknown misses every threshold.
        """
        found = score[self.measure.name]
        if found.value is None:
            return True
        reached = found.value
        if found.interval and not strict:
            better = self.measure.more_is_better
            reached = found.interval.high if better else found.interval.low
        return reached < self.value if self.measure.more_is_better else reached > self.value

    def __str__(self) -> str:
        return f"{self.measure.name} {self.value:g}"


def parse_threshold(text: str) -> Threshold:
    name, _, number = text.strip().rpartition("=")
    if not name or not re.fullmatch(r"-?(\d+\.?\d*|\.\d+)", number):
        raise PolyAssayError(
            f'"{text}" is no threshold.',
            hint="Give a measure and a number, such as pass@1=0.45 or avg_pass_ratio=0.6.",
        )
    row, value = measure(name), float(number)
    low, high = row.scale.low, row.scale.high
    if (low is not None and value < low) or (high is not None and value > high):
        raise PolyAssayError(
            f'"{text}" is no threshold: {row.title} lies between {low:g} and {high:g}.'
            if low is not None and high is not None
            else f'"{text}" is no threshold: {row.title} is never below {low:g}.',
            hint="Give a share from 0 to 1, such as pass@1=0.45.",
        )
    return Threshold(row, value)
