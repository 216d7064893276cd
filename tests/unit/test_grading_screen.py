"""The full screen at sizes that people have; tests/end_to_end goes through a whole session."""

import asyncio
from collections.abc import Sequence

import pytest

from polyassay.errors import PolyAssayError
from polyassay.rubric.plan import GradingPlan
from polyassay.rubric.room.room import Room
from polyassay.rubric.terminal.screen import GradingScreen
from polyassay.store.scores import Event
from unit.test_grading import ONCE, Log, grading

LONG = "\n".join(f"line {number}" for number in range(1, 200))
ASKED = "\n".join(f"asked {number}" for number in range(1, 60))
BESIDE = GradingPlan(repeat=0, side_by_side=True)


def shown(
    plan: GradingPlan,
    size: tuple[int, int],
    keys: Sequence[str] = (),
    language: str = "en",
    prompt: str | None = None,
    resized: tuple[int, int] | None = None,
) -> str:
    """The characters on the screen after some keys."""

    async def run() -> str:
        desk = grading(Log(), plan=plan, prompt=prompt)
        app = GradingScreen(Room(desk, lambda key: LONG, language))
        async with app.run_test(size=size) as pilot:
            await pilot.press(*keys)
            if resized:
                await pilot.resize_terminal(*resized)
                await pilot.pause(0.1)
            await pilot.pause()
            lines = app.screen._compositor.render_strips()
            return "\n".join(strip.text for strip in lines)

    return asyncio.run(run())


@pytest.mark.parametrize("plan", [ONCE, BESIDE], ids=["one", "two"])
@pytest.mark.parametrize("size", [(80, 24), (130, 40), (200, 60)], ids=str)
def test_task_code_and_rubric_are_in_view_at_any_size(
    plan: GradingPlan, size: tuple[int, int]
) -> None:
    screen = shown(plan, size)
    answers = 1 if plan is ONCE else 2
    assert "t00" in screen or "t01" in screen  # the prompt
    assert screen.count("line 5") >= answers
    assert "▸correctness" in screen and "Does all of what was asked." in screen
    assert screen.count("answer B") == answers - 1


def test_long_answers_scroll_by_key() -> None:
    assert "line 60" not in shown(ONCE, (130, 40))
    assert "line 60" in shown(ONCE, (130, 40), ["space", "space"])


def test_keys_of_the_comment_field_are_no_scores() -> None:
    screen = shown(ONCE, (130, 40), ["c", "1", "q", "enter"])
    assert "✎ 1q" in screen and "item 1 of 4" in screen and "[1]" not in screen
    assert "✎" not in shown(ONCE, (130, 40), ["c", "1", "escape"])


def test_the_help_scrolls_on_small_screens_and_closes_by_any_other_key() -> None:
    assert "everything is saved already" not in shown(ONCE, (80, 24), ["?"])
    assert "everything is saved already" in shown(ONCE, (80, 24), ["?", "end"])
    assert "item 1 of 4" in shown(ONCE, (80, 24), ["?", "x"])


def test_space_scrolls_the_help_and_nothing_behind_it() -> None:
    assert "take the last key press back" not in shown(ONCE, (80, 24), ["?"])
    assert "take the last key press back" in shown(ONCE, (80, 24), ["?", "space"])
    assert "line 1 " in shown(ONCE, (80, 24), ["?", "space", "x"])


@pytest.mark.parametrize("keys", [[], ["4", "3"], ["space", "n"], ["n", "space", "b"]], ids=str)
@pytest.mark.parametrize("size", [(80, 24), (60, 20)], ids=str)
@pytest.mark.parametrize("plan", [ONCE, BESIDE], ids=["one", "two"])
def test_small_screens_show_five_lines_of_the_task_from_its_top(
    plan: GradingPlan, size: tuple[int, int], keys: list[str]
) -> None:
    lines = shown(plan, size, keys, prompt=ASKED).splitlines()
    top = next(number for number, line in enumerate(lines) if "task" in line)
    assert [line.split()[:2] for line in lines[top + 1 : top + 6]] == [
        ["asked", str(number)] for number in range(1, 6)
    ]
    assert any("line 2" in line for line in lines)


def test_another_size_is_laid_out_at_once() -> None:
    anew = shown(ONCE, (130, 40), prompt=ASKED, resized=(80, 24))
    assert anew == shown(ONCE, (80, 24), prompt=ASKED)


def test_the_wording_is_drawn_in_the_language_that_was_asked_for() -> None:
    assert "完整实现了所要求的功能" in shown(ONCE, (130, 40), language="zh")


def test_a_store_that_fails_ends_the_session_in_a_sentence() -> None:
    class Full(Log):
        def __call__(self, event: Event) -> Event:
            if len(self.events) == 1:
                raise PolyAssayError("The disk is full.", hint="Make room.")
            return super().__call__(event)

    async def run() -> PolyAssayError | None:
        app = GradingScreen(Room(at_work, lambda key: LONG, "en"))
        async with app.run_test() as pilot:
            await pilot.press("1", "2")
        return app.problem

    at_work = grading(Full())
    problem = asyncio.run(run())
    assert problem is not None and problem.problem == "The disk is full."
    assert at_work.sheet(at_work.answers[0]).scores == {"correctness": 1}


def test_the_window_may_change_while_a_dialogue_is_open() -> None:
    async def run() -> str:
        app = GradingScreen(Room(grading(Log()), lambda key: LONG, "en"))
        async with app.run_test(size=(130, 40)) as pilot:
            await pilot.press("?")
            await pilot.resize_terminal(80, 24)
            await pilot.press("x", "4")
            await pilot.pause()
            return "\n".join(strip.text for strip in app.screen._compositor.render_strips())

    assert "correctness [4]" in asyncio.run(run())


def test_after_the_last_item_nothing_breaks() -> None:
    keys = [*"111" * 4, "1", "s", "c", "f", "down", "n"]
    assert "All 4 items are done" in shown(ONCE, (130, 40), keys)
    assert "item 4 of 4" in shown(ONCE, (130, 40), [*keys, "u"])
    assert "item 4 of 4" in shown(ONCE, (130, 40), [*keys, "b"])


@pytest.mark.parametrize("size", [(80, 24), (130, 40)], ids=str)
def test_an_answer_to_a_key_hides_nothing_of_the_rubric(size: tuple[int, int]) -> None:
    quiet, told = (shown(ONCE, size, keys) for keys in ([], ["9"]))
    assert "correctness takes 1 2 3 4." in told.splitlines()[0]
    assert quiet.splitlines()[-6:] == told.splitlines()[-6:]
    assert "item 1 of 4" in shown(ONCE, size, ["9", "1"])  # gone with the next key
    end = shown(ONCE, size, [*"111" * 4, "r"])
    assert "Nothing was skipped" in end
