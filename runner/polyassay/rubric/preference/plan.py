"""Which two answers are compared, on which sides, and in which order."""

import random
from collections.abc import Collection, Mapping
from itertools import combinations, groupby
from typing import Any

from polyassay.model import CandidateKey
from polyassay.rubric.plan import GradingPlan, Screenful, question, share_out, with_repeats
from polyassay.rubric.preference.choices import Pair, pair_of
from polyassay.store.scores import Item


def make_pairs(
    codes: Mapping[CandidateKey, str],
    plan: GradingPlan,
    grader: str,
    taken: Mapping[Any, int],
    done: Collection[Pair] = (),
) -> list[Item]:
    """What a grader compares, in order; `taken` says how many graders a sorted pair has already.

    Repeats come with the sides swapped: who prefers the left one twice leans to the left.
    """
    chance = random.Random(f"{plan.seed}/{grader}/pairs")  # noqa: S311 – an order, not a secret
    units = [unit for unit in _pairs(codes, plan) if unit not in done]
    chance.shuffle(units)
    units = share_out(units, plan, {unit: taken.get(unit, 0) for unit in units})
    units = [unit if chance.random() < 0.5 else unit[::-1] for unit in units]
    return [
        Item(key, codes[key], screen, showing)
        for screen, (unit, showing) in enumerate(with_repeats(units, plan.repeat, chance))
        for key in (unit[::-1] if showing else unit)
    ]


def _pairs(codes: Mapping[CandidateKey, str], plan: GradingPlan) -> list[Screenful]:
    """Every two tools' answers to a prompt, or as many as the plan says: the same for all."""
    found: list[Screenful] = []
    for asked, group in groupby(sorted(codes, key=question), key=question):
        pairs: list[Screenful] = [
            pair_of(a, b) for a, b in combinations(sorted(group), 2) if a.tool != b.tool
        ]
        if plan.pairs is not None and plan.pairs < len(pairs):
            chance = random.Random(repr(asked))  # noqa: S311 – not a secret
            pairs = chance.sample(pairs, plan.pairs)
        found.extend(pairs)
    return found
