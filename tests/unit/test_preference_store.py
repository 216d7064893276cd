"""Preferences, graders, calibration and left-out rows: durable, idempotent, never mixed up."""

import random

import pytest

from made import make_task
from polyassay.errors import PolyAssayError
from polyassay.model import CandidateKey, Style, Suite
from polyassay.rubric import rubrics
from polyassay.rubric.plan import GradingPlan, make_items
from polyassay.rubric.preference import choices
from polyassay.rubric.preference.plan import make_pairs
from polyassay.rubric.sessions import session_of
from polyassay.rubric.stored import all_preferences, all_scores, calibration_scores
from polyassay.store import Store
from polyassay.store.graders import (
    Calibration,
    Grader,
    GraderKind,
    Graders,
    LeftOutRow,
    calibration_key,
)
from polyassay.store.preferences import Choice, PreferenceEvent, PreferenceKind, Preferences
from polyassay.store.scores import CALIBRATION, PREFERENCES, Event, EventKind, Scores

RUBRIC = rubrics.load("aixbench")
TASKS = tuple(make_task(f"t{n}", 0, style=Style.RUBRIC) for n in range(12))
SUITE = Suite("s", "1", "c" * 64, TASKS)
HOSTILE = "\0 \ud800 \U0001f40d"
CODES = {
    CandidateKey("s", task.id, tool, "en", 0): f"{tool} {task.id}"
    for task in TASKS
    for tool in ("finch", "heron", "wren")
}
A, B = (CandidateKey("s", "t0", tool, "en", 0) for tool in ("finch", "heron"))
KNOWN = [
    Calibration(calibration_key("s", "t0", "en", n), f"known {n}", {"correctness": n + 1}, HOSTILE)
    for n in range(3)
]


@pytest.fixture
def store(store_url: str) -> Scores:
    found = Scores(Store.open(store_url))
    found.save_rubric("aixbench", RUBRIC.text)
    return found


def chosen(choice: Choice | None, **more: object) -> PreferenceEvent:
    fields = {"kind": PreferenceKind.CHOICE, "grader": "ann", "rubric": "aixbench", "a": A, "b": B}
    return PreferenceEvent(**fields | {"choice": choice} | more)  # type: ignore[arg-type]


def test_a_choice_comes_back_and_a_second_sending_changes_nothing(store: Scores) -> None:
    log = Preferences(store.opened)
    sent = chosen(Choice.A_BETTER, text=HOSTILE, seconds=4.5, token="x1", dimension="quality")
    kept = log.append(sent)
    assert kept.id and kept.at and (kept.seconds, kept.text) == (4.5, HOSTILE)
    assert log.append(sent) == kept
    assert log.append(chosen(Choice.TIE)) != log.append(chosen(Choice.TIE))  # no token: two presses
    assert len(log.events(grader="ann")) == 3


def test_scores_with_a_token_are_kept_once_too(store: Scores) -> None:
    sent = Event(EventKind.SCORE, "ann", "aixbench", A, dimension="quality", score=1, token="x1")
    other = Event(EventKind.SCORE, "ann", "aixbench", B, dimension="quality", score=2, seconds=3.0)
    first = store.append(sent)
    assert store.append_all([other, sent])[1] == first
    assert [event.seconds for event in store.events()] == [None, 3.0]


def test_what_holds_follows_the_last_choice_and_undo(store: Scores) -> None:
    log = Preferences(store.opened)
    log.append(chosen(Choice.A_BETTER, seconds=9.0))
    last = log.append(chosen(Choice.B_MUCH_BETTER))
    log.append(chosen(Choice.TIE, showing=1, a=B, b=A))
    log.append(chosen(None, kind=PreferenceKind.COMMENT, text="hm"))
    found = all_preferences(store, RUBRIC, "s")
    assert [(p.choice, p.showing, p.comment) for p in found] == [
        (Choice.B_MUCH_BETTER, 0, "hm"),
        (Choice.TIE, 1, ""),
    ]
    assert found[0].pair == found[1].pair and found[0].ahead("heron") == 2
    log.append(chosen(None, kind=PreferenceKind.UNDO, undoes=last.id))
    assert all_preferences(store, RUBRIC, None)[0].choice is Choice.A_BETTER


