"""Rubrics are data, and a malformed one is refused with the line."""

import pytest

from polyassay.errors import PolyAssayError
from polyassay.rubric import rubrics

GOOD = """\
name = "ours"
[title]
en = "Ours"
[[dimensions]]
id = "beauty"
name = { en = "beauty" }
[[dimensions.points]]
score = 1
label = { en = "ugly" }
[[dimensions.points]]
score = 2
label = { en = "fair" }
text = { en = "A pleasure to read." }
"""


def test_the_shipped_rubric_has_the_papers_scales_in_both_languages() -> None:
    rubric = rubrics.load("aixbench")
    scales = {"correctness": (1, 4), "quality": (1, 3), "maintainability": (1, 5)}
    assert rubric.scales == scales
    assert rubric.languages == ("en", "zh")
    assert "full correctness" in rubric.rule["en"] and "满分" in rubric.rule["zh"]
    assert rubric.dimensions[0].wrong_up_to == 2


def test_a_teams_own_rubric_needs_no_more_than_labels(tmp_path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text(GOOD, encoding="utf-8")
    rubric = rubrics.load(str(path))
    assert [p.text["en"] for p in rubric.dimensions[0].points] == ["ugly", "A pleasure to read."]


@pytest.mark.parametrize(
    ("old", "new", "line", "problem"),
    [
        ('name = "ours"', 'name = "ours', 1, "illegal character"),
        ("[[dimensions.points]]", "[[dimensions.points]", 7, "expected"),
        ('id = "beauty"', 'id = "be auty"', 5, "id must be a plain word"),
        ('id = "beauty"\n', "", 4, 'has no "id"'),
        ("score = 2", "score = 3", 11, "score must be 2, found 3"),
        ("score = 2", 'score = "2"', 11, "score must be a whole number"),
        ("score = 2", "score = 12", 11, "score must be one key"),
        ('label = { en = "fair" }', 'label = "fair"', 12, "label must be a table"),
        ('label = { en = "fair" }', 'label = { zh = "好" }', 12, 'has no wording in "en"'),
        ('label = { en = "fair" }', "", 10, 'has no "label"'),
        ('id = "beauty"', 'id = "beauty"\nrange = 3', 6, "range is unknown here"),
        ('id = "beauty"', 'id = "beauty"\nwrong_up_to = 2', 6, "wrong_up_to must be a score below"),
        ('en = "Ours"', 'en = ""', 3, "en must be a text"),
        ('name = { en = "beauty" }', "name = 3", 6, "name must be a table"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(old: str, new: str, line: int, problem: str) -> None:
    assert old in GOOD
    with pytest.raises(PolyAssayError) as error:
        rubrics.parse(GOOD.replace(old, new, 1), "ours.toml")
    assert error.value.problem.startswith(f"ours.toml, line {line}: ")
    assert problem in error.value.problem


def test_one_point_is_no_scale_and_no_dimension_no_rubric() -> None:
    one_point = GOOD.rpartition("[[dimensions.points]]")[0]
    for text, problem in (
        (one_point, "line 7: points must be at least two"),
        (GOOD.partition("[[dimensions]]")[0], 'has no "dimensions"'),
        (GOOD + GOOD.partition('en = "Ours"\n')[2], 'line 15: id "beauty" names another'),
    ):
        with pytest.raises(PolyAssayError) as error:
            rubrics.parse(text, "ours.toml")
        assert problem in error.value.problem


def test_bytes_that_are_not_utf8_are_told_with_their_line(tmp_path) -> None:
    path = tmp_path / "ours.toml"
    path.write_bytes(GOOD.replace("pleasure", "plaisir é").encode("latin-1"))
    with pytest.raises(PolyAssayError, match=r"line 13: this is not UTF-8"):
        rubrics.load(str(path))


def test_an_unknown_rubric_and_an_unknown_language_are_told_what_there_is() -> None:
    with pytest.raises(PolyAssayError) as error:
        rubrics.load("aixbnch")
    assert "aixbench" in error.value.hint
    with pytest.raises(PolyAssayError) as error:
        rubrics.language_of(rubrics.load("aixbench"), "fr")
    assert "en, zh" in error.value.hint
