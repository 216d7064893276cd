"""Judges answers again under other conditions, to find those that passed or failed by luck.

A verdict may depend on what no task decides: hash seeds, where the kernel lays memory out (in
Python before 3.12 the hash of None is an address), identity hash codes in Java, the order of tests.
For a verdict these are pinned. Each round of shaking has others, by its number (RunSettings.shake).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace

from polyassay.dispatch.scheduling import Pair, TaskGroup
from polyassay.harness import RunSettings
from polyassay.harness.table import Harnesses
from polyassay.model import CandidateKey, Outcome, Suite, Verdict
from polyassay.pipeline import judge
from polyassay.store import Store
from polyassay.store.shaken import Result, ShakenVerdicts, result_of

# What did not load cannot be lucky, and what passed a limit would pass it in each round.
SHAKEN = (Outcome.PASSED, Outcome.FAILED, Outcome.CRASHED)


def shakeable(store: Store, run: str) -> dict[CandidateKey, Result]:
    """The verdicts that are tried again."""
    verdicts = store.verdicts(run)
    return {v.candidate: result_of(v) for v in verdicts if v.outcome in SHAKEN}


def shake(
    store: Store,
    run: str,
    suites: Mapping[str, Suite],
    settings: RunSettings,
    usual: Mapping[CandidateKey, Result],
    on_verdicts: Callable[[Sequence[Verdict]], None],
) -> None:
    """One round, of the number that the settings have; goes on where it was interrupted."""
    shaken = ShakenVerdicts(store)
    left = usual.keys() - shaken.judged(run, settings.shake)
    pending = Counter((key.suite, key.task) for key in left)

    def candidates(group: TaskGroup) -> Iterator[Pair]:
        for candidate in store.candidates(run, group.suite, group.tasks, by_tool=group.by_tool):
            if candidate.key in left:
                yield group.tasks[candidate.key.task], candidate

    tasks = [task for suite in suites.values() for task in suite.tasks]
    with closing(Harnesses(settings)) as harnesses:
        for verdicts in judge(tasks, pending, candidates, harnesses):
            shaken.save(run, settings.shake, verdicts, usual)
            on_verdicts(verdicts)


def shake_all(
    store: Store,
    run: str,
    suites: Mapping[str, Suite],
    settings: RunSettings,
    rounds: int,
    on_verdicts: Callable[[Sequence[Verdict]], None],
) -> None:
    usual = shakeable(store, run)
    for number in range(1, rounds + 1):
        shake(store, run, suites, replace(settings, shake=number), usual, on_verdicts)
