"""Of a task that any one of several assertion sets solves: the set that a reader wants to see."""

from collections.abc import Sequence

from polyassay.model import Task, TestResult, Verdict
from polyassay.texts import say


def decisive_tests(task: Task, verdict: Verdict) -> Sequence[TestResult]:
    """The tests of the set that the answer met, or came closest to; else all tests."""
    if not verdict.sets:
        return verdict.tests
    names = {test.name for test in task.sets[_closest(verdict)]}
    return [result for result in verdict.tests if result.name in names]


def other_sets(verdict: Verdict) -> str:
    """How the answer did on the sets that did not decide; empty where there are none."""
    others = {name: of for name, of in verdict.sets.items() if name != _closest(verdict)}
    if not others:
        return ""
    counts = (f"{name} {of.passed}/{of.total}" for name, of in others.items())
    return say(
        "Any one set of assertions is enough; of the others passed {counts}.",
        counts=say(", ").join(counts),
    )


def _closest(verdict: Verdict) -> str:
    if verdict.solved_by:
        return verdict.solved_by.set
    return max(
        verdict.sets, key=lambda name: verdict.sets[name].passed / max(1, verdict.sets[name].total)
    )
