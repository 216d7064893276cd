"""Who is shown what, and in which order: random, but the same again from the same seed."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil

from polyassay.model import CandidateKey
from polyassay.store.scores import Item

Screenful = tuple[CandidateKey, ...]  # what stands on one screen


@dataclass(frozen=True, slots=True)
class GradingPlan:
    seed: int | None = None  # none: drawn when a session begins, so that nobody can guess it
    repeat: float = 0.1  # the share of screens that is shown again
    overlap: int | None = None  # graders an answer; none: every grader sees all
    graders: int | None = None  # how many share the work; none: each takes what is left
    side_by_side: bool = False


def make_items(
    codes: Mapping[CandidateKey, str],
    plan: GradingPlan,
    grader: str,
    taken: Mapping[CandidateKey, int],
) -> list[Item]:
    """What a grader is shown, in order; `taken` says how many graders an answer has already."""
    chance = random.Random(f"{plan.seed}/{grader}")  # noqa: S311 – an order, not a secret
    units = _units(codes, plan, chance)
    chance.shuffle(units)
    units = _share(units, plan, taken)
    return [
        Item(key, codes[key], screen, showing)
        for screen, (unit, showing) in enumerate(_with_repeats(units, plan.repeat, chance))
        for key in unit
    ]


def _units(
    codes: Mapping[CandidateKey, str], plan: GradingPlan, chance: random.Random
) -> list[Screenful]:
    keys = sorted(codes)
    if not plan.side_by_side:
        return [(key,) for key in keys]
    units: list[Screenful] = []
    keys.sort(key=_question)
    for _, group in groupby(keys, key=_question):
        answers = list(group)
        chance.shuffle(answers)  # neither side is a tool's own
        units.extend(tuple(answers[i : i + 2]) for i in range(0, len(answers), 2))
    return units


def _question(key: CandidateKey) -> tuple[str, str, str, int]:
    return key.suite, key.task, key.prompt_language, key.sample


def _share(
    units: list[Screenful], plan: GradingPlan, taken: Mapping[CandidateKey, int]
) -> list[Screenful]:
    """The units that are this grader's: those with the fewest graders, up to a fair share."""
    if plan.overlap is None:
        return units
    graders = {unit: max(taken.get(key, 0) for key in unit) for unit in units}
    free = [unit for unit in units if graders[unit] < plan.overlap]
    if plan.graders is None:
        return free
    fair = ceil(len(units) * min(plan.overlap, plan.graders) / plan.graders)
    mine = set(sorted(free, key=lambda unit: graders[unit])[:fair])  # stable: the order decides
    return [unit for unit in units if unit in mine]


def _with_repeats(
    units: Sequence[Screenful], share: float, chance: random.Random
) -> list[tuple[Screenful, int]]:
    """Some units again, at least a quarter of the session later, so that memory fades."""
    gap = max(1, len(units) // 4)
    early = range(len(units) - gap)
    again = chance.sample(early, min(len(early), round(share * len(units))))
    places: dict[int, list[int]] = {}  # after which unit → the ones that come again there
    for index in again:
        places.setdefault(chance.randrange(index + gap, len(units)), []).append(index)
    shown: list[tuple[Screenful, int]] = []
    for place, unit in enumerate(units):
        shown.append((unit, 0))
        shown.extend((units[index], 1) for index in places.get(place, ()))
    return shown
