"""How far graders agree, with each other and with themselves."""

import hashlib
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from polyassay.model import CandidateKey
from polyassay.rubric.rubrics import Dimension
from polyassay.rubric.sheets import Score, first_showings

Ratings = dict[str, dict[CandidateKey, int]]  # grader → answer → score, of one dimension


@dataclass(frozen=True, slots=True)
class Kappa:
    value: float | None  # none: not defined, because a grader gave one score throughout
    items: int


@dataclass(frozen=True, slots=True)
class Consistency:
    """A grader against the same grader, later."""

    items: int
    same: float  # share of the scores that came out the same
    kappa: float | None


@dataclass(frozen=True, slots=True)
class Disagreement:
    key: CandidateKey
    dimension: str
    scores: Mapping[str, int]  # grader → score
    decided: int | None = None

    @property
    def spread(self) -> int:
        return max(self.scores.values()) - min(self.scores.values())


def ratings(scores: Iterable[Score], dimension: str) -> Ratings:
    found: Ratings = {}
    for score in first_showings(scores):
        if score.dimension == dimension:
            found.setdefault(score.grader, {})[score.key] = score.score
    return dict(sorted(found.items()))


def alpha(given: Ratings, dimension: Dimension) -> float | None:
    """Krippendorff's alpha, ordinal; none where nothing was graded twice or nothing varies."""
    keys = sorted({key for scores in given.values() for key in scores})
    table = np.array(
        [[scores.get(key, np.nan) for key in keys] for scores in given.values()], dtype=float
    )
    if len(given) < 2:
        return None
    paired = table[:, (~np.isnan(table)).sum(axis=0) > 1]
    if len(np.unique(paired[~np.isnan(paired)])) < 2:
        return None
    import krippendorff

    domain = list(range(dimension.low, dimension.high + 1))
    return float(krippendorff.alpha(table, value_domain=domain, level_of_measurement="ordinal"))


def kappas(given: Ratings, dimension: Dimension) -> dict[tuple[str, str], Kappa]:
    """Quadratic-weighted kappa of every pair of graders that has items in common."""
    found = {}
    for first, second in combinations(given, 2):
        common = sorted(given[first].keys() & given[second].keys())
        if common:
            one, other = ([given[grader][key] for key in common] for grader in (first, second))
            found[first, second] = Kappa(kappa(one, other, dimension), len(common))
    return found


def kappa(first: Sequence[int], second: Sequence[int], dimension: Dimension) -> float | None:
    """Quadratic-weighted Cohen's kappa; none where chance alone explains everything."""
    from sklearn.metrics import cohen_kappa_score  # only here: it is slow to import

    labels = list(range(dimension.low, dimension.high + 1))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # a 0/0 is told as "not defined"
        value = float(cohen_kappa_score(first, second, labels=labels, weights="quadratic"))
    return None if np.isnan(value) else value


def consistency(scores: Sequence[Score], dimension: Dimension) -> dict[str, Consistency]:
    """Of each grader who was shown items again."""
    first: Ratings = ratings(scores, dimension.id)
    found = {}
    for grader in first:
        again = {
            score.key: score.score
            for score in scores
            if score.grader == grader and score.dimension == dimension.id and score.showing
        }
        keys = sorted(again.keys() & first[grader].keys())
        if keys:
            before, after = [first[grader][k] for k in keys], [again[k] for k in keys]
            same = sum(b == a for b, a in zip(before, after, strict=True)) / len(keys)
            found[grader] = Consistency(len(keys), same, kappa(before, after, dimension))
    return found


def disagreements(scores: Sequence[Score], dimensions: Sequence[Dimension]) -> list[Disagreement]:
    """Answers on which graders differ, the widest (of the dimension's scale) first."""
    decided = {(s.key, s.dimension): s.score for s in scores if s.decision}
    found = []
    for dimension in dimensions:
        by_answer: dict[CandidateKey, dict[str, int]] = {}
        for grader, given in ratings(scores, dimension.id).items():
            for key, score in given.items():
                by_answer.setdefault(key, {})[grader] = score
        for key, by_grader in by_answer.items():
            if len(set(by_grader.values())) > 1:
                decision = decided.get((key, dimension.id))
                found.append(Disagreement(key, dimension.id, by_grader, decision))
    width = {dimension.id: dimension.high - dimension.low for dimension in dimensions}
    return sorted(found, key=lambda d: (-d.spread / width[d.dimension], _shuffled(d)))


def _shuffled(found: Disagreement) -> bytes:
    """An order in which a tool's place among the answers to a task tells nothing."""
    return hashlib.sha256(repr((found.key, found.dimension)).encode("utf-8", "replace")).digest()
