"""The room, whatever draws it: preferences, calibration, references, differences, languages."""

import asyncio
import string
from typing import Any

import pytest
from rich.cells import cell_len

from made import make_task
from polyassay.model import CandidateKey, Style
from polyassay.rubric.model.questions import prompt_for
from polyassay.rubric.plan import GradingPlan, make_items
from polyassay.rubric.preference.choices import preferences
from polyassay.rubric.preference.plan import make_pairs
from polyassay.rubric.room.preferring import Preferring
from polyassay.rubric.room.room import Room, _coarse
from polyassay.rubric.room.scoring import Scoring
from polyassay.rubric.room.view import declared
from polyassay.rubric.room.words import LANGUAGES, WORDS, say, usual_language
from polyassay.rubric.terminal.plain import grade_plainly
from polyassay.rubric.terminal.screen import GradingScreen
from polyassay.store.graders import Calibration, calibration_key
from polyassay.store.preferences import Choice
from unit.test_grading import CODES, ONCE, RUBRIC, Log

WIDE = "读取文件并跳过空行"  # two columns a character
KNOWN = Calibration(
    calibration_key("s", "t00", "en", 0),
    "known = 1",
    {"correctness": 4, "quality": 2, "maintainability": 5},
    "It says so.",
)


def tasks(reference: str = "") -> dict:
    return {
        ("s", f"t{n:02}"): make_task(
            f"t{n:02}",
            0,
            style=Style.RUBRIC,
            prompts={"en": f"t{n:02} {WIDE}"},
            reference=reference,
        )
        for n in range(20)
    }


def code_of(key: CandidateKey) -> str:
    return f"x = {key.task!r}\nprint({'1' if key.tool == 'finch' else '2'})\n"


def scoring(log: Log, reference: str = "", calibrated: bool = False, **more: Any) -> Room:
    codes = dict(list(CODES.items())[:4])
    known = {KNOWN.key: KNOWN.code} if calibrated else None
    plan = GradingPlan(repeat=0, **more) if more else ONCE
    items = make_items(codes, plan, "ann", {}, known)
    desk = Scoring(
        *(RUBRIC, "ann", "g1", tasks(reference), items, lambda: log.events, log),
        known={KNOWN.key: KNOWN},
    )
    return Room(desk, code_of, "en")


def preferring(log: Log, by_dimension: bool = False, language: str = "en") -> Room:
    codes = dict(list(CODES.items())[:6])
    items = make_pairs(codes, GradingPlan(repeat=0), "ann", {})
    desk = Preferring(
        *(RUBRIC, "ann", "g1", tasks(), items, lambda: log.events, log), by_dimension=by_dimension
    )
    return Room(desk, code_of, language)


def press(room: Room, *keys: str) -> None:
    for key in keys:
        room.press(key)


class TestPreferences:
    def test_one_key_says_which_is_better_and_the_next_pair_comes(self) -> None:
        log = Log()
        room = preferring(log)
        first = room.desk.answers
        press(room, "2")
        assert room.view().number == 1
        (choice,) = preferences(log.events)
        assert (choice.a, choice.b, choice.choice) == (first[0].key, first[1].key, Choice.A_BETTER)
        assert choice.seconds is not None
        press(room, "0", "5")
        assert room.view().finished and "All 3 items are done" in room.view().closing
        assert [c.choice for c in sorted(preferences(log.events), key=lambda c: c.a.task)]

    def test_sides_stay_with_the_choice(self) -> None:
        log = Log()
        room = preferring(log)
        while not room.desk.finished:
            finch_left = room.desk.answers[0].key.tool == "finch"
            press(room, "1" if finch_left else "5")
        assert {choice.ahead("finch") for choice in preferences(log.events)} == {2}

    def test_by_dimension_asks_for_each_and_for_the_whole(self) -> None:
        log = Log()
        room = preferring(log, by_dimension=True)
        assert [f.name for f in room.view().fields][-1] == "as a whole"
        press(room, "1", "2", "3", "4")
        assert room.view().number == 1
        press(room, "u")
        assert room.view().number == 0 and room.view().fields[-1].focused
        assert [f.side for f in room.view().fields] == [""] * 4

    def test_skip_flag_comment_and_undo(self) -> None:
        log = Log()
        room = preferring(log)
        press(room, "f")
        room.press("c", "why\nnot")
        assert "flagged" in room.view().where and room.view().fields[0].comment == "why not"
        press(room, "s")
        assert room.view().number == 1 and room.desk.progress().skipped == 1
        press(room, "3", "3", "r")
        assert room.view().number == 0 and "skipped" in room.view().where
        press(room, "u", "u")
        assert room.desk.progress().done == 0 and room.desk.progress().skipped == 1
        press(room, "7")
        assert room.view().notice == "as a whole takes 1 2 3 4 5 0."

    def test_a_second_window_sees_what_the_first_recorded(self) -> None:
        log = Log()
        one, other = preferring(log), preferring(log)
        press(one, "1")
        press(other, "1")  # its view was the first pair still: the choice is changed, not doubled
        assert len(preferences(log.events)) == 1
        press(other, "3")
        assert len(preferences(log.events)) == 2


