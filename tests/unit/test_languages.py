"""Every row of the table of languages names parts that exist and fit."""

import inspect

import pytest
from pygments.lexers import get_lexer_by_name

from polyassay.candidates import make_program
from polyassay.languages import HARNESSES, LANGUAGES, LanguageRow, harness_key, imported
from polyassay.model import AnswerForm, Candidate, CandidateKey, Language, Style

KEY = CandidateKey("doctor", "twice", "t", "en", 0)


def test_every_language_has_a_row() -> None:
    assert set(LANGUAGES) == set(Language)


@pytest.mark.parametrize("path", HARNESSES.values())
def test_harnesses_are_made_from_settings(path: str) -> None:
    made = imported(path)
    assert list(inspect.signature(made).parameters) == ["settings"]
    for verb in ("open", "groups", "lacks", "versions", "close"):
        assert callable(getattr(made, verb))


def test_an_engine_that_does_not_know_a_task_leaves_it_to_the_usual_one() -> None:
    java, python = (LANGUAGES[language].trial.task for language in (Language.JAVA, Language.PYTHON))
    assert harness_key(java, "gradle") == (Language.JAVA, "gradle")
    assert harness_key(python, "gradle") == (Language.PYTHON, "worker")
    assert harness_key(python, "nbclient") == (Language.PYTHON, "worker")


def test_cells_have_harnesses_of_their_own() -> None:
    assert {kind for kind, _ in HARNESSES} == {*Language, Style.CELL}


@pytest.mark.parametrize("row", LANGUAGES.values(), ids=map(str, LANGUAGES))
class TestRow:
    def test_its_fence_finds_the_code(self, row: LanguageRow) -> None:
        tag = min(row.fence_tags)
        answer = f"Run this:\n```sh\nls\n```\nThen\n```{tag}\n{row.trial.good}\n```\n"
        program = make_program(row.trial.task, Candidate(KEY, answer))
        assert not program.problem
        assert program.code.strip() == row.trial.good.strip()

    def test_its_trial_gives_programs(self, row: LanguageRow) -> None:
        programs = [
            make_program(row.trial.task, Candidate(KEY, answer))
            for answer in (row.trial.good, row.trial.bad)
        ]
        assert [program.problem for program in programs] == ["", ""]
        assert programs[0].source != programs[1].source

    def test_its_empty_answer_is_a_program(self, row: LanguageRow) -> None:
        empty = make_program(row.trial.task, Candidate(KEY, "", AnswerForm.EMPTY))
        assert empty.source
        assert not empty.problem

    def test_its_highlighter_exists(self, row: LanguageRow) -> None:
        assert get_lexer_by_name(row.highlighter)

    def test_its_remarks_are_found_whole(self, row: LanguageRow) -> None:
        assert row.remarks.findall('x = "a \\" b"') == ['"a \\" b"']
