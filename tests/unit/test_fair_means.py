"""What an audit found about rubric means: each test fails on version 0.1.0."""

import pytest

from polyassay.model import CandidateKey
from polyassay.rubric import rubrics
from polyassay.rubric.figures.left_out import named_rows, reach, still_left_out
from polyassay.rubric.figures.summary import Summary, summarise
from polyassay.rubric.means import answer_scores, mean_score, of_tool
from polyassay.rubric.sheets import Score
from polyassay.store.graders import LeftOutRow

RUBRIC = rubrics.load("aixbench")
CORRECTNESS, QUALITY, _ = RUBRIC.dimensions


def key(task: int, tool: str = "finch") -> CandidateKey:
    return CandidateKey("manual", f"t{task}", tool, "en", 0)


def mean(scores: list[Score]) -> float:
    return mean_score(answer_scores(scores), CORRECTNESS).mean


def row(number: int, task: int, score: object, grader: str = "ann", **more: object) -> LeftOutRow:
    fields = {"suite": "manual", "task": f"t{task}", "tool": "finch", "prompt_language": "en"}
    told = fields | {"sample": "0", "grader": grader, "dimension": "quality", "score": score}
    return LeftOutRow("scores.csv", number, number + 1, "quality is 1 to 3", told | more)


def test_deciding_at_the_graders_mean_changes_nothing() -> None:
    """Ten answers with 4/4 and ten with 1/3 stay at 3.0000 when each of the ten is decided as 2."""
    agreed = [Score(key(t), g, "correctness", 4) for t in range(10) for g in ("ann", "bob")]
    apart = [
        Score(key(t), g, "correctness", points)
        for t in range(10, 20)
        for g, points in (("ann", 1), ("bob", 3))
    ]
    decisions = [Score(key(t), "chief", "correctness", 2, decision=True) for t in range(10, 20)]
    assert mean(agreed + apart) == 3.0
    assert mean(agreed + apart + decisions) == 3.0
    found = mean_score(answer_scores(agreed + apart + decisions), CORRECTNESS)
    assert (found.n, found.scores, found.decided) == (20, 40, 10)
    assert found.graders == {"ann": 20, "bob": 20}


def test_an_answer_that_more_people_graded_weighs_no_more() -> None:
    scores = [Score(key(0), g, "correctness", 4) for g in ("ann", "bob", "cid")]
    assert mean([*scores, Score(key(1), "ann", "correctness", 1)]) == 2.5


def test_silent_repeats_do_not_count() -> None:
    scores = [Score(key(0), "ann", "correctness", 4)]
    assert mean([*scores, Score(key(0), "ann", "correctness", 1, showing=1)]) == 4


class TestLeftOut:
    def given(self) -> list[Score]:
        """The audit's case: 30 scores that sum to 83, and four zeros that the scale refuses."""
        points = [3] * 23 + [2] * 7
        return [Score(key(t), "ann", "quality", p) for t, p in enumerate(points)]

    def found(self, *rows: LeftOutRow) -> Summary:
        return summarise(RUBRIC, self.given(), rows)

    def test_the_mean_says_how_far_the_rows_could_move_it(self) -> None:
        found = self.found(*(row(31 + n, 30 + n, "0") for n in range(4)))
        assert found.means["finch"]["quality"].mean == pytest.approx(2.7667, abs=5e-5)
        assert found.means["finch"]["quality"].n == 30
        assert found.reaches
        of = found.reaches["finch", "quality"]
        assert of.rows == 4 and of.as_written == pytest.approx(2.4412, abs=5e-5)
        assert [of.low, of.high] == pytest.approx([83 / 34, (83 + 12) / 34])
        told = "\n".join(found.warnings)
        assert "Left out at import: 4 scores (scores.csv rows 31 to 34)" in told
        assert "2.7667 to anywhere from 2.4412 to 2.7941; as written, 2.4412" in told

    def test_a_second_graders_row_moves_only_its_answer(self) -> None:
        of = reach([row(1, 0, "x", "bob")], answer_scores(self.given()), "finch", QUALITY)
        assert of and of.as_written is None
        assert [of.low, of.high] == pytest.approx([(83 - 1) / 30, 83 / 30])

    def test_rows_of_decided_answers_and_of_nobody_move_nothing(self) -> None:
        decided = [*self.given(), Score(key(0), "chief", "quality", 3, decision=True)]
        answers = of_tool(answer_scores(decided), "finch", "quality")
        of = reach([row(1, 0, "0", "bob")], answers, "finch", QUALITY)
        assert of and of.low == of.high == pytest.approx(83 / 30)
        found = self.found(row(2, 0, "0", tool="egret"), row(4, 0, "0", dimension="style"))
        assert found.reaches == {}
        assert found.warnings == [
            "Left out at import: 2 scores (scores.csv rows 2, 4).",
            "  2 scores of no tool and dimension that has a mean.",
        ]

    def test_a_row_that_was_mended_is_no_longer_left_out(self) -> None:
        rows = [row(1, 0, "0"), row(2, 40, "0"), row(3, 41, "0", sample="")]
        mended = [*self.given(), Score(key(41), "ann", "quality", 1)]
        assert [r.row for r in still_left_out(rows, mended)] == [2]

    def test_every_file_is_named(self) -> None:
        rows = [*(row(n, 0, "0") for n in (1, 3, 4, 5, 9)), LeftOutRow("b.csv", 2, 3, "bad", {})]
        assert named_rows(rows) == "scores.csv rows 1, 3 to 5, 9; b.csv row 2"


def test_uneven_means_are_told() -> None:
    scores = [Score(key(0, tool), "ann", "quality", 2) for tool in ("finch", "heron")]
    assert summarise(RUBRIC, scores).warnings == []
    (line,) = summarise(RUBRIC, [*scores, Score(key(1), "ann", "quality", 1)]).warnings
    assert "grade compare" in line
