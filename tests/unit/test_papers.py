"""What goes into papers: Table 3, tables with intervals, a methods paragraph, no names."""

from dataclasses import replace

from polyassay.model import CandidateKey
from polyassay.report.grading.papers import Graded, latex_text, methods, table_3
from polyassay.rubric import rubrics
from polyassay.rubric.agreement import ratings
from polyassay.rubric.figures.agreeing import agreement_of
from polyassay.rubric.figures.anonymous import anonymous, pseudonyms
from polyassay.rubric.figures.comparing import every_pair
from polyassay.rubric.figures.preferring import preference_figures
from polyassay.rubric.figures.summary import summarise
from polyassay.rubric.preference.choices import Preference
from polyassay.rubric.sheets import Score
from polyassay.store.graders import Calibration, LeftOutRow, calibration_key
from polyassay.store.preferences import Choice

RUBRIC = rubrics.load("aixbench")


def key(task: int, tool: str) -> CandidateKey:
    return CandidateKey("aixbench-manual", f"t{task}", tool, "en", 0)


def scores(graders: tuple[str, ...] = ("ann", "bob")) -> list[Score]:
    return [
        Score(key(task, tool), grader, d.id, 1 + (task + len(tool) + (grader == "bob")) % 3)
        for task in range(12)
        for tool in ("aixcoder", "copilot")
        for grader in graders
        for d in RUBRIC.dimensions
    ]


def graded(given: list[Score]) -> Graded:
    row = LeftOutRow("scores.csv", 1, 2, "bad", {})
    return Graded(
        summarise(RUBRIC, given, [row]),
        given,
        {d.id: agreement_of(ratings(given, d.id), d) for d in RUBRIC.dimensions},
        every_pair(RUBRIC, given, lambda k: k.task),
        preference_figures(
            [Preference(key(0, "copilot"), key(0, "aixcoder"), "ann", "", Choice.TIE)]
        ),
        [Calibration(calibration_key("s", "t", "en", 0), "x", {"quality": 2})],
        blind=True,
    )


def test_table_3_has_dimensions_in_lines_and_tools_in_columns() -> None:
    table = table_3(summarise(RUBRIC, scores()))
    assert table.columns == ("", "aixcoder", "copilot")
    assert [row[0] for row in table.rows] == ["Correctness", "Quality", "Maintainability"]
    assert all(len(str(cell).partition(".")[2]) == 4 for row in table.rows for cell in row[1:])
    lone = table_3(summarise(RUBRIC, [Score(key(0, "copilot"), "ann", "quality", 2)]))
    assert lone.rows[0][1] == "–"


def test_the_paragraph_says_who_graded_what_how_often_and_how_far_they_agree() -> None:
    given = scores()
    given += [replace(given[0], showing=1), replace(given[1], showing=1, score=3)]
    given.append(Score(key(0, "copilot"), "chief", "quality", 2, decision=True))
    told = methods(graded(given))
    assert told.startswith("2 people graded 24 answers of 2 tools (aixcoder, copilot) to 12 tasks")
    assert "correctness (1 to 4), quality (1 to 3)" in told and "drawn at random." in told
    assert "Each answer was scored by 2 graders, 144 scores in all" in told
    assert "1 answer of known scores came before the first" in told
    assert "Of 2 scores that graders gave a second time without being told" in told
    assert "Krippendorff's alpha (ordinal) was" in told and "(95 % CI" in told
    assert "1 disagreement was decided" in told and "adjusted after Holm" in told
    assert "1 person chose between two answers side by side 1 time" in told
    assert "1 score could not be taken" in told
    assert "ann" not in told.replace("annot", "")


def test_a_single_grader_has_no_agreement_and_nothing_is_made_up() -> None:
    alone = scores(("ann",))
    found = replace(graded(alone), preferred=None, calibration=[], blind=False, compared=[])
    told = methods(replace(found, summary=summarise(RUBRIC, alone)))
    assert "Each answer was scored by 1 grader," in told and "agreement is not known" in told
    for absent in ("neither tools", "second time", "Holm", "side by side", "decided", "account"):
        assert absent not in told
    uneven = [*alone, Score(key(0, "copilot"), "bob", "quality", 2)]
    assert "by 1 to 2 graders" in methods(replace(found, scores=uneven))


def test_latex_has_tables_and_prose_that_compiles() -> None:
    text = latex_text(graded(scores()))
    assert text.count(r"\begin{tabular}") == 3 == text.count(r"\end{tabular}")
    assert "Correctness & " in text and r"copilot $-$ aixcoder" in text
    prose = text.rpartition("\n\n")[2] or text.splitlines()[-1]
    assert r"95 \% CI" in prose and "aixbench-manual" in prose
    assert "95 %" not in text.replace(r"\%", "")


def test_names_are_replaced_in_scores_and_comments() -> None:
    given = [
        Score(key(0, "copilot"), "ann", "quality", 2, "Bob is wrong; annotate it"),
        Score(key(0, "copilot"), "bob", "quality", 1, "see ann"),
    ]
    names = pseudonyms(["ann", "bob"])
    hidden = anonymous(given)
    assert {score.grader for score in hidden} == {"grader 1", "grader 2"}
    assert hidden[0].comment == f"{names['bob']} is wrong; annotate it"
    assert hidden[1].comment == f"see {names['ann']}"
    assert [score.score for score in hidden] == [2, 1]
