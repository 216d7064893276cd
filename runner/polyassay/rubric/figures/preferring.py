"""Which tools people prefer: Bradley-Terry strengths, answers for every two, and leaning to a side.

`better` and `much better` are both wins, `tie` and `both bad` both ties; how many were of each is
told beside. What was shown again with the sides swapped measures the graders, not the tools.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from polyassay.measures.comparing.two import Answer
from polyassay.model import CandidateKey
from polyassay.rubric.preference.choices import STEPS, Preference
from polyassay.statistics import bradley_terry
from polyassay.statistics.bradley_terry import BradleyTerry, Choices
from polyassay.statistics.clusters import ALPHA, Interval, by_cluster
from polyassay.statistics.intervals import mean_interval
from polyassay.statistics.paired import FEWEST
from polyassay.statistics.significance import holm, levels
from polyassay.store.preferences import Choice

Clusters = Callable[[CandidateKey], Hashable]


@dataclass(frozen=True, slots=True)
class Standing:
    """How one tool fares."""

    tool: str
    strength: float  # log odds against an average tool of these
    interval: Interval
    share: float  # of its comparisons that it wins, ties as halves
    share_interval: Interval
    wins: int
    ties: int
    losses: int
    much: int  # of the wins
    both_bad: int  # of the ties
    tasks: int
    graders: Mapping[str, int]  # grader → choices


@dataclass(frozen=True, slots=True)
class Versus:
    """Two tools; the answer is about the second."""

    a: str
    b: str
    difference: float  # log odds that the second is chosen, of those that choose
    interval: Interval
    p: float
    p_adjusted: float
    answer: Answer
    met: int  # choices between these two


@dataclass(frozen=True, slots=True)
class Leaning:
    """Whether whatever stands on the left is preferred."""

    odds: float  # log odds for the left, from all first showings
    interval: Interval
    repeats: int  # pairs that were shown again, sides swapped
    same: int  # of them: the same answer preferred again, or a tie again
    left: int  # of them: the left one both times
    right: int


@dataclass(frozen=True, slots=True)
class PreferenceFigures:
    dimension: str  # empty: as a whole
    standings: tuple[Standing, ...]  # the strongest first
    versus: tuple[Versus, ...]
    leaning: Leaning
    tasks: int
    choices: int
    not_connected: tuple[str, ...] = ()  # tools that met none of these


def preference_figures(
    given: Sequence[Preference],
    dimension: str = "",
    cluster_of: Clusters = lambda key: (key.suite, key.task),
) -> PreferenceFigures | None:
    """Of one dimension; none where there are no preferences."""
    own = [one for one in given if one.dimension == dimension]
    first = [one for one in own if not one.showing]
    tools, apart = _connected(first)
    kept = [one for one in first if one.a.tool in tools]
    if not kept:
        return None
    number = {tool: index for index, tool in enumerate(tools)}
    clusters = [cluster_of(one.a) for one in kept]
    choices = Choices(
        np.array([number[one.a.tool] for one in kept]),
        np.array([number[one.b.tool] for one in kept]),
        np.array([np.sign(STEPS[one.choice]) for one in kept]),
        clusters,
        len(tools),
    )
    fitted = bradley_terry.fit(choices)
    standings = [_standing(tool, number[tool], kept, clusters, fitted) for tool in tools]
    return PreferenceFigures(
        dimension,
        tuple(sorted(standings, key=lambda one: (-one.strength, one.tool))),
        tuple(_versus(tools, kept, clusters, fitted)),
        _leaning(own, fitted),
        fitted.clusters,
        len(kept),
        tuple(apart),
    )


def _connected(given: Sequence[Preference]) -> tuple[list[str], list[str]]:
    """The tools that met each other, if only through others, and those that did not."""
    groups: list[set[str]] = []
    for one in given:
        pair = {one.a.tool, one.b.tool}
        touched = [group for group in groups if group & pair]
        groups = [group for group in groups if not group & pair]
        groups.append(pair.union(*touched))
    if not groups:
        return [], []
    sizes = Counter(tool for one in given for tool in (one.a.tool, one.b.tool))
    largest = max(groups, key=lambda group: (sum(sizes[tool] for tool in group), sorted(group)))
    return sorted(largest), sorted(set(sizes) - largest)


def _standing(
    tool: str,
    index: int,
    kept: Sequence[Preference],
    clusters: Sequence[Hashable],
    fitted: BradleyTerry,
) -> Standing:
    mine = [(p, c) for p, c in zip(kept, clusters, strict=True) if tool in (p.a.tool, p.b.tool)]
    ahead = [one.ahead(tool) for one, _ in mine]
    points = [0.5 + 0.5 * float(np.sign(steps)) for steps in ahead]
    error = float(np.sqrt(fitted.covariance[index, index]))
    return Standing(
        tool,
        float(fitted.strengths[index]),
        fitted.interval(float(fitted.strengths[index]), error),
        sum(points) / len(points),
        mean_interval(by_cluster(points, [cluster for _, cluster in mine])),
        wins=sum(steps > 0 for steps in ahead),
        ties=sum(steps == 0 for steps in ahead),
        losses=sum(steps < 0 for steps in ahead),
        much=sum(steps == 2 for steps in ahead),
        both_bad=sum(one.choice is Choice.BOTH_BAD for one, _ in mine),
        tasks=len({cluster for _, cluster in mine}),
        graders=dict(sorted(Counter(one.grader for one, _ in mine).items())),
    )


def _versus(
    tools: Sequence[str],
    kept: Sequence[Preference],
    clusters: Sequence[Hashable],
    fitted: BradleyTerry,
) -> list[Versus]:
    """Every two, tested together; too few tasks on which anyone chose never give an answer."""
    pairs = list(combinations(range(len(tools)), 2))
    met = Counter(tuple(sorted((one.a.tool, one.b.tool))) for one in kept)
    found = [fitted.difference(b, a) for a, b in pairs]
    ps = [fitted.p(*one) for one in found]
    chosen = {c for p, c in zip(kept, clusters, strict=True) if STEPS[p.choice]}
    if len(chosen) < FEWEST:
        ps = [1.0 for _ in ps]
    versus = []
    for (a, b), (value, error), p, adjusted, level in zip(
        pairs, found, ps, holm(ps), levels(ps), strict=True
    ):
        answer = Answer.BETTER if value > 0 else Answer.WORSE
        versus.append(
            Versus(
                tools[a],
                tools[b],
                value,
                fitted.interval(value, error, level),
                p,
                adjusted,
                answer if adjusted < ALPHA else Answer.CANNOT_TELL,
                met[tools[a], tools[b]],
            )
        )
    return versus


def _leaning(own: Sequence[Preference], fitted: BradleyTerry) -> Leaning:
    repeats = swapped_repeats(own)
    sides = [(STEPS[before.choice], STEPS[after.choice]) for before, after in repeats]
    return Leaning(
        fitted.side,
        fitted.interval(fitted.side, fitted.side_error),
        len(sides),
        same=sum(np.sign(before) == -np.sign(after) for before, after in sides),
        left=sum(before > 0 and after > 0 for before, after in sides),
        right=sum(before < 0 and after < 0 for before, after in sides),
    )


def swapped_repeats(given: Sequence[Preference]) -> list[tuple[Preference, Preference]]:
    """Each choice that was asked again with the sides swapped, and the second one."""
    first = {(p.grader, p.dimension, p.pair): p for p in given if not p.showing}
    return [
        (first[place], later)
        for later in given
        if later.showing
        and (place := (later.grader, later.dimension, later.pair)) in first
        and first[place].a == later.b
    ]


def sentence(found: PreferenceFigures) -> str:
    """Who is preferred to whom, in one sentence."""
    about = f" in {found.dimension}" if found.dimension else ""
    told = [
        f"people prefer {better} to {worse}{about}"
        for one in found.versus
        if one.answer is not Answer.CANNOT_TELL
        for better, worse in [(one.b, one.a) if one.answer is Answer.BETTER else (one.a, one.b)]
    ]
    if not told:
        return f"Cannot tell which people prefer{about}."
    text = "; ".join(told)
    rest = len(found.versus) - len(told)
    more = f"; of {rest} other pairs it cannot be told" if rest else ""
    return f"{text[0].upper()}{text[1:]}{more}."
