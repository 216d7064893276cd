"""`grade serve` in a real Chromium: keys only, nothing lost at a kill, no tool in sight."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from end_to_end.grading_pages import TOOLS, answered_folder, at_item, served
from polyassay.rubric.preference.choices import preferences
from polyassay.rubric.sheets import sheets
from polyassay.store import Store
from polyassay.store.preferences import Choice, Preferences
from polyassay.store.scores import Scores

ONCE = ("--repeat", "0")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return answered_folder(tmp_path, 4, reference="def add(x):\n    return x + 99")


def page(browser: Any, **options: Any) -> Any:
    """A tab whose requests and complaints are kept."""
    tab = browser.new_context(viewport={"width": 1280, "height": 900}, **options).new_page()
    tab.complaints = []
    tab.on("pageerror", lambda error: tab.complaints.append(str(error)))
    return tab


def points(position: int) -> dict[str, int]:
    return {
        "correctness": 1 + position % 4,
        "quality": 1 + position % 3,
        "maintainability": 1 + position % 5,
    }


def give(tab: Any, number: int, total: int = 8) -> None:
    at_item(tab, number + 1, total)
    for score in points(number).values():
        tab.keyboard.press(str(score))


def check_store(folder: Path) -> None:
    """Every item has the points of its position, once."""
    store = Scores(Store.at(folder / ".polyassay"))
    (session,) = store.sessions()
    items = store.items(session.id)
    found = sheets(store.events())
    expected = {(item.key, item.showing): points(n) for n, item in enumerate(items)}
    assert {place: sheet.scores for place, sheet in found.items()} == expected


def test_a_session_with_keys_and_kills_loses_nothing_and_names_no_tool(
    browser: Any, folder: Path
) -> None:
    seen = []
    with served(folder, *ONCE) as server:
        tab = page(browser)
        tab.goto(server.urls["ann"])
        for number in range(3):
            at_item(tab, number + 1, 8)
            seen.append(tab.content())
            give(tab, number)
        at_item(tab, 4, 8)
        tab.keyboard.press("u")
        at_item(tab, 3, 8)
        expect(tab.locator(".field.focused h3")).to_have_text("maintainability")
        tab.keyboard.press(str(points(2)["maintainability"]))

        # Killed between two keys of an item: what was given is there, what was not is not.
        at_item(tab, 4, 8)
        tab.keyboard.press(str(points(3)["correctness"]))
        expect(tab.locator(".field.focused h3")).to_have_text("quality")
        server.kill()
        tab.keyboard.press("3")
        expect(tab.locator("#notice")).to_contain_text("The server does not answer")
        server.start()
        expect(tab.locator("#notice")).to_be_empty(timeout=20_000)
        expect(tab.locator(".field.focused h3")).to_have_text("quality")
        assert tab.locator("[aria-pressed=true]").count() == 1
        for name in ("quality", "maintainability"):
            tab.keyboard.press(str(points(3)[name]))

        at_item(tab, 5, 8)
        tab.keyboard.press("9")
        expect(tab.locator("#notice")).to_have_text("correctness takes 1 2 3 4.")
        tab.keyboard.press("s")
        at_item(tab, 6, 8)
        tab.keyboard.press("c")
        tab.keyboard.type("leaks; 1 2 3 q u are no keys here")
        tab.keyboard.press("Enter")
        expect(tab.locator(".comment")).to_have_text("comment: leaks; 1 2 3 q u are no keys here")
        tab.keyboard.press("f")
        expect(tab.locator("header p").first).to_contain_text("flagged")
        for number in range(5, 8):
            seen.append(tab.content())
            give(tab, number)
        expect(tab.locator(".closing")).to_contain_text("7 of 8 items are done, 1 skipped")
        tab.keyboard.press("r")
        give(tab, 4)
        expect(tab.locator(".closing")).to_have_text("All 8 items are done. Thank you!")
        assert tab.complaints == [] and tab.title() == "polyassay grade"
    check_store(folder)
    text = "".join(seen).lower()
    assert "•" in text and "document.title" in text
    assert not [tool for tool in (*TOOLS, "-7b") if tool in text]


def test_clicks_do_what_keys_do(browser: Any, folder: Path) -> None:
    with served(folder, *ONCE) as server:
        tab = page(browser)
        tab.goto(server.urls["ann"])
        at_item(tab, 1, 8)
        tab.get_by_role("group", name="quality").get_by_role("button", name="2 fair").click()
        expect(tab.locator(".field.focused h3")).to_have_text("maintainability")
        tab.get_by_role("button", name="u undo").click()
        expect(tab.locator("[aria-pressed=true]")).to_have_count(0)
        tab.get_by_role("button", name="n next").click()
        at_item(tab, 2, 8)
        tab.keyboard.press("r")
        expect(tab.locator("#notice")).to_contain_text("Score first")
        tab.set_viewport_size({"width": 900, "height": 320})
        tab.keyboard.press("?")
        expect(tab.locator("dialog")).to_contain_text("take the last key press back")
        expect(tab.locator("dialog h2")).to_be_in_viewport()
        tab.keyboard.press("Escape")
        expect(tab.locator("dialog")).to_have_count(0)
        for key in "111b":
            tab.keyboard.press(key)
        tab.keyboard.press("r")
        expect(tab.locator(".answer").nth(1)).to_contain_text("return x + 99")


def test_preferences_side_by_side_in_chinese_on_a_phone(browser: Any, folder: Path) -> None:
    with served(folder, *ONCE, "--prefer", "--language", "zh") as server:
        tab = page(browser, device_scale_factor=2)
        tab.set_viewport_size({"width": 390, "height": 844})
        tab.goto(server.urls["ann"])
        expect(tab.locator("header h1")).to_have_text("第 1 项，共 4 项")
        left, right = (tab.locator(".answer").nth(n).bounding_box() for n in (0, 1))
        assert left["x"] == right["x"] and left["y"] < right["y"]  # stacked
        assert tab.evaluate("document.documentElement.scrollWidth") <= 390
        tab.set_viewport_size({"width": 1280, "height": 900})
        left, right = (tab.locator(".answer").nth(n).bounding_box() for n in (0, 1))
        assert left["y"] == right["y"] and left["x"] < right["x"]  # side by side
        tab.keyboard.press("d")
        expect(tab.locator(".line.minus")).not_to_have_count(0)
        tab.keyboard.press("d")
        for key, number in (("1", 2), ("4", 3), ("0", 4)):
            tab.keyboard.press(key)
            expect(tab.locator("header h1")).to_have_text(f"第 {number} 项，共 4 项")
        tab.keyboard.press("3")
        expect(tab.locator(".closing")).to_contain_text("全部 4 项已完成")
    found = preferences(Preferences(Store.at(folder / ".polyassay")).events())
    chosen = {choice.choice for choice in found}
    assert chosen == {Choice.A_MUCH_BETTER, Choice.B_BETTER, Choice.BOTH_BAD, Choice.TIE}
    assert all(choice.seconds is not None and choice.seconds >= 0 for choice in found)


def test_two_tabs_of_one_grader_give_nothing_twice(browser: Any, folder: Path) -> None:
    with served(folder, *ONCE) as server:
        one, other = page(browser), page(browser)
        for tab in (one, other):
            tab.goto(server.urls["ann"])
            at_item(tab, 1, 8)
        for key in "435":
            one.keyboard.press(key)
        at_item(one, 2, 8)
        other.keyboard.press("1")  # its view is older: the key is not taken, the view comes
        at_item(other, 2, 8)
        assert other.locator("[aria-pressed=true]").count() == 0
    events = Scores(Store.at(folder / ".polyassay")).events()
    assert [event.score for event in events] == [4, 3, 5]
