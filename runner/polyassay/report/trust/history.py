"""What the runs in a store say about a suite's tests."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from polyassay.model import CandidateKey, Style, Suite, Task, TestStatus, Verdict
from polyassay.rubric.sheets import first_showings
from polyassay.rubric.stored import all_scores, used_rubric
from polyassay.store import Store
from polyassay.store.figures import VerdictFigures, VerdictTally
from polyassay.store.scores import Scores

BUILT_IN = ("reference", "empty")
CORRECTNESS = "correctness"  # the rubric dimension that says the same as tests do
TestKey = tuple[str, str]  # task, test


@dataclass(frozen=True, slots=True)
class History:
    """Of the answers of tools; references and empty answers are no tool's."""

    runs: int
    tools: int
    answers: int
    never_failed: tuple[TestKey, ...]  # every answer passed
    always_failed: tuple[TestKey, ...]
    alike: tuple[str, ...]  # tasks on which all tools did equally well or badly
    passed_but_wrong: tuple[CandidateKey, ...]  # people gave them the lowest correctness


def history(store: Store, suite: Suite) -> History | None:
    """Over all runs of this very suite; None where no tool was judged on it."""
    runs = [
        run.id
        for run in store.runs()
        if run.provenance["suites"].get(suite.name, {}).get("checksum") == suite.checksum
    ]
    figures = VerdictFigures(store)
    tallies = figures.tally(runs, suite.name, BUILT_IN)
    if not tallies:
        return None
    by_task: dict[str, list[VerdictTally]] = {task.id: [] for task in suite.tasks}
    for tally in tallies:
        by_task[tally.task].append(tally)
    tests = [_tests(figures, runs, t, by_task[t.id]) for t in suite.tasks if by_task[t.id]]
    return History(
        runs=len(runs),
        tools=len({tally.tool for tally in tallies}),
        answers=sum(tally.answers for tally in tallies),
        never_failed=tuple(key for never, _ in tests for key in never),
        always_failed=tuple(key for _, always in tests for key in always),
        alike=tuple(task for task, some in by_task.items() if _alike(some)),
        passed_but_wrong=tuple(_passed_but_wrong(store, suite, runs)),
    )


def _tests(
    figures: VerdictFigures, runs: Sequence[str], task: Task, tallies: Sequence[VerdictTally]
) -> tuple[list[TestKey], list[TestKey]]:
    """The tests that no answer failed, and those that every answer failed.

    What passed as a whole or not at all needs no list of its tests, and of the others the lists are
    read only until every test has been seen to pass and to fail.
    """
    by_sets = task.style is Style.SETS  # whose figures are those of the best set
    whole = not by_sets and any(tally.all_passed for tally in tallies)
    nothing = not by_sets and any(tally.none_passed for tally in tallies)
    if whole and nothing:
        return [], []
    names = [test.name for test in task.tests]
    never = dict.fromkeys([] if nothing else names)
    # A right answer meets one set, so a set that no answer meets says nothing of its tests.
    # Of one answer alone it says nothing that all fail.
    alone = sum(tally.answers for tally in tallies) < 2
    always = dict.fromkeys([] if whole or by_sets or alone else names)
    for verdict in _read_tests(figures, runs, task, by_sets):
        for test in verdict.tests:
            (never if test.status is not TestStatus.PASSED else always).pop(test.name, None)
        if not never and not always:
            break
    return [(task.id, name) for name in never], [(task.id, name) for name in always]


def _read_tests(
    figures: VerdictFigures, runs: Sequence[str], task: Task, by_sets: bool
) -> Iterator[Verdict]:
    for verdict in figures.some_passed(runs, task.suite, task.id, whole=by_sets):
        if verdict.candidate.tool not in BUILT_IN:
            yield verdict


def _alike(tallies: Sequence[VerdictTally]) -> bool:
    """Whether at least two tools answered, with the same mean pass ratio."""
    return len(tallies) > 1 and len({round(tally.ratio, 9) for tally in tallies}) == 1


def _passed_but_wrong(store: Store, suite: Suite, runs: Sequence[str]) -> Iterable[CandidateKey]:
    """Where graders disagreed and it was decided, the decision counts."""
    scores, figures = Scores(store), VerdictFigures(store)
    wrong: dict[CandidateKey, None] = {}
    for name in scores.rubrics():
        rubric = used_rubric(scores, name)
        dimension = rubric.dimension(CORRECTNESS)
        if dimension is None:
            continue
        given = [s for s in all_scores(scores, rubric, suite.name) if s.dimension == CORRECTNESS]
        decided = {score.key: score for score in given if score.decision}
        for score in first_showings(given):
            final = decided.get(score.key, score)
            graded = score.key.tool not in BUILT_IN and final.score == dimension.low
            if graded and figures.is_passed(runs, score.key):
                wrong[score.key] = None
    return wrong