class TestCalibration:
    def test_known_items_come_first_are_told_and_stay(self) -> None:
        log = Log()
        room = scoring(log, calibrated=True)
        assert room.view().where[:2] == ("item 1 of 6", "calibration")
        assert room.view().feedback == ""
        press(room, "3", "2", "5")
        told = room.view().feedback
        assert "correctness 4, quality 2, maintainability 5. It says so." in told
        press(room, "4")
        assert "go on with n" in room.view().notice
        press(room, "u")
        assert "nothing to take back" in room.view().notice
        assert [event.score for event in log.events] == [3, 2, 5]
        press(room, "n")
        assert room.view().number == 1 and "calibration" not in room.view().where

    def test_an_unfinished_one_can_be_undone(self) -> None:
        room = scoring(Log(), calibrated=True)
        press(room, "3", "u")
        assert room.view().notice == "" and room.desk.number == 0

    def test_later_ones_are_silent(self) -> None:
        room = scoring(Log(), calibrated=True)
        press(room, "3", "2", "5", "n")
        while not room.desk.finished:
            assert "calibration" not in room.view().where and not room.view().feedback
            press(room, "1", "1", "1")


class TestReference:
    def test_it_comes_after_scoring_only(self) -> None:
        room = scoring(Log(), reference="def right(): pass")
        press(room, "r")
        assert "Score first" in room.view().notice and room.view().reference == ""
        press(room, "4", "3", "5", "b", "r")
        assert room.view().reference == "def right(): pass"
        press(room, "n")
        assert room.view().reference == ""

    def test_the_lead_may_open_it(self) -> None:
        room = scoring(Log(), reference="def right(): pass")
        opened = Room(room.desk, code_of, "en", open_reference=True)
        opened.press("r")
        assert opened.view().reference == "def right(): pass"
        opened.press("r")
        assert opened.view().reference == ""

    def test_a_task_without_one_says_so_and_shows_no_key(self) -> None:
        room = scoring(Log())
        press(room, "r")
        assert "no reference" in room.view().notice
        assert "r" not in {key.key for key in room.view().keys}


def test_the_difference_marks_lines_that_only_one_answer_has() -> None:
    room = preferring(Log())
    press(room, "d")
    signs = [sign for sign, _ in room.view().difference]
    assert sorted(signs) == [" ", "+", "-"] and signs[0] == " "
    press(room, "d")
    assert room.view().difference == ()
    alone = scoring(Log())
    press(alone, "d")
    assert "only one answer" in alone.view().notice


def test_the_help_names_the_keys_that_work_here() -> None:
    alone, beside = scoring(Log()).handbook({"Space j": "down"}), preferring(Log()).handbook()
    assert "1–5" in alone and "↑ ↓" in alone and "← →" in alone and "Space j  scroll" in alone
    assert "A and B" not in alone
    assert "0–5" in beside and "A and B" in beside and "Space" not in beside


def test_what_was_skipped_is_not_done() -> None:
    room = preferring(Log())
    press(room, "2", "s", "2")
    assert room.view().closing == "2 of 3 items are done, 1 skipped. Thank you!"
    press(room, "b")
    assert room.view().where == ("item 3 of 3", "2 done")


def test_files_to_fill_in_stand_below_the_prompt() -> None:
    files = {"till.py": "def add(n): ...\n", "coin.py": "COINS = []\n"}
    assert declared(make_task("t", signature="def f()")) == "def f()"
    listed = "# till.py\ndef add(n): ...\n\n# coin.py\nCOINS = []\n"
    assert declared(make_task("t", solution=files)) == listed
    own = {**files, "till.py": f"# till.py\n{files['till.py']}"}  # as chats often begin a file
    assert declared(make_task("t", solution=own)) == listed
    room = scoring(Log())
    (key,) = {("s", item.key.task) for item in room.desk.answers}
    room.desk._tasks = {**room.desk._tasks, key: make_task(key[1], solution=files)}
    assert room.view().signature == listed
    told: list[str] = []
    grade_plainly(room, lambda _: "q", told.append)
    assert listed in told
    assert listed in prompt_for(room, 0).text


