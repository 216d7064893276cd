"""Which of two tools people score higher: paired by task, within graders.

A strict grader is strict with both tools, so each grader's own difference is taken first, and
severity cancels out. Interval, test and smallest difference are those of `compare`; dimensions are
tested together (Holm). Graders are taken as they are: the answer is about tasks like these, graded
by these people.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from polyassay.errors import PolyAssayError
from polyassay.measures.comparing.sentences import evidence
from polyassay.measures.comparing.two import (
    Answer,
    Comparison,
    Metric,
    Paired,
    adjusted,
    paired_metric,
)
from polyassay.measures.table import Measure, Of, Scale
from polyassay.measures.units import Unit
from polyassay.model import CandidateKey
from polyassay.rubric.means import AnswerScore, answer_scores
from polyassay.rubric.rubrics import Dimension, Rubric
from polyassay.rubric.sheets import Score
from polyassay.statistics.ordinal import OrdinalFit, fit_ordinal
from polyassay.wording import did_you_mean

Clusters = Callable[[CandidateKey], Hashable]


@dataclass(frozen=True, slots=True)
class GradedPair:
    """One task of which both tools' answers were graded, in one dimension."""

    unit: Unit
    cluster: Hashable
    by_grader: Mapping[str, tuple[float, float]]  # grader → the scores of both tools
    decided: tuple[float, float] | None = None  # where a decision replaced scores

    @property
    def sides(self) -> tuple[float, float] | None:
        """The scores that are compared; none where no grader graded both."""
        if self.decided:
            return self.decided
        if not self.by_grader:
            return None
        first, second = zip(*self.by_grader.values(), strict=True)
        return fmean(first), fmean(second)


@dataclass(frozen=True, slots=True)
class GradeComparison:
    rubric: Rubric
    comparison: Comparison  # its metrics are the dimensions that both tools have
    pairs: Mapping[str, tuple[GradedPair, ...]]  # dimension → tasks that count
    no_common_grader: Mapping[str, int]  # dimension → tasks that do not count for that reason

    def graders(self, dimension: str) -> dict[str, int]:
        """Grader → tasks of which both answers were graded."""
        found: dict[str, int] = {}
        for pair in self.pairs[dimension]:
            for grader in pair.by_grader:
                found[grader] = found.get(grader, 0) + 1
        return dict(sorted(found.items()))


def compare_grades(
    rubric: Rubric,
    scores: Sequence[Score],
    a: str,
    b: str,
    cluster_of: Clusters = lambda key: (key.suite, key.task),
) -> GradeComparison:
    """Two tools by name; raises where nothing of both was graded by the same person."""
    answers = answer_scores(scores)
    _refuse_unknown(answers, a, b)
    paired = {d.id: _pairs(answers, d.id, (a, b), cluster_of) for d in rubric.dimensions}
    counted = {name: tuple(p for p in of if p.sides) for name, of in paired.items()}
    metrics = {
        d.id: paired_metric(
            [Paired(p.unit, p.cluster, *p.sides) for p in counted[d.id] if p.sides], measure_of(d)
        )
        for d in rubric.dimensions
        if counted[d.id]
    }
    if not metrics:
        raise PolyAssayError(
            f"No task has answers of {a} and of {b} that the same grader scored.",
            hint="Let graders score both answers to a task (--overlap, --side-by-side).",
        )
    together = dict(zip(metrics, adjusted(list(metrics.values())), strict=True))
    tasks = len({pair.unit for of in counted.values() for pair in of})
    return GradeComparison(
        rubric,
        Comparison(a, b, tasks, together, ()),
        {name: counted[name] for name in together},
        {name: len(paired[name]) - len(counted[name]) for name in together},
    )


def measure_of(dimension: Dimension) -> Measure:
    """A dimension of a rubric as a measure, so that it is compared like any other."""
    return Measure(
        dimension.id,
        dimension.id,
        Of.UNIT,
        lambda unit: None,  # graders' scores are no part of verdicts
        f"gets {{much}} more for {dimension.id}",
        scale=Scale(dimension.low, dimension.high, "points"),
    )


def _refuse_unknown(answers: Sequence[AnswerScore], *tools: str) -> None:
    known = sorted({answer.key.tool for answer in answers})
    for tool in tools:
        if tool not in known:
            raise PolyAssayError(
                f'Nobody has scored answers of "{tool}".',
                hint=f"{did_you_mean(tool, known)}Scored are: {', '.join(known)}.",
            )
    if tools[0] == tools[1]:
        raise PolyAssayError("A tool cannot be compared with itself.", hint="Name two tools.")


