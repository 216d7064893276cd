"""Agreement with intervals: alpha of all graders, kappa and plain agreement of every two."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from polyassay.model import CandidateKey
from polyassay.rubric.agreement import Ratings, alpha
from polyassay.rubric.rubrics import Dimension
from polyassay.statistics.clusters import Interval
from polyassay.statistics.jackknife import jackknife


@dataclass(frozen=True, slots=True)
class Figure:
    value: float | None  # none: not defined
    interval: Interval | None
    n: int  # answers that two or more graders scored


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Two graders on the answers that both scored."""

    kappa: Figure  # quadratic weights
    same: Figure  # the share of equal scores


@dataclass(frozen=True, slots=True)
class Agreement:
    graders: int
    alpha: Figure
    same: Figure  # over all pairs of scores of one answer
    pairs: Mapping[tuple[str, str], PairAgreement]


def agreement_of(given: Ratings, dimension: Dimension) -> Agreement:
    """Chance is drawn by task, as everywhere."""
    graded = [key for key in _keys(given) if sum(key in of for of in given.values()) > 1]
    pairs = {
        (first, second): pair_agreement(given[first], given[second])
        for first, second in combinations(given, 2)
        if given[first].keys() & given[second].keys()
    }

    def of(figure: Callable[[Ratings], float | None], low: float) -> Figure:
        return figure_by_task(lambda keys: figure(_only(given, keys)), graded, low)

    return Agreement(
        len(given), of(lambda some: alpha(some, dimension), -1.0), of(_same_of_all, 0.0), pairs
    )


def pair_agreement(
    first: Mapping[CandidateKey, int], second: Mapping[CandidateKey, int]
) -> PairAgreement:
    common = sorted(first.keys() & second.keys())

    def figure(of: Callable[[Sequence[int], Sequence[int]], float | None], low: float) -> Figure:
        return figure_by_task(
            lambda keys: of([first[k] for k in keys], [second[k] for k in keys]), common, low
        )

    return PairAgreement(figure(weighted_kappa, -1.0), figure(_same, 0.0))


def weighted_kappa(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Quadratic-weighted kappa without a table: squared differences against those by chance.

    Those by chance are what the scores of both would differ by in any other order. Equals
    scikit-learn's, which `agreement.kappa` calls, at a hundredth of its time.
    """
    n = len(first)
    if not n:
        return None
    means = sum(first) / n, sum(second) / n
    spread = sum((x - means[0]) ** 2 for x in first) + sum((y - means[1]) ** 2 for y in second)
    by_chance = spread / n + (means[0] - means[1]) ** 2
    if by_chance <= 0:
        return None
    seen = sum((x - y) ** 2 for x, y in zip(first, second, strict=True)) / n
    return 1 - seen / by_chance


def _same(first: Sequence[int], second: Sequence[int]) -> float | None:
    if not first:
        return None
    return sum(x == y for x, y in zip(first, second, strict=True)) / len(first)


def _same_of_all(given: Ratings) -> float | None:
    pairs = equal = 0
    for key in _keys(given):
        scores = [of[key] for of in given.values() if key in of]
        for x, y in combinations(scores, 2):
            pairs += 1
            equal += x == y
    return equal / pairs if pairs else None


def figure_by_task(
    figure: Callable[[Sequence[CandidateKey]], float | None],
    keys: Sequence[CandidateKey],
    low: float,
) -> Figure:
    """A figure of answers, with an interval that leaves out one group of tasks after the other."""
    tasks: dict[Hashable, list[CandidateKey]] = {}
    for key in keys:
        tasks.setdefault((key.suite, key.task), []).append(key)

    def of_tasks(chosen: Sequence[Hashable]) -> float | None:
        return figure([key for task in chosen for key in tasks[task]])

    return Figure(figure(keys), jackknife(of_tasks, list(tasks), (low, 1.0)), len(keys))


def _keys(given: Ratings) -> list[CandidateKey]:
    return sorted({key for of in given.values() for key in of})


def _only(given: Ratings, keys: Sequence[CandidateKey]) -> Ratings:
    wanted = set(keys)
    return {g: {k: s for k, s in of.items() if k in wanted} for g, of in given.items()}
