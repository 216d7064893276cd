"""`--fail-under MEASURE=VALUE`, for CI; a share may be told in per cent."""

import re
from dataclasses import dataclass

from polyassay.errors import PolyAssayError
from polyassay.measures.scores import ToolScore
from polyassay.measures.table import Measure, measure


@dataclass(frozen=True, slots=True)
class Threshold:
    measure: Measure
    value: float

    def missed_by(self, score: ToolScore, strict: bool = False) -> bool:
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

    def doubt(self, tool: str, score: ToolScore) -> str:
        """What is to be said of a value on the bad side that may be on the good one; else empty."""
        found = score[self.measure.name]
        if self.missed_by(score) or not self.missed_by(score, strict=True) or not found.interval:
            return ""
        better = self.measure.more_is_better
        reached = found.interval.high if better else found.interval.low
        return (
            f"{tool}: {self.measure.name} is {self._told(found.number)}, "
            f"{'under' if better else 'over'} {self._told(self.value)}, but not surely: it may be "
            f"{self._told(reached)}. --strict would fail."
        )

    def _told(self, value: float) -> str:
        return f"{value * 100:.1f} %" if self.measure.scale.is_share else f"{value:g}"

    def __str__(self) -> str:
        return f"{self.measure.name} {self.value:g}"


def parse_threshold(text: str) -> Threshold:
    name, _, number = text.strip().rpartition("=")
    found = re.fullmatch(r"(-?(?:\d+\.?\d*|\.\d+))\s*(%?)", number)
    if not name or not found:
        raise PolyAssayError(
            f'"{text}" is no threshold.',
            hint="Give a measure and a number, such as pass@1=45% or avg_pass_ratio=0.6.",
        )
    row = measure(name)
    if found[2] and not row.scale.is_share:
        raise PolyAssayError(
            f'"{text}" is no threshold: {row.title} is no share.', hint="Leave the % out."
        )
    value = float(found[1]) / (100 if found[2] else 1)
    low, high = row.scale.low, row.scale.high
    if (low is not None and value < low) or (high is not None and value > high):
        raise PolyAssayError(
            f'"{text}" is no threshold: {row.title} lies between {low:g} and {high:g}.'
            if low is not None and high is not None
            else f'"{text}" is no threshold: {row.title} is never below {low:g}.',
            hint="Give a share, such as pass@1=0.45, or per cent: pass@1=45%."
            if row.scale.is_share
            else "Give another number.",
        )
    return Threshold(row, value)