def _pairs(
    answers: Sequence[AnswerScore], dimension: str, tools: tuple[str, str], cluster_of: Clusters
) -> list[GradedPair]:
    """Tasks that have scored answers of both."""
    units: dict[Unit, tuple[list[AnswerScore], list[AnswerScore]]] = {}
    for answer in answers:
        if answer.dimension == dimension and answer.key.tool in tools:
            key = answer.key
            sides = units.setdefault(Unit(key.suite, key.task, key.prompt_language), ([], []))
            sides[tools.index(key.tool)].append(answer)
    return [
        _pair(unit, first, second, cluster_of(first[0].key))
        for unit, (first, second) in sorted(units.items())
        if first and second
    ]


def _pair(
    unit: Unit, first: Sequence[AnswerScore], second: Sequence[AnswerScore], cluster: Hashable
) -> GradedPair:
    one, other = _by_grader(first), _by_grader(second)
    both = {grader: (one[grader], other[grader]) for grader in sorted(one.keys() & other.keys())}
    decided = None
    if any(answer.decided for answer in (*first, *second)):
        decided = (fmean(a.value for a in first), fmean(a.value for a in second))
    return GradedPair(unit, cluster, both, decided)


def _by_grader(answers: Sequence[AnswerScore]) -> dict[str, float]:
    """Each grader's mean over the samples that they graded."""
    found: dict[str, list[int]] = {}
    for answer in answers:
        for grader, score in answer.given.items():
            found.setdefault(grader, []).append(score)
    return {grader: fmean(scores) for grader, scores in found.items()}


def sentence(found: GradeComparison) -> str:
    """The answer over all dimensions, in one sentence."""
    comparison = found.comparison
    parts = []
    for answer, tool in ((Answer.BETTER, comparison.b), (Answer.WORSE, comparison.a)):
        of = [name for name, metric in comparison.metrics.items() if metric.answer is answer]
        if of:
            told = "; ".join(evidence(comparison, name) for name in of)
            parts.append(f"{tool} is better in {_listed(of)}: {told}")
    open_ = [n for n, m in comparison.metrics.items() if m.answer is Answer.CANNOT_TELL]
    if not parts:
        told = "; ".join(evidence(comparison, name) for name in open_)
        return f"Cannot tell which people score higher: {told}."
    if open_:
        parts.append(f"it cannot be told in {_listed(open_)}")
    return "; ".join(parts) + "."


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def ordinal_model(
    scores: Sequence[Score], dimension: Dimension, a: str, b: str, cluster_of: Clusters
) -> OrdinalFit | None:
    """Tool B against A in log odds of a higher score, graders as effects, tasks drawn by chance.

    It takes every score of either tool, also of tasks whose answers have no grader in common.
    """
    given = [
        (answer, grader, score)
        for answer in answer_scores(scores)
        if answer.dimension == dimension.id and answer.key.tool in (a, b)
        for grader, score in answer.given.items()
    ]
    if len({answer.key.tool for answer, _, _ in given}) < 2:
        return None
    graders = sorted({grader for _, grader, _ in given})
    columns = np.array(
        [
            [answer.key.tool == b, *(grader == other for other in graders[1:])]
            for answer, grader, _ in given
        ],
        dtype=float,
    )
    clusters = [cluster_of(answer.key) for answer, _, _ in given]
    return fit_ordinal([score for _, _, score in given], columns, clusters)


def every_pair(
    rubric: Rubric, scores: Sequence[Score], cluster_of: Clusters
) -> list[GradeComparison]:
    """Every two tools that share a grader on a task, all of their dimensions tested together."""
    tools = sorted({score.key.tool for score in scores})
    found = []
    for index, a in enumerate(tools):
        for b in tools[index + 1 :]:
            try:
                found.append(compare_grades(rubric, scores, a, b, cluster_of))
            except PolyAssayError:
                continue  # these two have nothing in common
    return _together(found)


def _together(found: Sequence[GradeComparison]) -> list[GradeComparison]:
    every = [metric for one in found for metric in one.comparison.metrics.values()]
    tested = iter(adjusted(every))
    return [
        GradeComparison(one.rubric, _with(one.comparison, tested), one.pairs, one.no_common_grader)
        for one in found
    ]


def _with(comparison: Comparison, tested: Iterator[Metric]) -> Comparison:
    metrics = {name: next(tested) for name in comparison.metrics}
    return Comparison(comparison.a, comparison.b, comparison.tasks, metrics, ())
