"""Tests that pass and fail by turns with the same program: the suite's own references."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from polyassay.candidates import reference_candidates
from polyassay.harness import RunSettings
from polyassay.model import Suite, TestStatus, Verdict
from polyassay.trust.checks import judged


@dataclass(frozen=True, slots=True)
class Flake:
    """One test of one reference."""

    passed: int
    of: int


@dataclass(frozen=True, slots=True)
class FlakeCheck:
    repeats: int
    under_load: bool
    tests: int  # that were looked at
    flaky: Mapping[str, Mapping[str, Flake]]  # task → test → how often it passed

    @property
    def flaky_tests(self) -> int:
        return sum(len(tests) for tests in self.flaky.values())


def check_flakes(
    suite: Suite,
    settings: RunSettings,
    repeats: int,
    under_load: bool,
    on_verdicts: Callable[[Sequence[Verdict]], None],
) -> FlakeCheck:
    """Judges every reference so often, each time in processes of its own."""
    candidates = [
        replace(candidate, key=replace(candidate.key, sample=sample))
        for candidate in reference_candidates(suite)
        for sample in range(repeats)
    ]
    if not under_load:
        verdicts = judged(suite, candidates, settings, on_verdicts)
    else:
        with _load():
            crowded = replace(settings, jobs=2 * settings.jobs)
            verdicts = judged(suite, candidates, crowded, on_verdicts)
    return _counted(verdicts, repeats, under_load)


def _counted(verdicts: Iterable[Verdict], repeats: int, under_load: bool) -> FlakeCheck:
    passed: dict[str, Counter[str]] = {}
    seen: dict[str, Counter[str]] = {}
    for verdict in verdicts:
        if not verdict.outcome.counts:
            continue
        task = verdict.candidate.task
        seen.setdefault(task, Counter()).update(test.name for test in verdict.tests)
        passed.setdefault(task, Counter()).update(
            test.name for test in verdict.tests if test.status is TestStatus.PASSED
        )
    flaky = {
        task: {
            name: Flake(passed[task][name], count)
            for name, count in tests.items()
            if 0 < passed[task][name] < count
        }
        for task, tests in seen.items()
    }
    return FlakeCheck(
        repeats,
        under_load,
        sum(len(tests) for tests in seen.values()),
        {task: tests for task, tests in flaky.items() if tests},
    )


@contextmanager
def _load() -> Iterator[None]:
    """Keeps every core busy with a process of ours meanwhile; they end with this block."""
    busy = [
        subprocess.Popen(
            [sys.executable, "-c", "import sys, threading\n" + _SPIN], stdin=subprocess.PIPE
        )
        for _ in os.sched_getaffinity(0)
    ]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()
            if process.stdin:
                process.stdin.close()


# Ends by itself when standard input does, so that a killed runner leaves nothing busy behind.
_SPIN = """
def spin():
    while True:
        pass

threading.Thread(target=spin, daemon=True).start()
sys.stdin.read()
"""
