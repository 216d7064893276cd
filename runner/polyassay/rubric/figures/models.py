"""A model as a grader, held against people: how far it agrees, and what it leans to.

Its scores are never pooled with people's. `severity` is the model less the mean of people;
`by_length` is how that goes with the length of an answer (Spearman), because models are known to
like long ones; of preferences, `leaning` is how it goes with the side.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

from polyassay.model import CandidateKey
from polyassay.rubric.figures.agreeing import Figure, figure_by_task, weighted_kappa
from polyassay.rubric.figures.graders import Shift, shift_of
from polyassay.rubric.figures.preferring import Leaning, preference_figures
from polyassay.rubric.means import answer_scores
from polyassay.rubric.preference.choices import STEPS, Preference
from polyassay.rubric.rubrics import Dimension, Rubric
from polyassay.rubric.sheets import Score
from polyassay.statistics.clusters import ALPHA
from polyassay.statistics.jackknife import jackknife

LEAST = 6  # answers that both scored


@dataclass(frozen=True, slots=True)
class AgainstPeople:
    """A model's scores of one dimension."""

    kappa: Figure  # quadratic weights, against the mean of people
    same: Figure  # the share within half a point of people's mean
    severity: Shift | None
    by_length: Figure  # Spearman's rho of severity with the answer's length


@dataclass(frozen=True, slots=True)
class ModelFigures:
    grader: str
    facts: Mapping[str, object]  # model, prompt, settings, as they were recorded
    scores: Mapping[str, AgainstPeople]  # dimension → figures
    choices: Figure | None  # the share of people's choices that it shares, ties included
    leaning: Leaning | None


def model_figures(
    name: str,
    facts: Mapping[str, object],
    rubric: Rubric,
    scores: tuple[Sequence[Score], Sequence[Score]],
    preferences: tuple[Sequence[Preference], Sequence[Preference]],
    codes: Mapping[CandidateKey, str],
) -> ModelFigures:
    """`scores` and `preferences` are people's, then models'."""
    people, models = scores
    own = [score for score in models if score.grader == name]
    chosen = [one for one in preferences[1] if one.grader == name]
    figures = preference_figures(chosen)
    return ModelFigures(
        name,
        facts,
        {
            d.id: found
            for d in rubric.dimensions
            if (found := _against(people, own, d, codes)) is not None
        },
        _shared_choices(preferences[0], chosen),
        figures.leaning if figures else None,
    )


def _against(
    people: Sequence[Score],
    own: Sequence[Score],
    dimension: Dimension,
    codes: Mapping[CandidateKey, str],
) -> AgainstPeople | None:
    theirs = {a.key: a.value for a in answer_scores(people) if a.dimension == dimension.id}
    mine = {a.key: a.value for a in answer_scores(own) if a.dimension == dimension.id}
    common = sorted(theirs.keys() & mine.keys())
    if len(common) < LEAST:
        return None

    def figure(of: Callable[[Sequence[float], Sequence[float]], float | None]) -> Figure:
        return figure_by_task(
            lambda keys: of([mine[k] for k in keys], [theirs[k] for k in keys]), common, -1.0
        )

    def by_length(keys: Sequence[CandidateKey]) -> float | None:
        known = [key for key in keys if key in codes]
        return spearman(
            [float(len(codes[key])) for key in known], [mine[key] - theirs[key] for key in known]
        )

    tasks = [(key.suite, key.task) for key in common]
    return AgainstPeople(
        figure(weighted_kappa),
        figure(_close),
        shift_of([mine[key] - theirs[key] for key in common], tasks, ALPHA),
        figure_by_task(by_length, common, -1.0),
    )


def _close(first: Sequence[float], second: Sequence[float]) -> float | None:
    if not first:
        return None
    return sum(abs(x - y) <= 0.5 for x, y in zip(first, second, strict=True)) / len(first)


def spearman(first: Sequence[float], second: Sequence[float]) -> float | None:
    """None where either does not vary."""
    if len(set(first)) < 2 or len(set(second)) < 2:
        return None
    from scipy.stats import spearmanr  # only here: it is slow to import

    return float(spearmanr(first, second).statistic)


def _shared_choices(people: Sequence[Preference], own: Sequence[Preference]) -> Figure | None:
    """Of people's first choices about pairs that the model was shown, too."""
    mine = {(one.pair, one.dimension): one for one in own if not one.showing}
    both = [
        (_towards(one), _towards(mine[one.pair, one.dimension]), one.pair[0])
        for one in people
        if not one.showing and (one.pair, one.dimension) in mine
    ]
    if not both:
        return None
    shared: dict[Hashable, list[bool]] = {}
    for theirs, ours, key in both:
        shared.setdefault((key.suite, key.task), []).append(theirs == ours)

    def share(tasks: Sequence[Hashable]) -> float | None:
        of = [same for task in tasks for same in shared[task]]
        return sum(of) / len(of) if of else None

    interval = jackknife(share, list(shared), (0.0, 1.0))
    return Figure(share(list(shared)), interval, len(both))


def _towards(one: Preference) -> str:
    steps = STEPS[one.choice]
    return one.a.tool if steps > 0 else one.b.tool if steps < 0 else ""
