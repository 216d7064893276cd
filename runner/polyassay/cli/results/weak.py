"""`--without-weak`: what remains without the tasks whose tests are weak."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from polyassay.errors import PolyAssayError
from polyassay.measures.doubts import Doubts
from polyassay.measures.results import Results
from polyassay.wording import counted

Command = TypeVar("Command", bound=Callable[..., Any])


def without_weak_option(command: Command) -> Command:
    return click.option(
        "--without-weak",
        is_flag=True,
        help="Leave out tasks whose tests are weak (see `suites check --mutants`).",
    )(command)


def leave_out_weak(results: Results, doubtful: Doubts) -> tuple[Results, list[str]]:
    """The results without those tasks, and a line that says so."""
    weak = doubtful.weak & results.tasks.keys()
    rest = results.without(weak)
    if not rest.tasks:
        raise PolyAssayError(
            f"All tasks of run {results.run.id} have weak tests.", hint="Leave --without-weak out."
        )
    return rest, [f"Left out: {counted(len(weak), 'task')} with weak tests."]
