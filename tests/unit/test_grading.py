"""What a grader is shown, what each key does, and what holds after it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from made import make_task
from polyassay.model import CandidateKey, Style
from polyassay.rubric import rubrics
from polyassay.rubric.plan import GradingPlan, make_items
from polyassay.rubric.room.scoring import Scoring
from polyassay.rubric.sheets import scores
from polyassay.store.scores import Event, EventKind, Item

RUBRIC = rubrics.load("aixbench")
CODES = {
    CandidateKey("s", f"t{task:02}", tool, "en", 0): f"{tool} {task}"
    for task in range(20)
    for tool in ("finch", "heron")
}
ONCE = GradingPlan(repeat=0)


def shown(items: Sequence[Item], showing: int = 0) -> list[CandidateKey]:
    return [item.key for item in items if item.showing == showing]


class TestPlan:
    def test_the_order_is_random_per_grader_and_the_same_again(self) -> None:
        ann, again = (make_items(CODES, ONCE, "ann", {}) for _ in range(2))
        bob = make_items(dict(reversed(CODES.items())), ONCE, "bob", {})
        assert ann == again
        assert ann != make_items(CODES, replace(ONCE, seed=1), "ann", {})
        assert shown(ann) != shown(bob) != sorted(CODES)
        assert sorted(shown(ann)) == sorted(shown(bob)) == sorted(CODES)
        assert [item.code for item in ann] == [CODES[item.key] for item in ann]

    def test_a_tenth_is_shown_again_much_later(self) -> None:
        items = make_items(CODES, GradingPlan(), "ann", {})
        assert len(items) == 44
        again = shown(items, showing=1)
        assert len(set(again)) == 4
        places = {(item.key, item.showing): place for place, item in enumerate(items)}
        assert all(places[key, 1] - places[key, 0] >= 10 for key in again)
        assert [item.screen for item in items] == list(range(44))

    @pytest.mark.parametrize("count", [1, 2, 3])
    def test_few_items_are_no_problem(self, count: int) -> None:
        few = dict(list(CODES.items())[:count])
        assert len(make_items(few, GradingPlan(repeat=1), "ann", {})) == 2 * count - 1

    def test_side_by_side_puts_both_answers_of_a_task_on_a_screen(self) -> None:
        items = make_items(CODES, GradingPlan(side_by_side=True), "ann", {})
        screens: dict[int, list[Item]] = {}
        for item in items:
            screens.setdefault(item.screen, []).append(item)
        assert len(screens) == 22
        for screen in screens.values():
            assert {item.key.tool for item in screen} == {"finch", "heron"}
            assert len({item.key.task for item in screen}) == 1
        left = Counter(screen[0].key.tool for screen in screens.values())
        assert min(left.values()) >= 4  # neither side is a tool's own

    def test_overlap_gives_every_answer_to_so_many_graders(self) -> None:
        plan = replace(ONCE, overlap=2, graders=3)
        taken: Counter[CandidateKey] = Counter()
        sizes = []
        for grader in ("ann", "bob", "cho", "dan"):
            items = make_items(CODES, plan, grader, taken)
            taken.update(shown(items))
            sizes.append(len(items))
        assert set(taken.values()) == {2}
        assert sizes == [27, 27, 26, 0]

    def test_without_a_number_of_graders_each_takes_what_is_left(self) -> None:
        plan = replace(ONCE, overlap=1)
        assert len(make_items(CODES, plan, "ann", {})) == 40
        assert make_items(CODES, plan, "bob", dict.fromkeys(CODES, 1)) == []


class Log:
    """Takes events as the store does; a minute passes between two of them."""

    def __init__(self) -> None:
        self.events: list[Any] = []  # of scores or of preferences
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self, event: Event) -> Event:
        self.now += timedelta(minutes=1)
        kept = replace(event, id=len(self.events) + 1, at=self.now.isoformat())
        self.events.append(kept)
        return kept


def grading(
    log: Log, count: int = 4, plan: GradingPlan = ONCE, prompt: str | None = None
) -> Scoring:
    codes = dict(list(CODES.items())[:count])
    tasks = {
        (key.suite, key.task): make_task(
            key.task, 0, style=Style.RUBRIC, prompts={"en": prompt or key.task}
        )
        for key in codes
    }
    items = make_items(codes, plan, "ann", {})
    return Scoring(RUBRIC, "ann", "g1", tasks, items, lambda: log.events, log)


def press(at_work: Scoring, points: str) -> None:
    for point in points:
        assert at_work.give(point)


class TestKeys:
    def test_a_score_moves_to_the_next_dimension_and_then_to_the_next_item(self) -> None:
        at_work = grading(Log())
        first = at_work.answers[0]
        press(at_work, "43")
        assert (at_work.number, at_work.field.dimension) == (0, "maintainability")
        press(at_work, "5")
        assert (at_work.number, at_work.field.dimension) == (1, "correctness")
        expected = {"correctness": 4, "quality": 3, "maintainability": 5}
        assert at_work.sheet(first).scores == expected

    def test_points_that_there_are_not_change_nothing(self) -> None:
        log = Log()
        at_work = grading(log)
        assert not at_work.give("5")
        assert not at_work.give("0")
        assert not log.events

    def test_undo_goes_back_key_press_by_key_press_to_the_start(self) -> None:
        log = Log()
        at_work = grading(log)
        press(at_work, "4351")
        at_work.flag()
        assert at_work.undo()
        assert not at_work.sheet(at_work.answers[0]).flagged
        assert at_work.undo()
        assert (at_work.number, at_work.field.dimension) == (1, "correctness")
        assert at_work.undo()
        assert (at_work.number, at_work.field.dimension) == (0, "maintainability")
        assert at_work.undo() and at_work.undo()
        assert not at_work.undo()
        assert scores(log.events) == []
        assert len(log.events) == 10  # nothing is deleted

    def test_a_score_that_is_changed_and_undone_is_the_one_before(self) -> None:
        at_work = grading(Log())
        press(at_work, "435")
        at_work.back()
        press(at_work, "1")
        assert at_work.undo()
        assert at_work.number == 0
        assert at_work.sheet(at_work.answers[0]).scores["correctness"] == 4

    def test_skipped_items_are_offered_at_the_end(self) -> None:
        at_work = grading(Log(), count=2)
        skipped = at_work.answers[0]
        at_work.skip()
        press(at_work, "111")
        assert at_work.finished
        assert (at_work.progress().done, at_work.progress().skipped) == (1, 1)
        assert at_work.take_up_skipped()
        assert at_work.answers[0] == skipped
        press(at_work, "222")
        assert at_work.finished
        assert not at_work.take_up_skipped()

    def test_an_undone_skip_is_open_again(self) -> None:
        at_work = grading(Log(), count=1)
        at_work.skip()
        assert at_work.finished
        assert at_work.undo()
        assert not at_work.finished

    def test_a_comment_belongs_to_the_dimension_in_focus_and_an_empty_one_takes_it_away(
        self,
    ) -> None:
        log = Log()
        at_work = grading(log)
        press(at_work, "4")
        at_work.comment("leaks")
        press(at_work, "35")
        assert [s.comment for s in scores(log.events)] == ["", "leaks", ""]
        at_work.back()
        at_work.focus(1)
        at_work.comment("")
        assert [s.comment for s in scores(log.events)] == ["", "", ""]

    def test_leaving_at_any_key_press_and_coming_back_changes_nothing(self) -> None:
        log, keys = Log(), "435212111324"
        for position, key in enumerate(keys):
            at_work = grading(log)  # as after a kill: only the log is left
            assert at_work.number == position // 3
            assert at_work.field.dimension == RUBRIC.dimensions[position % 3].id
            press(at_work, key)
        assert grading(log).finished
        assert len(scores(log.events)) == len(keys)

    def test_side_by_side_compares_on_one_dimension_at_a_time(self) -> None:
        log = Log()
        at_work = grading(log, plan=replace(ONCE, side_by_side=True))
        left, right = at_work.answers
        press(at_work, "431254")
        assert at_work.number == 1
        assert tuple(e.key for e in log.events[:2]) == (left.key, right.key)
        assert [e.dimension for e in log.events][::2] == [d.id for d in RUBRIC.dimensions]

    def test_pace_and_time_left_leave_pauses_out(self) -> None:
        log = Log()
        at_work = grading(log)
        assert at_work.progress().per_minute is None
        press(at_work, "111111")
        assert at_work.progress().per_minute == pytest.approx(1 / 3)
        assert at_work.progress().minutes_left == pytest.approx(6)
        log.now += timedelta(hours=1)
        press(at_work, "111111")
        assert at_work.progress().per_minute == pytest.approx(1 / 3)
        assert at_work.progress().minutes_left == 0

    def test_a_second_showing_never_touches_the_first(self) -> None:
        log = Log()
        at_work = grading(log, plan=GradingPlan(repeat=0.25))
        while not at_work.finished:
            press(at_work, "222" if at_work.answers[0].showing else "111")
        found = {(s.showing, s.score) for s in scores(log.events)}
        assert found == {(0, 1), (1, 2)}


def test_decisions_count_by_the_last_one_and_stand_beside_the_scores() -> None:
    log = Log()
    key = next(iter(CODES))
    for grader, kind, score in (
        ("ann", EventKind.SCORE, 1),
        ("chief", EventKind.DECISION, 2),
        ("boss", EventKind.DECISION, 3),
    ):
        log(Event(kind, grader, "aixbench", key, dimension="quality", score=score))
    found = [(s.grader, s.score, s.decision) for s in scores(log.events)]
    assert found == [("ann", 1, False), ("boss", 3, True)]
