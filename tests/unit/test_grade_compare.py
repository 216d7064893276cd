"""Which of two tools people score higher."""

import random
import warnings
from dataclasses import replace

import pytest

from polyassay.errors import PolyAssayError
from polyassay.measures.comparing.two import Answer
from polyassay.model import CandidateKey
from polyassay.report.grading.comparing import (
    grades_json,
    grades_table,
    models_table,
    notes,
    pairs_table,
)
from polyassay.report.grading.power import GradingPower, power_json, power_table
from polyassay.report.tables import Amount, plain
from polyassay.rubric import rubrics
from polyassay.rubric.figures.comparing import (
    compare_grades,
    every_pair,
    ordinal_model,
    sentence,
)
from polyassay.rubric.figures.planning import assumed, spread_of
from polyassay.rubric.sheets import Score

RUBRIC = rubrics.load("aixbench")
CORRECTNESS, QUALITY, MAINTAINABILITY = RUBRIC.dimensions
SEVERITY = {"ann": 0, "bob": 1}


def key(task: int, tool: str, sample: int = 0) -> CandidateKey:
    return CandidateKey("manual", f"t{task}", tool, "en", sample)


def graded(
    tasks: int, better: float = 0.0, severity: dict[str, int] = SEVERITY, seed: int = 1
) -> list[Score]:
    """Maintainability of two tools, whose graders are strict to different degrees."""
    chance = random.Random(seed)
    found = []
    for task in range(tasks):
        quality = chance.gauss(3, 0.8)
        for tool, more in (("finch", 0.0), ("heron", better)):
            own = quality + more + chance.gauss(0, 0.5)
            for grader, strict in severity.items():
                score = round(own - strict + chance.gauss(0, 0.3))
                points = min(5, max(1, score))
                found.append(Score(key(task, tool), grader, "maintainability", points))
    return found


class TestAnswers:
    def test_a_better_tool_is_told_in_a_sentence(self) -> None:
        found = compare_grades(RUBRIC, graded(60, 0.8), "finch", "heron")
        metric = found.comparison.metrics["maintainability"]
        assert metric.answer is Answer.BETTER and metric.interval.low > 0.3
        assert list(found.comparison.metrics) == ["maintainability"]
        told = sentence(found)
        assert told.startswith("heron is better in maintainability: it gets 0.")
        assert "points more for maintainability than finch (95 %: 0." in told

    def test_the_other_way_round_the_answer_is_the_same(self) -> None:
        found = compare_grades(RUBRIC, graded(60, 0.8), "heron", "finch")
        assert found.comparison.metrics["maintainability"].answer is Answer.WORSE
        assert sentence(found).startswith("heron is better in maintainability: it gets")

    def test_equal_tools_cannot_be_told_apart_and_the_outlook_is_told(self) -> None:
        found = compare_grades(RUBRIC, graded(30), "finch", "heron")
        assert sentence(found).startswith("Cannot tell which people score higher: ")
        assert notes(found)[1].startswith("30 tasks can show differences from about 0.")

    def test_what_tasks_can_show_names_its_dimension_where_they_differ(self) -> None:
        scores = graded(30)
        scores += [replace(s, dimension="quality") for s in graded(30, seed=2)]
        told = notes(compare_grades(RUBRIC, scores, "finch", "heron"))
        assert [line.partition(" can ")[0] for line in told[1:3]] == [
            "quality: 30 tasks",
            "maintainability: 30 tasks",
        ]
        same = graded(30) + [replace(s, dimension="quality") for s in graded(30)]
        (one,) = (x for x in notes(compare_grades(RUBRIC, same, "finch", "heron")) if " can " in x)
        assert one.startswith("30 tasks can show")

    def test_ends_below_zero_are_written_as_everywhere(self) -> None:
        assert plain(Amount(-1.262e-16, -4.862, 4.862)) == "0 (−4.862 to 4.862)"
        assert plain(Amount(-0.5, unit="s")) == "−0.5 s"
        assert plain(Amount(2, 1, 3)) == "2 (1–3)"

    def test_dimensions_are_tested_together(self) -> None:
        scores = graded(60, 0.8)
        scores += [Score(s.key, s.grader, "quality", 1 + s.key.sample) for s in scores]
        found = compare_grades(RUBRIC, scores, "finch", "heron")
        maintainability = found.comparison.metrics["maintainability"]
        assert maintainability.p_adjusted == pytest.approx(2 * maintainability.p)
        assert sentence(found).endswith("; it cannot be told in quality.")


