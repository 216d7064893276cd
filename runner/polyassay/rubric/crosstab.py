"""Tests and people together: where they contradict each other, and how far they go along."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from polyassay.model import CandidateKey, Verdict
from polyassay.rubric.means import answer_scores
from polyassay.rubric.rubrics import Dimension, Rubric
from polyassay.rubric.sheets import Score
from polyassay.store import Run, Store
from polyassay.store.scores import Scores

OPINIONS = ("wrong", "partly", "right")


@dataclass(frozen=True, slots=True)
class Contradiction:
    key: CandidateKey
    passed: int
    total: int
    mean: float  # of the graders' scores


@dataclass(frozen=True, slots=True)
class Correlation:
    rho: float | None  # Spearman; none where either side does not vary
    n: int


@dataclass(frozen=True, slots=True)
class Crosstab:
    dimension: str
    counts: Mapping[tuple[str, str], int]  # (passed or failed, wrong, partly or right) → answers
    passed_but_wrong: tuple[Contradiction, ...]
    failed_but_right: tuple[Contradiction, ...]
    correlations: Mapping[str, Correlation]


def crosstab(verdicts: Sequence[Verdict], scores: Sequence[Score], rubric: Rubric) -> Crosstab:
    """Answers that have a verdict that counts, and scores of people."""
    counted = {verdict.candidate: verdict for verdict in verdicts if verdict.outcome.counts}
    means = opinions(verdicts, scores, rubric)
    judging = next((d for d in rubric.dimensions if d.wrong_up_to is not None), None)
    counts: Counter[tuple[str, str]] = Counter()
    found: dict[tuple[str, str], list[Contradiction]] = {}
    for key, value in sorted(means[judging.id].items()) if judging else ():
        verdict = counted[key]
        tests = "passed" if verdict.outcome == "passed" else "failed"
        people = _opinion(value, judging) if judging else ""
        counts[tests, people] += 1
        contradiction = Contradiction(key, verdict.passed, verdict.total, value)
        found.setdefault((tests, people), []).append(contradiction)
    return Crosstab(
        judging.id if judging else "",
        counts,
        tuple(found.get(("passed", "wrong"), ())),
        tuple(found.get(("failed", "right"), ())),
        {name: _correlation(of, counted) for name, of in means.items()},
    )


def opinions(
    verdicts: Sequence[Verdict], scores: Sequence[Score], rubric: Rubric
) -> dict[str, dict[CandidateKey, float]]:
    """Dimension → answer that has a verdict that counts → its score."""
    counted = {verdict.candidate: verdict for verdict in verdicts if verdict.outcome.counts}
    return {d.id: _means(scores, d.id, counted) for d in rubric.dimensions}


def _means(
    scores: Sequence[Score], dimension: str, counted: Mapping[CandidateKey, Verdict]
) -> dict[CandidateKey, float]:
    return {
        answer.key: answer.value
        for answer in answer_scores(scores)
        if answer.dimension == dimension and answer.key in counted
    }


def _opinion(value: float, dimension: Dimension) -> str:
    """Right is what rounds to full points; in between, people and tests may both have a point."""
    assert dimension.wrong_up_to is not None
    if value <= dimension.wrong_up_to:
        return "wrong"
    return "right" if value > dimension.high - 0.5 else "partly"


def _correlation(
    means: Mapping[CandidateKey, float], counted: Mapping[CandidateKey, Verdict]
) -> Correlation:
    from scipy.stats import spearmanr  # only here: it is slow to import

    people = list(means.values())
    tests = [counted[key].ratio for key in means]
    if len(set(people)) < 2 or len(set(tests)) < 2:
        return Correlation(None, len(people))
    return Correlation(float(spearmanr(people, tests).statistic), len(people))


def verdicts_on_graded(opened: Store, store: Scores, run: Run) -> tuple[list[Verdict], int]:
    """The run's verdicts on the very answers that graders saw, and how many others there are."""
    shown: dict[CandidateKey, str] = {}
    for suite in run.provenance["suites"]:
        shown |= store.shown_code(suite)
    kept, stale = [], 0
    for verdict in opened.verdicts(run.id):
        code = verdict.program.code
        if code and not verdict.program.problem and shown.get(verdict.candidate, code) != code:
            stale += 1
        else:
            kept.append(verdict)
    return kept, stale
