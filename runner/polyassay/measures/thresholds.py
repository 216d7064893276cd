"""`--fail-under METRIC=VALUE`, for CI."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from polyassay.errors import PolyAssayError
from polyassay.measures.scores import Score
from polyassay.statistics.compare import RATIO

THRESHOLD_MISSED = 100  # the exit code

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Threshold:
    k: int | None  # of pass@k; None: AvgPassRatio
    value: float

    def missed_by(self, score: Score) -> bool:
        found = score.pass_at[self.k] if self.k else score.avg_pass_ratio
        return found.value < self.value

    def __str__(self) -> str:
        return f"{f'pass@{self.k}' if self.k else RATIO} {self.value:g}"


def parse_threshold(text: str) -> Threshold:
    found = re.fullmatch(rf"(?:pass@([1-9]\d*)|{RATIO})=(0?\.\d+|[01](?:\.0*)?)", text.strip())
    if not found:
        raise PolyAssayError(
            f'"{text}" is no threshold.',
            hint=f"Give pass@1=0.45 or {RATIO}=0.6, with a value from 0 to 1.",
        )
    return Threshold(int(found[1]) if found[1] else None, float(found[2]))


def fail_under_option(command: Command) -> Command:
    return click.option(
        "--fail-under", metavar="METRIC=VALUE", help="Exit 100 below this, as in pass@1=0.45."
    )(command)