class TestGraders:
    def test_severity_cancels_out_where_tools_have_different_graders(self) -> None:
        """Ann is strict and scores finch more often; equal tools must stay equal."""
        both = [
            Score(key(task, tool), grader, "quality", points)
            for task in range(10)
            for tool in ("finch", "heron")
            for grader, points in (("ann", 1), ("bob", 3))
        ]
        lone = [Score(key(t, "finch"), "ann", "quality", 1) for t in range(10, 20)]
        lone += [Score(key(t, "heron"), "bob", "quality", 3) for t in range(10, 20)]
        found = compare_grades(RUBRIC, both + lone, "finch", "heron")
        metric = found.comparison.metrics["quality"]
        assert (metric.difference, metric.units) == (0, 10)
        assert found.no_common_grader == {"quality": 10}
        assert found.graders("quality") == {"ann": 10, "bob": 10}
        assert "Left out: 10 tasks whose answers no grader scored both" in notes(found)[-1]

    def test_a_decision_replaces_scores_and_repeats_do_not_count(self) -> None:
        scores = graded(8, 0.5)
        scores.append(Score(key(0, "heron"), "chief", "maintainability", 5, decision=True))
        scores += [Score(key(t, "finch"), "ann", "maintainability", 1, showing=1) for t in range(8)]
        found = compare_grades(RUBRIC, scores, "finch", "heron")
        first = found.pairs["maintainability"][0]
        assert first.sides and first.sides[1] == 5
        plain = compare_grades(RUBRIC, graded(8, 0.5), "finch", "heron")
        assert found.pairs["maintainability"][1:] == plain.pairs["maintainability"][1:]

    def test_samples_of_a_task_are_averaged_within_a_grader(self) -> None:
        scores = [Score(key(0, "finch", n), "ann", "quality", n + 1) for n in range(3)]
        scores.append(Score(key(0, "heron"), "ann", "quality", 3))
        (pair,) = compare_grades(RUBRIC, scores, "finch", "heron").pairs["quality"]
        assert pair.by_grader == {"ann": (2.0, 3.0)}

    def test_the_difference_equals_a_linear_mixed_model_of_statsmodels(self) -> None:
        import statsmodels.formula.api as formulas

        scores = graded(50, 0.6)
        rows = {
            "score": [s.score for s in scores],
            "tool": [float(s.key.tool == "heron") for s in scores],
            "grader": [s.grader for s in scores],
            "task": [s.key.task for s in scores],
        }
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = formulas.mixedlm("score ~ tool + grader", rows, groups=rows["task"]).fit()
        found = compare_grades(RUBRIC, scores, "finch", "heron").comparison
        metric = found.metrics["maintainability"]
        assert metric.difference == pytest.approx(model.params["tool"], abs=1e-6)
        assert model.params["grader[T.bob]"] < -0.7  # bob is strict, and that is taken out


class TestModel:
    def test_it_tells_the_same_and_takes_tasks_without_a_common_grader(self) -> None:
        scores = graded(60, 0.8)
        halved = [s for s in scores if (s.grader == "ann") == (s.key.tool == "finch")]
        fit = ordinal_model(scores, MAINTAINABILITY, "finch", "heron", lambda k: k.task)
        assert fit and fit.converged and fit.interval(0).low > 0 and fit.p(0) < 0.001
        # One grader a tool: who is strict cannot be told from which is better.
        assert ordinal_model(halved, MAINTAINABILITY, "finch", "heron", lambda k: k.task) is None
        apart = halved + [s for s in scores if int(s.key.task[1:]) < 20 and s not in halved]
        less = ordinal_model(apart, MAINTAINABILITY, "finch", "heron", lambda k: k.task)
        assert less and less.effects[0] > 0 and less.errors[0] > fit.errors[0]
        alone = [s for s in scores if s.key.tool == "finch"]
        assert ordinal_model(alone, MAINTAINABILITY, "finch", "heron", lambda k: k.task) is None
        found = compare_grades(RUBRIC, scores, "finch", "heron")
        value = grades_json(found, {"maintainability": fit, "quality": None})
        assert value["models"]["quality"] is None
        assert value["models"]["maintainability"]["log_odds"] == pytest.approx(fit.effects[0])
        table = models_table(found, {"maintainability": fit, "quality": None})
        assert table.rows[1][1] == "not defined" and "log odds" in table.notes[0]


