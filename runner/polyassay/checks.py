"""Whether a suite can tell right from wrong: references must pass, empty answers must not."""

import dataclasses
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from polyassay.candidates import empty_candidates, reference_candidates
from polyassay.harness import RunSettings
from polyassay.harness.table import Harnesses
from polyassay.model import Outcome, Suite, Verdict
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
) -> Check:
    tasks = {task.id: task for task in suite.tasks}
    candidates = (*reference_candidates(suite), *empty_candidates(suite))
    pairs = [(tasks[candidate.key.task], candidate) for candidate in candidates]
    verdicts: list[Verdict] = []
    with closing(Harnesses(settings)) as harnesses:
        for some in judge_all(pairs, harnesses):
            verdicts += some
            on_verdicts(some)
    order = {task.id: position for position, task in enumerate(suite.tasks)}
    verdicts.sort(key=lambda verdict: order[verdict.candidate.task])
    references = [v for v in verdicts if v.candidate.tool == "reference"]
    empty = [v for v in verdicts if v.candidate.tool == "empty"]
    return Check(
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


def _place(home: Path, checksum: str) -> Path:
    return home / "checks" / f"{checksum}.json"


def keep_check(home: Path, suite: Suite, check: Check) -> None:
    """Kept for the footnotes of later scores."""
    place = _place(home, suite.checksum)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps(dataclasses.asdict(check)))


def kept_check(home: Path, checksum: str) -> Check | None:
    """What `suites check` found for this very suite, if it was ever asked."""
    place = _place(home, checksum)
    if not place.is_file():
        return None
    fields = json.loads(place.read_text())
    tuples = {name: tuple(fields[name]) for name in ("weak", "not_runnable")}
    return Check(**fields | tuples)
