"""Which groups a unit belongs to; several, where its task has several libraries or tags."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import product
from typing import TypeAlias

from polyassay.errors import PolyAssayError
from polyassay.measures.units import Sample, UnitScore, unit_score
from polyassay.model import Outcome

NONE = "none"  # the group of tasks without a library, a tag, a domain

Group: TypeAlias = tuple[str, ...]

_BY_TASK: dict[str, Callable[[UnitScore], Iterable[str]]] = {
    "suite": lambda score: [score.unit.suite],
    "language": lambda score: [score.task.language.value],
    "prompt_language": lambda score: [score.unit.prompt_language],
    "domain": lambda score: [score.task.domain],
    "library": lambda score: score.task.libraries,
    "tag": lambda score: score.task.tags,
    "assertion_set": lambda score: score.task.sets,
    "set_family": lambda score: dict.fromkeys(set_family(name) for name in score.task.sets),
}
NAMES = ("tool", *_BY_TASK)
_BY_SETS = {"assertion_set", "set_family"}  # groups in which a unit is judged by fewer tests


def parse_by(text: str) -> tuple[str, ...]:
    """Reads `tool,language`; the tool always comes first."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in NAMES:
            raise PolyAssayError(
                f'Scores cannot be grouped by "{name}".', hint=f"Choose from {', '.join(NAMES)}."
            )
    return tuple(dict.fromkeys(["tool", *names]))


def grouped(scores: Iterable[UnitScore], by: Sequence[str]) -> dict[Group, list[UnitScore]]:
    """The units of every group, groups by name."""
    groups: dict[Group, list[UnitScore]] = {}
    by_sets = not _BY_SETS.isdisjoint(by)
    for score in scores:
        for labels in _all_labels(score, by):
            member = _within(score, dict(zip(by, labels, strict=True))) if by_sets else score
            groups.setdefault(labels, []).append(member)
    return {labels: groups[labels] for labels in sorted(groups)}


def _all_labels(score: UnitScore, by: Sequence[str]) -> Iterable[Group]:
    """Of a report's calls nearly all have one name or none, and are of every unit of a run."""
    if not by:
        return ((),)
    if len(by) == 1:
        return [(label,) for label in _labels(score, by[0])]
    return product(*(_labels(score, name) for name in by))


def _labels(score: UnitScore, name: str) -> list[str]:
    return [label or NONE for label in _BY_TASK[name](score)] or [NONE]


def set_family(name: str) -> str:
    """The transformations that made an assertion set, without their arguments.

    `ip_resp-PermuteArgs(1, 0)--original` is `ip_resp-PermuteArgs`.
    """
    steps = re.split(r"--(?=ip_resp|op_resp|manual|original)", name)
    plain = [re.sub(r"\(.*?\)|\d+$", "", step).replace("--", "-").strip() for step in steps]
    changes = dict.fromkeys(step for step in plain if step != "original")
    return " + ".join(changes) or "original"


def _within(score: UnitScore, labels: dict[str, str]) -> UnitScore:
    """The same unit, judged only by the assertion sets of its group, if its task has any."""
    if not score.task.sets:
        return score
    if name := labels.get("assertion_set"):
        wanted = {name}
    elif family := labels.get("set_family"):
        wanted = {name for name in score.task.sets if set_family(name) == family}
    else:
        return score
    samples = [_judged_by(sample, wanted) for sample in score.samples]
    return unit_score(score.unit, score.task, samples, score.excluded)


def _judged_by(sample: Sample, sets: set[str]) -> Sample:
    if not sample.outcome.counts:
        return sample
    ratio = max((sample.sets.get(name, 0.0) for name in sets), default=0.0)
    outcome = Outcome.PASSED if ratio == 1.0 else sample.outcome
    if outcome is Outcome.PASSED and ratio < 1.0:
        outcome = Outcome.FAILED
    solved_by = sample.solved_by if sample.solved_by in sets else ""
    return replace(sample, outcome=outcome, ratio=ratio, solved_by=solved_by)
