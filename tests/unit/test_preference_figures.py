"""Which tools people prefer, and whether graders lean to a side."""

import random

import pytest

from polyassay.measures.comparing.two import Answer
from polyassay.model import CandidateKey
from polyassay.report.grading.preferring import (
    leaning_sentence,
    preferences_json,
    standings_table,
    versus_table,
)
from polyassay.rubric.figures.preferring import (
    PreferenceFigures,
    preference_figures,
    sentence,
    swapped_repeats,
)
from polyassay.rubric.preference.choices import Preference
from polyassay.store.preferences import Choice


def key(task: int, tool: str) -> CandidateKey:
    return CandidateKey("manual", f"t{task}", tool, "en", 0)


def preferred(
    task: int,
    left: str,
    right: str,
    choice: Choice,
    grader: str = "ann",
    showing: int = 0,
    dimension: str = "",
) -> Preference:
    a, b = key(task, left), key(task, right)
    return Preference(a, b, grader, dimension, choice, showing=showing)


def drawn(
    tasks: int, strong: float, tools: tuple[str, ...] = ("finch", "heron"), lean: float = 0.0
) -> list[Preference]:
    """Choices in which the last tool wins with this chance; a tenth are ties."""
    chance = random.Random(7)
    found = []
    for task in range(tasks):
        for n, first in enumerate(tools):
            for second in tools[n + 1 :]:
                wins = chance.random() < (strong if second == tools[-1] else 0.5)
                winner = second if wins else first
                left, right = chance.sample((first, second), 2)
                if chance.random() < lean:
                    winner = left
                much = chance.random() < 0.3
                side = {left: ("A_MUCH_BETTER", "A_BETTER"), right: ("B_MUCH_BETTER", "B_BETTER")}
                choice = Choice[side[winner][0 if much else 1]]
                if chance.random() < 0.1:
                    choice = chance.choice((Choice.TIE, Choice.BOTH_BAD))
                found.append(preferred(task, left, right, choice))
    return found


def figures(given: list[Preference], dimension: str = "") -> PreferenceFigures:
    found = preference_figures(given, dimension)
    assert found
    return found


class TestAnswers:
    def test_a_preferred_tool_is_told_with_its_counts(self) -> None:
        found = figures(drawn(80, 0.8))
        best, worst = found.standings
        assert (best.tool, worst.tool) == ("heron", "finch")
        assert best.wins == worst.losses and best.ties == worst.ties
        assert best.wins + best.ties + best.losses == 80 == found.choices == found.tasks
        assert best.share == pytest.approx((best.wins + best.ties / 2) / 80)
        assert best.share_interval.low < best.share < best.share_interval.high
        assert 0 < best.much < best.wins and 0 < best.both_bad < best.ties
        assert best.strength == pytest.approx(-worst.strength) and best.interval.low > 0
        (pair,) = found.versus
        assert (pair.a, pair.b, pair.answer) == ("finch", "heron", Answer.BETTER)
        assert sentence(found) == "People prefer heron to finch."

    def test_equal_tools_and_few_tasks_give_no_answer(self) -> None:
        assert sentence(figures(drawn(80, 0.5))) == "Cannot tell which people prefer."
        few = [preferred(n, "finch", "heron", Choice.B_MUCH_BETTER) for n in range(5)]
        assert figures(few).versus[0].answer is Answer.CANNOT_TELL
        assert preference_figures([]) is None

    def test_three_tools_are_tested_together(self) -> None:
        found = figures(drawn(80, 0.85, ("finch", "wren", "heron")))
        assert found.standings[0].tool == "heron"
        told = sentence(found)
        assert "prefer heron to finch" in told and "heron" in told.split(";")[1]
        assert told.endswith("of 1 other pairs it cannot be told.")
        assert [v.answer for v in found.versus].count(Answer.CANNOT_TELL) == 1

    def test_tools_that_met_none_of_the_others_are_left_out_and_named(self) -> None:
        apart = [preferred(n, "crow", "egret", Choice.TIE) for n in range(3)]
        found = figures(drawn(30, 0.8) + apart)
        assert found.not_connected == ("crow", "egret")
        assert "crow, egret, which met none" in standings_table(found).notes[-1]

    def test_dimensions_are_apart(self) -> None:
        given = drawn(40, 0.9) + [
            preferred(n, "finch", "heron", Choice.A_BETTER, dimension="quality") for n in range(40)
        ]
        assert sentence(figures(given, "quality")) == "People prefer finch to heron in quality."
        assert figures(given).choices == 40


class TestSides:
    def test_swapped_repeats_show_who_leans(self) -> None:
        given = []
        for n, (before, after) in enumerate(
            [
                (Choice.A_BETTER, Choice.B_BETTER),  # finch both times
                (Choice.A_BETTER, Choice.A_MUCH_BETTER),  # the left both times
                (Choice.B_BETTER, Choice.B_BETTER),  # the right both times
                (Choice.TIE, Choice.BOTH_BAD),
                (Choice.TIE, Choice.A_BETTER),
            ]
        ):
            given.append(preferred(n, "finch", "heron", before))
            given.append(preferred(n, "heron", "finch", after, showing=1))
        given.append(preferred(9, "finch", "heron", Choice.TIE, showing=1))  # no first showing
        assert len(swapped_repeats(given)) == 5
        found = figures(given).leaning
        assert (found.repeats, found.same, found.left, found.right) == (5, 2, 1, 1)
        assert figures(given).choices == 5  # repeats do not count twice
        assert "of 5 pairs shown again with the sides swapped, 2 were" in leaning_sentence(found)

    def test_leaning_is_told_from_all_choices(self) -> None:
        found = figures(drawn(200, 0.5, lean=0.8))
        assert leaning_sentence(found.leaning).startswith("Graders lean to the left (log odds")
        assert "nothing was shown again" in leaning_sentence(found.leaning)
        assert sentence(found) == "Cannot tell which people prefer."


def test_tables_and_json_have_the_same_figures() -> None:
    found = figures(drawn(40, 0.8, ("finch", "wren", "heron")))
    value = preferences_json([found])["overall"]
    assert value["tools"]["heron"]["graders"] == {"ann": 80}
    assert [pair["a"] for pair in value["pairs"]] == ["finch", "finch", "heron"]
    assert len(versus_table(found).rows) == 3 == len(standings_table(found).rows)