def test_plain_names_its_keys_at_once_and_none_that_cannot_be_typed() -> None:
    told: list[str] = []
    answers = iter(["?", "q"])
    grade_plainly(scoring(Log(), "ref"), lambda _: next(answers), told.append)
    assert told[1] == (
        "u undo   b back   n next   s skip   c comment   f flag   r reference   ? help   q quit"
    )
    assert "1–5" in told[-1] and "↑" not in told[-1] and "←" not in told[-1]


def test_every_word_is_there_in_both_languages_with_the_same_places() -> None:
    for name, words in WORDS.items():
        assert words.keys() == set(LANGUAGES), name
        places = [
            {part[1] for part in string.Formatter().parse(words[nl]) if part[1]} for nl in LANGUAGES
        ]
        assert places[0] == places[1], name
    assert say({"fr": "oui"}, "zh") == "oui"


@pytest.mark.parametrize(
    ("locale", "language"), [("zh_CN.UTF-8", "zh"), ("fr_FR.UTF-8", "en"), ("C.UTF-8", "en")]
)
def test_the_locale_chooses_the_language(
    monkeypatch: pytest.MonkeyPatch, locale: str, language: str
) -> None:
    monkeypatch.setenv("LC_ALL", locale)
    assert usual_language(RUBRIC) == language


def drawn(room: Room, size: tuple[int, int], *keys: str) -> list[str]:
    async def run() -> list[str]:
        app = GradingScreen(room)
        async with app.run_test(size=size) as pilot:
            await pilot.press(*keys)
            await pilot.pause()
            return [strip.text for strip in app.screen._compositor.render_strips()]

    return asyncio.run(run())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [60, 79, 80, 100, 130])
def test_headline_and_keys_are_whole_from_sixty_columns_on(width: int, language: str) -> None:
    room = preferring(Log(), language=language)
    press(room, "1")
    lines = drawn(room, (width, 30), "f")
    text = "\n".join(lines)
    assert all(cell_len(line) == width for line in lines)
    assert room.view().where[0] in lines[0]
    head = " ".join(lines[:4])
    names = {**{key.key: key.name for key in room.view().keys}, "q": WORDS["quit"][language]}
    for key, name in names.items():
        assert f"{key} {name}" in " ".join(head.split()), (key, name)
    assert all(option.label in text for option in room.view().fields[0].options)


def test_two_answers_stand_side_by_side_or_stacked_when_narrow() -> None:
    def rows_with(width: int) -> list[int]:
        lines = drawn(preferring(Log()), (width, 34))
        return [line.count("x = ") for line in lines if "x = " in line]

    assert rows_with(130) == [2] and rows_with(60) == [1, 1]


def test_without_colours_focus_and_scores_can_still_be_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    text = "\n".join(drawn(scoring(Log()), (130, 40), "4"))
    assert "[4] all of it" in text and "▸quality" in text


def test_difference_and_reference_are_drawn() -> None:
    text = "\n".join(drawn(preferring(Log()), (130, 40), "d"))
    assert "- print(" in text and "+ print(" in text and "A (−) and B (+)" in text
    room = scoring(Log(), reference="def right(): pass")
    text = "\n".join(drawn(room, (130, 40), "4", "3", "5", "b", "r"))
    assert "def right(): pass" in text and "reference" in text


def test_the_pace_is_told_when_there_is_one_and_in_steps() -> None:
    log = Log()
    codes = dict(list(CODES.items())[:12])
    items = make_items(codes, ONCE, "ann", {})
    desk = Scoring(RUBRIC, "ann", "g1", tasks(), items, lambda: log.events, log)
    room = Room(desk, code_of, "en")
    for done in range(1, 8):
        press(room, "1", "1", "1")
        assert ("a minute" in " ".join(room.view().where)) is (done >= 5)
    assert room.view().where[-2:] == ("you: 0.3 a minute", "about 15 min left")


def test_a_pace_is_told_as_coarsely_as_anybody_plans_by() -> None:
    found = [_coarse(pace) for pace in (0.26, 0.9, 1.6, 3.4, 12.1)]
    assert found == ["0.3", "1", "1.5", "3", "12"]
