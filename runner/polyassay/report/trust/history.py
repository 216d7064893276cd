"""What the runs in a store say about a suite's tests."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from polyassay.model import CandidateKey, Outcome, Suite, TestStatus, Verdict
from polyassay.rubric.sheets import first_showings
from polyassay.rubric.stored import all_scores, used_rubric
from polyassay.store import Store
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


@dataclass(slots=True)
class _Counts:
    passed: int = 0
    of: int = 0

    def add(self, passed: bool) -> None:
        self.passed += passed
        self.of += 1


def history(store: Store, suite: Suite) -> History | None:
    """Over all runs of this very suite; None where no tool was judged on it."""
    runs = [
        run
        for run in store.runs()
        if run.provenance["suites"].get(suite.name, {}).get("checksum") == suite.checksum
    ]
    verdicts = [
        verdict
        for run in runs
        for verdict in store.verdicts(run.id)
        if verdict.candidate.suite == suite.name
        and verdict.candidate.tool not in BUILT_IN
        and verdict.outcome.counts
    ]
    if not verdicts:
        return None
    tests = _by_test(verdicts)
    return History(
        runs=len(runs),
        tools=len({verdict.candidate.tool for verdict in verdicts}),
        answers=len(verdicts),
        never_failed=tuple(key for key, of in tests.items() if of.passed == of.of),
        always_failed=tuple(key for key, of in tests.items() if not of.passed),
        alike=tuple(_alike(verdicts)),
        passed_but_wrong=tuple(_passed_but_wrong(Scores(store), suite, verdicts)),
    )


def _by_test(verdicts: Iterable[Verdict]) -> Mapping[TestKey, _Counts]:
    found: dict[TestKey, _Counts] = {}
    for verdict in verdicts:
        for test in verdict.tests:
            counts = found.setdefault((verdict.candidate.task, test.name), _Counts())
            counts.add(test.status is TestStatus.PASSED)
    return found


def _alike(verdicts: Iterable[Verdict]) -> Iterable[str]:
    """Tasks that at least two tools answered, with the same mean pass ratio."""
    ratios: dict[str, dict[str, list[float]]] = {}
    for verdict in verdicts:
        key = verdict.candidate
        ratios.setdefault(key.task, {}).setdefault(key.tool, []).append(verdict.ratio)
    for task, tools in ratios.items():
        means = {round(sum(values) / len(values), 9) for values in tools.values()}
        if len(tools) > 1 and len(means) == 1:
            yield task


def _passed_but_wrong(
    scores: Scores, suite: Suite, verdicts: Iterable[Verdict]
) -> Iterable[CandidateKey]:
    """Where graders disagreed and it was decided, the decision counts."""
    passed = {v.candidate for v in verdicts if v.outcome is Outcome.PASSED}
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
            if final.score == dimension.low and score.key in passed:
                wrong[score.key] = None
    return wrong
