"""Who is shown what, and in which order: random, but the same again from the same seed."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil

from polyassay.model import CandidateKey
from polyassay.store.scores import Item

Screenful = tuple[CandidateKey, ...]  # what stands on one screen
Showing = tuple[Screenful, int]  # and whether it is there for the first time (0) or again


@dataclass(frozen=True, slots=True)
class GradingPlan:
    seed: int | None = None  # none: drawn when a session begins, so that nobody can guess it
    repeat: float = 0.1  # the share of screens that is shown again
    overlap: int | None = None  # graders an answer; none: every grader sees all
    graders: int | None = None  # how many share the work; none: each takes what is left
    side_by_side: bool = False
    calibration_rounds: int = 2  # how often each calibration item comes; the first time at once
    pairs: int | None = None  # preferences: pairs of answers a prompt; none: every two tools
    by_dimension: bool = False  # preferences: a choice for each dimension, too


def make_items(
    codes: Mapping[CandidateKey, str],
    plan: GradingPlan,
    grader: str,
    taken: Mapping[CandidateKey, int],
    calibration: Mapping[CandidateKey, str] | None = None,
    first_round: int = 0,
) -> list[Item]:
    """What a grader is shown, in order; `taken` says how many graders an answer has already.

    `calibration` are answers of known scores: all of them come before the first real one, and
    again between the others later, which shows whether a grader's measure has shifted.
    `first_round` is above 0 where the grader had them in an earlier session.
    """
    chance = random.Random(f"{plan.seed}/{grader}")  # noqa: S311 – an order, not a secret
    units = _units(codes, plan, chance)
    chance.shuffle(units)
    units = share_out(units, plan, {u: max(taken.get(key, 0) for key in u) for u in units})
    shown = with_repeats(units, plan.repeat, chance)
    known = calibration or {}
    if shown:
        rounds = range(first_round, first_round + plan.calibration_rounds)
        shown = _with_calibration(shown, sorted(known), rounds, chance)
    every = {**codes, **known}
    return [
        Item(key, every[key], screen, showing)
        for screen, (unit, showing) in enumerate(shown)
        for key in unit
    ]


def _with_calibration(
    shown: Sequence[Showing],
    keys: Sequence[CandidateKey],
    rounds: range,
    chance: random.Random,
) -> list[Showing]:
    """The first round in front; each later one scattered over the last half of its stretch."""
    behind: dict[int, list[Showing]] = {}  # after how many of the others → what comes there
    stretch = len(shown) / max(1, len(rounds) - 1)
    for number, showing in enumerate(rounds):
        for key in chance.sample(keys, len(keys)):
            place = 0
            if number:
                last = round(number * stretch)
                place = chance.randint(min(last, ceil((number - 0.5) * stretch)), last)
            behind.setdefault(place, []).append(((key,), showing))
    found = behind.get(0, [])
    for place, one in enumerate(shown, start=1):
        found = [*found, one, *behind.get(place, [])]
    return found


def _units(
    codes: Mapping[CandidateKey, str], plan: GradingPlan, chance: random.Random
) -> list[Screenful]:
    keys = sorted(codes)
    if not plan.side_by_side:
        return [(key,) for key in keys]
    units: list[Screenful] = []
    keys.sort(key=question)
    for _, group in groupby(keys, key=question):
        answers = list(group)
        chance.shuffle(answers)  # neither side is a tool's own
        units.extend(tuple(answers[i : i + 2]) for i in range(0, len(answers), 2))
    return units


def question(key: CandidateKey) -> tuple[str, str, str, int]:
    return key.suite, key.task, key.prompt_language, key.sample


def share_out(
    units: list[Screenful], plan: GradingPlan, graders: Mapping[Screenful, int]
) -> list[Screenful]:
    """The units that are this grader's: those with the fewest graders, up to a fair share."""
    if plan.overlap is None:
        return units
    free = [unit for unit in units if graders[unit] < plan.overlap]
    if plan.graders is None:
        return free
    fair = ceil(len(units) * min(plan.overlap, plan.graders) / plan.graders)
    mine = set(sorted(free, key=lambda unit: graders[unit])[:fair])  # stable: the order decides
    return [unit for unit in units if unit in mine]


def with_repeats(units: Sequence[Screenful], share: float, chance: random.Random) -> list[Showing]:
    """Some units again, at least a quarter of the session later, so that memory fades."""
    gap = max(1, len(units) // 4)
    early = range(len(units) - gap)
    again = chance.sample(early, min(len(early), round(share * len(units))))
    places: dict[int, list[int]] = {}  # after which unit → the ones that come again there
    for index in again:
        places.setdefault(chance.randrange(index + gap, len(units)), []).append(index)
    shown: list[Showing] = []
    for place, unit in enumerate(units):
        shown.append((unit, 0))
        shown.extend((units[index], 1) for index in places.get(place, ()))
    return shown