def test_a_sheet_knows_what_is_skipped_and_flagged(store: Scores) -> None:
    log = Preferences(store.opened)
    skip = chosen(None, kind=PreferenceKind.SKIP)
    flag = chosen(None, kind=PreferenceKind.FLAG)
    (sheet,) = choices.sheets(log.append_all([skip, flag])).values()
    assert sheet.skipped and sheet.flagged and not sheet.choices
    (sheet,) = choices.sheets([*log.events(), log.append(chosen(Choice.TIE))]).values()
    assert not sheet.skipped


class TestPairs:
    def test_every_two_tools_meet_on_sides_that_tell_nothing(self) -> None:
        items = make_pairs(CODES, GradingPlan(repeat=0), "ann", {})
        shown = [(items[n].key, items[n + 1].key) for n in range(0, len(items), 2)]
        assert len(shown) == 36 == len({choices.pair_of(*pair) for pair in shown})
        assert all(a.task == b.task and a.tool != b.tool for a, b in shown)
        lefts = [a.tool for a, b in shown if {a.tool, b.tool} == {"finch", "heron"}]
        assert 2 <= lefts.count("finch") <= 10
        assert items != make_pairs(CODES, GradingPlan(repeat=0), "bob", {})

    def test_repeats_come_late_with_the_sides_swapped(self) -> None:
        items = make_pairs(CODES, GradingPlan(repeat=0.25), "ann", {})
        screens = [(items[n], items[n + 1]) for n in range(0, len(items), 2)]
        first = {(a.key, b.key): a.screen for a, b in screens if not a.showing}
        again = [(a, b) for a, b in screens if a.showing]
        assert len(again) == 9
        for a, b in again:
            assert a.screen - first[b.key, a.key] >= 9

    def test_pairs_a_prompt_and_graders_a_pair_are_limited(self) -> None:
        plan = GradingPlan(repeat=0, pairs=1, overlap=2)
        ann, bob = (make_pairs(CODES, plan, name, {}) for name in ("ann", "bob"))
        assert len(ann) == 24 and {i.key for i in ann} == {i.key for i in bob}
        done = {choices.pair_of(ann[n].key, ann[n + 1].key): 2 for n in range(0, 12, 2)}
        assert len(make_pairs(CODES, plan, "cid", done)) == 12

    def test_a_session_goes_on_and_a_second_grader_shares_the_pairs(self, store: Scores) -> None:
        plan = GradingPlan(repeat=0, overlap=1, graders=2)
        pairs = []
        for grader in ("ann", "bob"):
            made = session_of(store, SUITE, CODES, RUBRIC, grader, plan, PREFERENCES)
            again = session_of(store, SUITE, CODES, RUBRIC, grader, plan, PREFERENCES)
            assert made == again and made.kind == PREFERENCES
            items = store.items(made.id)
            pairs += [
                choices.pair_of(items[n].key, items[n + 1].key) for n in range(0, len(items), 2)
            ]
        assert len(pairs) == 36 == len(set(pairs))
        assert session_of(store, SUITE, CODES, RUBRIC, "ann", plan).kind == "scores"

    def test_what_a_grader_has_chosen_does_not_come_again(self, store: Scores) -> None:
        Preferences(store.opened).append(chosen(Choice.TIE))
        plan = GradingPlan(repeat=0)
        made = session_of(store, SUITE, CODES, RUBRIC, "ann", plan, PREFERENCES)
        assert len(store.items(made.id)) == 70


