"""The answers that RUN, --suite and -c name."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from pathlib import Path

import click

from polyassay.candidates.sources import read_sources
from polyassay.cli.common import home
from polyassay.errors import PolyAssayError
from polyassay.model import Candidate, CandidateKey, Style, Suite
from polyassay.rubric.answers import codes_of
from polyassay.store import Store
from polyassay.store.scores import Scores
from polyassay.study.file import read_study
from polyassay.study.variants import variants
from polyassay.suites.registry import Registry


def answers_of(
    store: Store,
    run: str | None,
    suite: str | None,
    names: Sequence[str],
    answer_format: str | None,
    limit: int | None,
    study: Path | None = None,
) -> tuple[Suite, list[Candidate]]:
    """What was asked, and what is to be graded: from a run, from files, or from a study."""
    if sum(map(bool, (run, names, study))) != 1:
        raise click.UsageError("Name either a RUN, or answers with -c, or a --study.")
    if study is not None:
        suite, names, limit = _of_study(study, suite, limit)
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


def _of_study(
    file: Path, suite: str | None, limit: int | None
) -> tuple[str, Sequence[str], int | None]:
    """The suite, the answer files and the limit that a study file names."""
    found = read_study(file)
    loaded = {name: Registry(home()).load(name) for name in found.suites}
    graded = [name for name in loaded if any(t.style is Style.RUBRIC for t in loaded[name].tasks)]
    if suite is None:
        if len(graded or found.suites) != 1:
            raise PolyAssayError(
                f"{file} has the suites {', '.join(found.suites)}.", hint="Choose with --suite."
            )
        (suite,) = graded or found.suites
    missing = [str(variant.path) for variant in variants(found) if not variant.path.exists()]
    if missing:
        raise PolyAssayError(
            f"There are no answers yet in {missing[0]}.",
            hint=f"`polyassay study run {file}` asks for them.",
        )
    names = [f"{variant.tool.name}={variant.path}" for variant in variants(found)]
    return suite, names, limit or found.limit


def answers_to_decide(
    store: Store, scores: Scores, names: Sequence[str], wanted: Collection[CandidateKey]
) -> Callable[[str], Mapping[CandidateKey, str]]:
    """Looks the answers to a suite up: as graders saw them, else from `-c`, else from runs."""

    @cache
    def codes(suite: str) -> Mapping[CandidateKey, str]:
        found: dict[CandidateKey, Candidate] = {}
        registry = Registry(home())
        if suite not in registry.names():
            return scores.shown_code(suite)
        loaded = registry.load(suite)
        for run in reversed(store.runs()):  # the newest wins
            if suite in run.provenance["suites"]:
                found |= {c.key: c for c in store.candidates(run.id) if c.key.suite == suite}
        if names:
            read = read_sources(names, {suite: loaded}, None, False, None, to_grade=True)
            found |= {candidate.key: candidate for candidate in read.candidates}
        known = {task.id for task in loaded.tasks}
        asked = [c for key, c in found.items() if key in wanted and key.task in known]
        return codes_of(loaded, asked) | scores.shown_code(suite)

    return codes
