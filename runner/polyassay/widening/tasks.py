"""From a plain task to its proposals, and from accepted ones to a one-to-many task."""

from collections.abc import Sequence
from dataclasses import replace

from polyassay.model import Style, Task, Test
from polyassay.widening.assertions import CallAssertions, cases_of
from polyassay.widening.proposals import Proposal, proposals

ORIGINAL = "original"  # the name of the set that a task has already
FUNCTION = "f"  # what an assertion of a set calls: any function of the candidate


def original_cases(task: Task) -> CallAssertions | None:
    """The task's own assertions; None where it cannot be widened."""
    match task.style:
        case Style.FUNCTION:
            tests: Sequence[Test] = task.tests
        case Style.SETS:
            tests = task.sets.get(ORIGINAL, ())
        case _:
            return None
    found = cases_of([test.code for test in tests]) if tests else None
    known = (task.entry, FUNCTION)
    return found[1] if found and found[0] in known else None


def proposals_of(task: Task, most: int | None) -> list[Proposal]:
    """Those that the task does not have yet."""
    cases = original_cases(task)
    if cases is None:
        return []
    have = {_bodies(tests) for tests in task.sets.values()}
    found = proposals(cases, None)
    return [each for each in found if _bodies(tests_of(each)) not in have][:most]


def _bodies(tests: Sequence[Test]) -> tuple[str, ...]:
    return tuple(test.code for test in tests)


def tests_of(proposal: Proposal) -> tuple[Test, ...]:
    return _tests(proposal.name, proposal.cases)


def _tests(name: str, cases: CallAssertions) -> tuple[Test, ...]:
    return tuple(
        Test(f"{name}/test_{number}", case.expression(FUNCTION))
        for number, case in enumerate(cases)
    )


def widened(task: Task, accepted: Sequence[Proposal]) -> Task:
    """The same task, which any of the accepted sets solves as well; as it is where none was."""
    cases = original_cases(task)
    if cases is None or not accepted:
        return task
    own = task.tests if task.style is Style.SETS else _tests(ORIGINAL, cases)
    more = tuple(test for proposal in accepted for test in tests_of(proposal))
    return replace(task, style=Style.SETS, tests=(*own, *more), together_because="")
