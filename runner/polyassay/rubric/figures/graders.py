"""Which graders can be trusted: severity, drift, steadiness, haste, and who needs a talk.

Nothing here knows tools. Severity is a grader against the others on the same answers; drift is the
same grader on calibration items, later against at first. Intervals are wide enough for all graders
and all questions together, so that one grader in twenty is not called in for nothing.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, median

import numpy as np
from scipy import special

from polyassay.model import CandidateKey
from polyassay.rubric.agreement import Consistency, consistency, ratings
from polyassay.rubric.figures.agreeing import Figure, figure_by_task, weighted_kappa
from polyassay.rubric.figures.times import Looked, too_fast, usual_seconds
from polyassay.rubric.rubrics import Dimension, Rubric
from polyassay.rubric.sheets import Score
from polyassay.statistics.clusters import ALPHA, Interval, by_cluster
from polyassay.store.graders import Calibration
from polyassay.wording import counted

NOTEWORTHY = 0.1  # of a scale's span: less is not worth a talk, however sure it is
LEAST_SAME = 0.6  # of repeats that a steady grader gives the same score
UNSTEADY = 0.01  # how seldom a steady grader would give so few the same
MOST_FAST = 0.2  # of items
LEAST_KAPPA = 0.2  # with the others, on average
GAP = 0.1  # of kappa, below what is usual here
LEAST_COMMON = 15  # answers


@dataclass(frozen=True, slots=True)
class Shift:
    """A mean difference in points, and how sure it is."""

    value: float
    interval: Interval
    n: int

    @property
    def sure(self) -> bool:
        return self.interval.low > 0 or self.interval.high < 0


@dataclass(frozen=True, slots=True)
class GraderFigures:
    grader: str
    scores: Mapping[str, int]  # dimension → first showings
    severity: Mapping[str, Shift]  # dimension → below zero: stricter than the others
    calibration: Mapping[str, Shift]  # dimension → against the known scores, first round
    drift: Mapping[str, Shift]  # dimension → later rounds against the first
    over_time: Mapping[str, Shift]  # dimension → first to last item, against the others
    consistency: Mapping[str, Consistency]
    kappa: Mapping[str, Figure]  # dimension → kappa with the mean of the others
    seconds: float | None  # the median of an item
    timed: int
    too_fast: int
    talk: tuple[str, ...] = ()  # why somebody should talk to them


def grader_figures(
    rubric: Rubric,
    scores: Sequence[Score],
    calibration_scores: Sequence[Score],
    calibration: Sequence[Calibration],
    looked: Mapping[str, Sequence[Looked]],
) -> list[GraderFigures]:
    names = sorted({score.grader for score in scores if not score.decision} | set(looked))
    level = ALPHA / max(1, len(names) * len(rubric.dimensions))
    usual = usual_seconds(looked.values())
    found = [
        _figures(name, rubric, scores, calibration_scores, calibration, looked, usual, level)
        for name in names
    ]
    typical = _typical(found)
    return [replace(one, talk=tuple(_reasons(one, rubric, usual, typical))) for one in found]


def _typical(found: Sequence[GraderFigures]) -> dict[str, float]:
    """Dimension → the median of the graders' kappas, where there are three or more."""
    kappas: dict[str, list[float]] = {}
    for one in found:
        for name, figure in one.kappa.items():
            if figure.value is not None:
                kappas.setdefault(name, []).append(figure.value)
    return {name: median(of) for name, of in kappas.items() if len(of) > 2}


def _figures(
    name: str,
    rubric: Rubric,
    scores: Sequence[Score],
    calibration_scores: Sequence[Score],
    calibration: Sequence[Calibration],
    looked: Mapping[str, Sequence[Looked]],
    usual: float | None,
    level: float,
) -> GraderFigures:
    own = [score for score in scores if score.grader == name and not score.decision]
    known = {(c.key, d): points for c in calibration for d, points in c.scores.items()}
    mine = [score for score in calibration_scores if score.grader == name]
    items = list(looked.get(name, ()))
    timed = [one.seconds for one in items if one.seconds is not None]
    return GraderFigures(
        name,
        {d.id: sum(s.dimension == d.id and not s.showing for s in own) for d in rubric.dimensions},
        _each(rubric, lambda d: _severity(name, scores, d, level)),
        _each(rubric, lambda d: _against_known(mine, known, d.id, level)),
        _each(rubric, lambda d: _drift(mine, d.id, level)),
        _each(rubric, lambda d: _over_time(name, scores, d, items, level)),
        {d.id: c for d in rubric.dimensions if (c := consistency(own, d).get(name))},
        _kappas(name, scores, rubric),
        median(timed) if timed else None,
        len(timed),
        len(too_fast(items, usual)),
    )


def _each(rubric: Rubric, shift: Callable[[Dimension], Shift | None]) -> dict[str, Shift]:
    return {d.id: found for d in rubric.dimensions if (found := shift(d))}


def shift_of(values: Sequence[float], clusters: Sequence[Hashable], level: float) -> Shift | None:
    """The mean with a t-interval by clusters; none with fewer than three."""
    rows = by_cluster(values, clusters)
    count = len(rows)
    if count < 3:
        return None
    mean = float(rows[:, 0].sum() / rows[:, 1].sum())
    rest = rows[:, 0] - mean * rows[:, 1]
    error = float(np.sqrt((rest**2).sum() * count / (count - 1)) / rows[:, 1].sum())
    half = float(special.stdtrit(count - 1, 1 - level / 2)) * error
    return Shift(mean, Interval(mean - half, mean + half), len(values))


