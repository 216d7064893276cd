"""`--fail-under` and `--strict`, which `score` and `compare` share."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from polyassay.cli.common import messages
from polyassay.measures.scores import ToolScore
from polyassay.measures.thresholds import Threshold

THRESHOLD_MISSED = 100  # the exit code

Command = TypeVar("Command", bound=Callable[..., Any])


def fail_under_options(command: Command) -> Command:
    strict = click.option(
        "--strict", is_flag=True, help="--fail-under looks at the value, not at its interval."
    )
    return click.option(
        "--fail-under",
        metavar="MEASURE=VALUE",
        help="Exit 100 if the 95 % interval lies below this, as in pass@1=45% or pass@1=0.45.",
    )(strict(command))


def misses(threshold: Threshold, tool: str, score: ToolScore, strict: bool) -> bool:
    """Whether a tool misses it; where it passes only because its interval is wide, says so."""
    if not strict and (told := threshold.doubt(tool, score)):
        messages().print(told, markup=False, soft_wrap=True)
    return threshold.missed_by(score, strict)