class TestCalibration:
    def test_it_comes_first_and_scattered_again(self, store: Scores) -> None:
        Graders(store.opened).save_calibration("aixbench", KNOWN)
        made = session_of(store, SUITE, CODES, RUBRIC, "ann", GradingPlan(repeat=0))
        tools = [(item.key.tool, item.showing) for item in store.items(made.id)]
        assert tools[:3] == [(CALIBRATION, 0)] * 3 and (CALIBRATION, 0) not in tools[3:]
        later = [n for n, place in enumerate(tools) if place == (CALIBRATION, 1)]
        assert len(later) == 3 and min(later) >= 21
        assert {i.code for i in store.items(made.id)} >= {"known 0", "known 1", "known 2"}

    @pytest.mark.parametrize(("answers", "rounds"), [(1, 4), (2, 2), (5, 3), (30, 1)])
    def test_every_round_is_whole_and_in_order(self, answers: int, rounds: int) -> None:
        known = {item.key: item.code for item in KNOWN}
        codes = dict(random.Random(3).sample(sorted(CODES.items()), answers))
        plan = GradingPlan(repeat=0, calibration_rounds=rounds)
        items = make_items(codes, plan, "ann", {}, known, first_round=2)
        order = [item.showing for item in items if item.key.tool == CALIBRATION]
        assert sorted(order) == sorted(3 * list(range(2, 2 + rounds))) and order[:3] == [2] * 3
        assert [item.screen for item in items] == list(range(len(items)))

    def test_a_second_session_begins_with_a_further_round(self, store: Scores) -> None:
        Graders(store.opened).save_calibration("aixbench", KNOWN)
        for showing in (0, 1):
            place = ("ann", "aixbench", KNOWN[0].key, showing)
            store.append(Event(EventKind.SCORE, *place, "correctness", 3))
        made = session_of(store, SUITE, CODES, RUBRIC, "ann", GradingPlan(repeat=0))
        assert store.items(made.id)[0].showing == 2

    def test_its_scores_are_no_answers_scores(self, store: Scores) -> None:
        Graders(store.opened).save_calibration("aixbench", KNOWN)
        Graders(store.opened).save_calibration("aixbench", KNOWN)
        assert Graders(store.opened).calibration("aixbench", "s") == KNOWN
        assert Graders(store.opened).calibration("aixbench", "other") == []
        for key in (A, KNOWN[0].key):
            place = ("ann", "aixbench", key, 0, "correctness")
            store.append(Event(EventKind.SCORE, *place, 3))
        assert [score.key for score in all_scores(store, RUBRIC, None)] == [A]
        assert [s.key for s in calibration_scores(store, RUBRIC, None)] == [KNOWN[0].key]


class TestGraders:
    def test_models_are_never_among_people(self, store: Scores) -> None:
        graders = Graders(store.opened)
        facts = {"model": "m-1", "prompt": "Grade this."}
        for _ in range(2):
            graders.save_grader(Grader("judge", GraderKind.MODEL, facts))
        assert graders.graders()["judge"].facts == facts and graders.models() == {"judge"}
        for name in ("ann", "judge"):
            store.append(Event(EventKind.SCORE, name, "aixbench", A, 0, "quality", 2))
            Preferences(store.opened).append(chosen(Choice.TIE, grader=name))
        for read in (all_scores, all_preferences):
            assert [found.grader for found in read(store, RUBRIC, None)] == ["ann"]
            models = read(store, RUBRIC, None, GraderKind.MODEL)
            assert [found.grader for found in models] == ["judge"]

    def test_a_person_never_becomes_a_model_or_back(self, store: Scores) -> None:
        graders = Graders(store.opened)
        store.append(Event(EventKind.SCORE, "ann", "aixbench", A, 0, "quality", 2))
        graders.save_grader(Grader("judge", GraderKind.MODEL))
        graders.save_grader(Grader("bob"))
        for name, kind in (("ann", "model"), ("judge", "person"), ("bob", "model")):
            with pytest.raises(PolyAssayError, match=f'"{name}" has graded as a'):
                graders.save_grader(Grader(name, GraderKind(kind)))


def test_rows_that_were_left_out_are_replaced_by_the_next_import(store: Scores) -> None:
    graders = Graders(store.opened)
    row = LeftOutRow("scores.csv", 3, 4, "quality is 1 to 3, found 0", {"score": "0"})
    graders.save_left_out("aixbench", "scores.csv", [row])
    graders.save_left_out("aixbench", "other.csv", [LeftOutRow("other.csv", 1, 2, "bad", {})])
    assert graders.left_out("aixbench")[1] == row
    graders.save_left_out("aixbench", "scores.csv", [])
    assert [left.source for left in graders.left_out("aixbench")] == ["other.csv"]
