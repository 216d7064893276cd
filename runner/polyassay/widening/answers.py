"""Which proposals failing answers meet: what tools wrote says which readings a prompt has."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing

from polyassay.harness import RunSettings
from polyassay.harness.table import Harnesses
from polyassay.model import Candidate, Task
from polyassay.pipeline import judge_all
from polyassay.widening.proposals import MOST, Proposal
from polyassay.widening.tasks import proposals_of, widened

_TRIED = 60  # proposals a task that answers are held against


def met_by_answers(
    tasks: Mapping[str, Task], failing: Iterable[Candidate], settings: RunSettings
) -> dict[str, Counter[str]]:
    """Task → proposal → answers that pass all of its assertions and failed the task's own."""
    pairs = []
    for candidate in failing:
        task = tasks.get(candidate.key.task)
        wide = widened(task, proposals_of(task, _TRIED)) if task else None
        if wide is not None and wide.sets:
            pairs.append((wide, candidate))
    met: dict[str, Counter[str]] = {}
    with closing(Harnesses(settings)) as harnesses:
        for verdicts in judge_all(pairs, harnesses):
            for verdict in verdicts:
                met.setdefault(verdict.candidate.task, Counter()).update(
                    name for name, of in verdict.sets.items() if of.total and of.passed == of.total
                )
    return met


def ranked(task: Task, met: Counter[str], most: int = MOST) -> list[Proposal]:
    """Those that answers meet first, and then the likeliest of the others."""
    found: Sequence[Proposal] = proposals_of(task, _TRIED)
    return sorted(found, key=lambda proposal: -met[proposal.name])[:most]
