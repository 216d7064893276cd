"""Agreement figures equal published worked examples."""

from typing import Any

import pytest

from polyassay.model import CandidateKey
from polyassay.rubric import agreement, rubrics
from polyassay.rubric.means import answer_scores
from polyassay.rubric.sheets import Score

RUBRIC = rubrics.load("aixbench")
QUALITY, MAINTAINABILITY = RUBRIC.dimensions[1:]
NONE = None


def key(task: int, tool: str = "finch") -> CandidateKey:
    return CandidateKey("manual", f"t{task:03}", tool, "en", 0)


def given(dimension: str, rows: dict[str, list[int | None]], **fields: Any) -> list[Score]:
    """Scores of graders, one column a task; None where a grader gave none."""
    return [
        Score(key(task), grader, dimension, score, **fields)
        for grader, row in rows.items()
        for task, score in enumerate(row)
        if score is not None
    ]


def test_kappa_equals_a_published_example() -> None:
    """Gwet, Handbook of Inter-Rater Reliability: two abstractors, 100 patients, 3 categories.

    The table is `cont3x3abstractors` of his R package irrCAC, whose manual (`kappa2.table`)
    prints 0.8921569 for quadratic weights.
    """
    table = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]
    pairs = [
        (row + 1, column + 1)
        for row, counts in enumerate(table)
        for column, count in enumerate(counts)
        for _ in range(count)
    ]
    first: list[int | None] = [row for row, _ in pairs]
    second: list[int | None] = [column for _, column in pairs]
    ratings = agreement.ratings(given("quality", {"b": second, "a": first}), "quality")
    (found,) = agreement.kappas(ratings, QUALITY).items()
    assert found[0] == ("a", "b")
    assert found[1].value == pytest.approx(0.8921569, abs=5e-8)
    assert found[1].items == 100


def test_alpha_equals_a_published_example() -> None:
    """Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), example C.

    Four observers, twelve units, missing data; with ordinal differences he gives 0.815.
    """
    scores = given(
        "maintainability",
        {
            "a": [1, 2, 3, 3, 2, 1, 4, 1, 2, NONE, NONE, NONE],
            "b": [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NONE, 3],
            "c": [NONE, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NONE],
            "d": [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NONE],
        },
    )
    ratings = agreement.ratings(scores, "maintainability")
    assert agreement.alpha(ratings, MAINTAINABILITY) == pytest.approx(0.815, abs=5e-4)


def test_what_is_not_defined_is_none_and_no_number() -> None:
    same = agreement.ratings(given("quality", {"a": [2, 2], "b": [2, 2]}), "quality")
    assert agreement.alpha(same, QUALITY) is None
    assert agreement.kappas(same, QUALITY)["a", "b"].value is None
    alone = agreement.ratings(given("quality", {"a": [1, 2]}), "quality")
    assert agreement.alpha(alone, QUALITY) is None
    assert agreement.kappas(alone, QUALITY) == {}
    assert agreement.alpha({}, QUALITY) is None
    apart = agreement.ratings(given("quality", {"a": [1, NONE], "b": [NONE, 2]}), "quality")
    assert agreement.alpha(apart, QUALITY) is None
    assert agreement.kappas(apart, QUALITY) == {}


def test_own_consistency_compares_a_grader_with_the_same_grader_later() -> None:
    scores = [
        *given("quality", {"a": [1, 2, 3, 1], "b": [1, 1, 1, 1]}),
        *given("quality", {"a": [1, 3, NONE, 1]}, showing=1),
    ]
    found = agreement.consistency(scores, QUALITY)
    assert set(found) == {"a"}
    assert found["a"].items == 3
    assert found["a"].same == pytest.approx(2 / 3)
    # 1,2,1 against 1,3,1, by hand: squared differences are 1/3 on average, and by chance
    # 2/3·1/3·4 + 1/3·2/3·1 + 1/3·1/3·1 = 11/9.
    assert found["a"].kappa == pytest.approx(1 - (1 / 3) / (11 / 9))


def test_the_widest_disagreement_of_its_scale_comes_first() -> None:
    scores = [
        *given("quality", {"a": [1, 2], "b": [3, 2]}),
        *given("maintainability", {"a": [1, 5], "b": [4, 4]}),
        Score(key(1), "chief", "maintainability", 4, decision=True),
    ]
    found = agreement.disagreements(scores, RUBRIC.dimensions)
    assert [(d.key, d.dimension, d.decided) for d in found] == [
        (key(0), "quality", None),
        (key(0), "maintainability", None),
        (key(1), "maintainability", 4),
    ]
    assert found[1].scores == {"a": 1, "b": 4}


def test_a_decision_stands_in_for_the_scores_in_means_only() -> None:
    scores = [
        *given("quality", {"a": [1, 2], "b": [3, 2]}),
        Score(key(0), "chief", "quality", 3, decision=True),
    ]
    assert [answer.value for answer in answer_scores(scores)] == [3, 2]
    assert agreement.ratings(scores, "quality")["a"] == {key(0): 1, key(1): 2}