class TestTables:
    def test_the_table_has_numbers_of_tasks_and_graders(self) -> None:
        table = grades_table(compare_grades(RUBRIC, graded(30), "finch", "heron"))
        assert table.columns[3] == "heron − finch"
        row = dict(zip(table.columns, table.rows[0], strict=True))
        assert (row["tasks"], row["graders"]) == (30, "ann 30, bob 30")
        few = grades_table(compare_grades(RUBRIC, graded(3), "finch", "heron"))
        assert few.rows[0][-1] == "none"
        decided = Score(key(0, "finch"), "chief", "quality", 3, decision=True)
        lone = [decided, Score(key(0, "heron"), "ann", "quality", 2)]
        assert grades_table(compare_grades(RUBRIC, lone, "finch", "heron")).rows[0][8] == "decided"

    def test_every_two_tools_are_tested_together(self) -> None:
        scores = graded(40, 0.8)
        third = [
            Score(key(int(s.key.task[1:]), "wren"), s.grader, s.dimension, s.score)
            for s in scores
            if s.key.tool == "finch"
        ]
        stranger = Score(key(99, "egret"), "cid", "quality", 2)
        found = every_pair(RUBRIC, [*scores, *third, stranger], lambda k: k.task)
        assert [(f.comparison.a, f.comparison.b) for f in found] == [
            ("finch", "heron"),
            ("finch", "wren"),
            ("heron", "wren"),
        ]
        first = found[0].comparison.metrics["maintainability"]
        assert first.p_adjusted == pytest.approx(3 * first.p)
        table = pairs_table(found)
        assert [row[-1] for row in table.rows] == ["better", "cannot tell", "worse"]


@pytest.mark.parametrize(
    ("a", "b", "problem"),
    [
        ("finch", "hero", 'scored answers of "hero"'),
        ("finch", "finch", "with itself"),
        ("finch", "egret", "No task has answers"),
    ],
)
def test_what_cannot_be_compared_is_refused(a: str, b: str, problem: str) -> None:
    scores = [*graded(5), Score(key(0, "egret"), "cid", "quality", 2)]
    with pytest.raises(PolyAssayError, match=problem):
        compare_grades(RUBRIC, scores, a, b)


class TestPower:
    def test_more_graders_need_fewer_tasks_but_more_work(self) -> None:
        plan = GradingPower("manual", 161, CORRECTNESS, 0.3, (1, 2, 4), assumed())
        rows = [row for row in power_json(plan)["rows"] if row["power"] == 0.8]
        assert [row["graders"] for row in rows] == [1, 2, 4]
        assert rows[0]["tasks"] > rows[1]["tasks"] > rows[2]["tasks"]
        assert rows[0]["items"] < rows[2]["items"] == 8 * rows[2]["tasks"]
        table = power_table(plan)
        assert str(table.rows[0][-1]).startswith("from 0.") and "1 to 4" in table.notes[0]

    def test_the_spread_of_scores_is_split_as_it_was_made(self) -> None:
        chance = random.Random(5)
        scores = []
        for task in range(2000):
            better = chance.choice((-1, 1))  # between tasks: a mean square of 1
            for grader in ("ann", "bob"):
                mood = chance.choice((-1, 0, 1))  # within: a variance of 2/3
                scores.append(Score(key(task, "finch"), grader, "maintainability", 3))
                points = 3 + better + mood
                scores.append(Score(key(task, "heron"), grader, "maintainability", points))
        pairs = compare_grades(RUBRIC, scores, "finch", "heron").pairs["maintainability"]
        spread = spread_of(pairs, 4)
        assert spread
        assert spread.between == pytest.approx(1 / 16, rel=0.1)
        assert spread.within == pytest.approx(2 / 3 / 16, rel=0.1)
        assert spread_of(pairs[:1], 4) is None

    def test_what_no_number_of_tasks_shows_is_out_of_reach(self) -> None:
        plan = GradingPower("manual", 3, CORRECTNESS, 1e-6, (1,), assumed())
        assert power_table(plan).rows[0][1:] == (
            "out of reach",
            "out of reach",
            "–",
            "no difference",
        )
        assert power_json(plan)["rows"][0]["items"] is None