def _severity(
    name: str, scores: Sequence[Score], dimension: Dimension, level: float
) -> Shift | None:
    """Own scores less the median of all, which one strict grader does not move."""
    apart = _apart(name, scores, dimension)
    if not apart:
        return None
    return shift_of(list(apart.values()), [(key.suite, key.task) for key in apart], level)


def _apart(name: str, scores: Sequence[Score], dimension: Dimension) -> dict[CandidateKey, float]:
    """How far a grader is from the median, on every answer that others scored, too."""
    given = ratings(scores, dimension.id)
    found = {}
    for key, score in given.get(name, {}).items():
        others = [of[key] for grader, of in given.items() if grader != name and key in of]
        if others:
            found[key] = score - median([*others, score] if len(others) > 1 else others)
    return found


def _over_time(
    name: str,
    scores: Sequence[Score],
    dimension: Dimension,
    items: Sequence[Looked],
    level: float,
) -> Shift | None:
    """The slope of that over the session: everybody's order is random, so it should be level."""
    apart = _apart(name, scores, dimension)
    timed = [(one.order, apart[key]) for one in items for key in [one.place[0]] if key in apart]
    if len(timed) < LEAST_COMMON:
        return None
    order, value = (np.array(column, dtype=float) for column in zip(*timed, strict=True))
    order = (order - order.mean()) / (order.max() - order.min())
    spread = float((order**2).sum())
    slope = float((order * value).sum()) / spread
    rest = value - value.mean() - slope * order
    error = float(np.sqrt(((order * rest) ** 2).sum())) / spread * len(timed) / (len(timed) - 2)
    half = float(special.stdtrit(len(timed) - 2, 1 - level / 2)) * error
    return Shift(slope, Interval(slope - half, slope + half), len(timed))


def _against_known(
    mine: Sequence[Score],
    known: Mapping[tuple[CandidateKey, str], int],
    dimension: str,
    level: float,
) -> Shift | None:
    pairs = [
        (score.score - known[score.key, dimension], score.key)
        for score in mine
        if score.dimension == dimension and not score.showing and (score.key, dimension) in known
    ]
    return (
        shift_of([value for value, _ in pairs], [key for _, key in pairs], level) if pairs else None
    )


def _drift(mine: Sequence[Score], dimension: str, level: float) -> Shift | None:
    """Each calibration item's later scores less its first one."""
    own = [score for score in mine if score.dimension == dimension]
    first = {score.key: score.score for score in own if not score.showing}
    later: dict[object, list[int]] = {}
    for score in own:
        if score.showing and score.key in first:
            later.setdefault(score.key, []).append(score.score - first[score.key])
    if not later:
        return None
    return shift_of([fmean(of) for of in later.values()], list(later), level)


def _kappas(name: str, scores: Sequence[Score], rubric: Rubric) -> dict[str, Figure]:
    """Against the mean of the others, where there is enough in common."""
    found = {}
    for dimension in rubric.dimensions:
        given = ratings(scores, dimension.id)
        own = given.get(name, {})
        others = {
            key: fmean(of)
            for key in own
            if (of := [g[key] for other, g in given.items() if other != name and key in g])
        }
        if len(others) >= LEAST_COMMON:
            found[dimension.id] = _kappa(own, others)
    return found


def _kappa(own: Mapping[CandidateKey, int], others: Mapping[CandidateKey, float]) -> Figure:
    def value(keys: Sequence[CandidateKey]) -> float | None:
        return weighted_kappa([float(own[key]) for key in keys], [others[key] for key in keys])

    return figure_by_task(value, sorted(others), -1.0)


def _below(kappa: Figure, typical: float) -> bool:
    """Whether a grader surely agrees less with the others than graders here usually do."""
    ends = kappa.interval
    return ends is not None and ends.high < typical - GAP


def _chance_of_so_few(own: Consistency) -> float:
    """That a grader who repeats 60 % of their scores repeats no more than these."""
    return float(special.bdtr(round(own.same * own.items), own.items, LEAST_SAME))


def _reasons(
    found: GraderFigures, rubric: Rubric, usual: float | None, typical: Mapping[str, float]
) -> list[str]:
    """Why somebody should talk to this grader, in words."""
    told = []
    for dimension in rubric.dimensions:
        span = dimension.high - dimension.low
        for shifts, word in (
            (found.severity, "than the others"),
            (found.calibration, "than the known scores at calibration"),
            (found.drift, "than at the first calibration"),
            (found.over_time, "at the end than at the beginning, against the others"),
        ):
            shift = shifts.get(dimension.id)
            if shift and shift.sure and abs(shift.value) >= NOTEWORTHY * span:
                side = "lower" if shift.value < 0 else "higher"
                told.append(f"scores {dimension.id} {abs(shift.value):.1f} points {side} {word}")
        own = found.consistency.get(dimension.id)
        if own and _chance_of_so_few(own) < UNSTEADY:
            told.append(
                f"gave only {100 * own.same:.0f} % of {counted(own.items, 'repeat')} the same "
                f"{dimension.id} again"
            )
        kappa = found.kappa.get(dimension.id)
        if kappa and kappa.value is not None:
            here = typical.get(dimension.id)
            if here is not None and _below(kappa, here):
                words = "agrees less with the others in {} than they do"
            elif kappa.value < LEAST_KAPPA:  # of two, nobody can say which of them is off
                words = "hardly agrees with anybody in {}"
            else:
                continue
            told.append(f"{words.format(dimension.id)} (kappa {kappa.value:.2f})")
    if found.timed and found.too_fast > MOST_FAST * found.timed:
        usually = f", where {usual:.0f} s are usual" if usual else ""
        told.append(f"took {found.too_fast} of {found.timed} items too fast to read{usually}")
    return told
