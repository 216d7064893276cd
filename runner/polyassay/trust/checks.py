"""Whether a suite can tell right from wrong: references must pass, empty answers must not."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass

from polyassay.candidates import empty_candidates, reference_candidates
from polyassay.harness import RunSettings
from polyassay.harness.table import Harnesses
from polyassay.model import Candidate, Outcome, Suite, Verdict
from polyassay.pipeline import judge_all


@dataclass(frozen=True, slots=True)
class Check:
    references: int
    references_passed: int
    failing: Mapping[str, str]  # task → why its reference does not pass
    weak: tuple[str, ...]  # tasks whose tests an empty answer passes
    not_runnable: tuple[str, ...]


def check_suite(
    suite: Suite, settings: RunSettings, on_verdicts: Callable[[Sequence[Verdict]], None]
) -> tuple[Check, Mapping[str, Verdict]]:
    """What was found, and the references' verdicts by task."""
    candidates = (*reference_candidates(suite), *empty_candidates(suite))
    verdicts = judged(suite, candidates, settings, on_verdicts)
    references = [v for v in verdicts if v.candidate.tool == "reference"]
    empty = [v for v in verdicts if v.candidate.tool == "empty"]
    check = Check(
        references=len(references),
        references_passed=sum(v.outcome is Outcome.PASSED for v in references),
        failing={
            v.candidate.task: f"{v.outcome}: {v.reason}"
            for v in references
            if v.outcome not in (Outcome.PASSED, Outcome.NOT_RUNNABLE)
        },
        weak=tuple(v.candidate.task for v in empty if v.outcome is Outcome.PASSED),
        not_runnable=tuple(
            v.candidate.task for v in references if v.outcome is Outcome.NOT_RUNNABLE
        ),
    )
    return check, {verdict.candidate.task: verdict for verdict in references}


def judged(
    suite: Suite,
    candidates: Sequence[Candidate],
    settings: RunSettings,
    on_verdicts: Callable[[Sequence[Verdict]], None],
) -> list[Verdict]:
    """Verdicts of candidates that no store knows, in the order of the suite's tasks."""
    tasks = {task.id: task for task in suite.tasks}
    pairs = [(tasks[candidate.key.task], candidate) for candidate in candidates]
    verdicts: list[Verdict] = []
    with closing(Harnesses(settings)) as harnesses:
        for some in judge_all(pairs, harnesses):
            verdicts += some
            on_verdicts(some)
    order = {task.id: position for position, task in enumerate(suite.tasks)}
    return sorted(verdicts, key=lambda verdict: order[verdict.candidate.task])
