"""`--without-weak` and `--answered-only`: what remains of a run without some of its tasks."""

from collections.abc import Callable
from dataclasses import replace
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


def answered_only_option(command: Command) -> Command:
    return click.option(
        "--answered-only",
        is_flag=True,
        help="Leave out tasks that some tool has not answered; else they count as failed.",
    )(command)


def leave_out_weak(results: Results, doubtful: Doubts) -> Results:
    """The results without those tasks, and a remark that says so."""
    weak = doubtful.weak & results.tasks.keys()
    rest = results.without(weak)
    if not rest.tasks:
        raise PolyAssayError(
            f"All tasks of run {results.run.id} have weak tests.", hint="Leave --without-weak out."
        )
    told = f"Left out: {counted(len(weak), 'task')} with weak tests."
    return replace(rest, remarks=(*rest.remarks, told))
