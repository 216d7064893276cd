"""The answers that RUN, --suite and -c name."""

from collections.abc import Sequence

import click

from polyassay.candidates.sources import read_sources
from polyassay.cli.common import home
from polyassay.errors import PolyAssayError
from polyassay.model import Candidate, Suite
from polyassay.store import Store
from polyassay.suites.registry import Registry


def answers_of(
    store: Store,
    run: str | None,
    suite: str | None,
    names: Sequence[str],
    answer_format: str | None,
    limit: int | None,
) -> tuple[Suite, list[Candidate]]:
    """What was asked, and what is to be graded: from a run, or from files."""
    if bool(run) == bool(names):
        raise click.UsageError("Name either a RUN, or answers with -c.")
    if run is None:
        if suite is None:
            raise click.UsageError("-c needs --suite.")
        loaded = Registry(home()).load(suite)
        sources = read_sources(names, {suite: loaded}, answer_format, False, limit, to_grade=True)
        return loaded, sources.candidates
    found = store.run(run)
    suites = store.suites(found)
    if suite is None and len(suites) == 1:
        (suite,) = suites
    if suite not in suites:
        raise PolyAssayError(
            f"Run {found.id} has the suites {', '.join(suites)}.", hint="Choose with --suite."
        )
    kept = {task.id for task in suites[suite].tasks[:limit]}
    candidates = [
        candidate
        for candidate in store.candidates(found.id)
        if candidate.key.suite == suite and candidate.key.task in kept
    ]
    return suites[suite], candidates
