"""`grade pack` and `unpack`: one file, opened from disk in a real Chromium, and what comes back."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from end_to_end.grading import grade
from end_to_end.grading_pages import TOOLS, answered_folder, at_item
from polyassay.errors import PolyAssayError
from polyassay.rubric import rubrics
from polyassay.rubric.preference.choices import preferences
from polyassay.rubric.room.opening import open_room
from polyassay.rubric.sheets import sheets
from polyassay.store import Store
from polyassay.store.preferences import Preferences
from polyassay.store.scores import CALIBRATION, Scores

KNOWN = {
    "suite": "manual",
    "task": "t3",
    "answer": "return 9  # by heron-7B",
    "scores": {"correctness": 4, "quality": 2, "maintainability": 5},
    "reason": "It does it all.",
}
# Scores, a wrong key, undo across items, skip, flag, back, focus, changed scores, the end.
KEYS = "321n 9 435 4u2 3 5 s f 1b41 nn 12u down 3 up 2 111 222 333 444 111 s 222 333 r 213 uu 13"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("known.jsonl").write_text(json.dumps(KNOWN) + "\n")
    answered_folder(tmp_path, 4, reference="def add(x):\n    return unmistakable(x)")
    assert grade("calibrate", "known.jsonl").exit_code == 0
    return tmp_path


def pack(*flags: str) -> Path:
    named = ("-c", "answers.jsonl", "-s", "manual", "--grader", "ann", "-o", "ann.html")
    result = grade("pack", *named, *flags)
    assert result.exit_code == 0, result.output
    return Path("ann.html")


def opened(context: Any, file: Path) -> Any:
    tab = context.new_page()
    tab.asked, tab.complaints = [], []
    tab.on("request", lambda request: tab.asked.append(request.url))
    tab.on("console", lambda message: tab.complaints.append(message.text))
    tab.on("pageerror", lambda error: tab.complaints.append(str(error)))
    tab.goto(file.absolute().as_uri())
    return tab


def pressed(keys: str) -> list[str]:
    return re.findall(r"up|down|\S", keys)


def downloaded(tab: Any, name: str) -> Path:
    with tab.expect_download() as waiting:
        tab.get_by_role("button", name="download").click()
    waiting.value.save_as(name)
    return Path(name)


def held(folder: Path, session: str) -> dict[Any, Any]:
    """What holds of a session: scores, comments, flags, skips by position."""
    store = Scores(Store.at(folder / ".polyassay"))
    known = sheets(store.events(session=session))
    return {
        position: (sheet.scores, sheet.comments, sheet.flagged, sheet.skipped)
        for position, item in enumerate(store.items(session))
        if (sheet := known.get((item.key, item.showing)))
    }


def test_the_page_does_what_the_room_does_and_its_scores_come_back_once(
    browser: Any, folder: Path
) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, offline=True)
    file = pack()
    tab = opened(context, file)
    at_item(tab, 1, 11)
    for number, key in enumerate(pressed(KEYS)):
        tab.keyboard.press({"up": "ArrowUp", "down": "ArrowDown"}.get(key, key))
        if number == 20:  # the tab is closed and opened again: nothing is lost
            tab.close()
            tab = opened(context, file)
            at_item(tab, 4, 11)
    saved = downloaded(tab, "scores.json")
    assert tab.complaints == [] and {url[:5] for url in tab.asked} <= {"file:", "blob:", "data:"}

    told = json.loads(grade("unpack", str(saved), "--json").stdout)
    assert told[0]["grader"] == "ann" and told[0]["there"] == 0
    again = json.loads(grade("unpack", str(saved), str(saved), "--json").stdout)
    assert [(one["new"], one["there"]) for one in again] == [(0, told[0]["new"])] * 2

    store = Store.at(folder / ".polyassay")
    (session,) = Scores(store).sessions()
    from_page = held(folder, session.id)
    assert len(from_page) >= 9
    # A second grader's room, with the same order, is given the same keys.
    other = grade(
        *("pack", "-c", "answers.jsonl", "-s", "manual", "--grader", "bob", "-o", "bob.html")
    )
    assert other.exit_code == 0
    (twin,) = Scores(store).sessions(grader="bob")
    room = open_room(store, twin, rubrics.load("aixbench"), "en")
    for number, key in enumerate(pressed(KEYS)):
        if number == 21:  # as the page that was opened again: at the first open item
            room = open_room(store, twin, rubrics.load("aixbench"), "en")
        room.press(key)
    assert held(folder, twin.id) == from_page


def test_nothing_in_the_file_tells_tools_apart(browser: Any, folder: Path) -> None:
    file = pack()
    text = file.read_text(encoding="utf-8").lower()
    assert "add 3 to x" in text and "known scores" in text
    for telling in (
        *TOOLS,
        "7b",
        CALIBRATION,
        "sample",
        "answers.jsonl",
        "unmistakable",
        str(folder),
    ):
        assert telling not in text, telling
    packed = re.search(r'id="pack">(.*?)</script>', file.read_text(), re.S)
    assert packed
    content = json.loads(packed[1])
    assert set(content["screens"][0]) == {
        *("prompt", "signature", "answers", "difference", "reference", "known"),
    }
    assert "unmistakable" in pack("--open-reference").read_text(encoding="utf-8")
    assert "http:" not in text and "https:" not in text


def test_preferences_come_back_with_their_sides(browser: Any, folder: Path) -> None:
    tab = opened(browser.new_context(), pack("--prefer", "--repeat", "0", "--by-dimension"))
    at_item(tab, 1, 4)
    for key in "1234 5u0 2 f".replace(" ", ""):
        tab.keyboard.press(key)
    tab.keyboard.press("c")
    tab.keyboard.type("<b>why</b>")
    tab.keyboard.press("Enter")
    expect(tab.locator(".comment")).to_contain_text("<b>why</b>")
    grade("unpack", str(downloaded(tab, "scores.json")))
    events = Preferences(Store.at(folder / ".polyassay")).events()
    chosen = [c.choice.value for c in preferences(events)]
    assert sorted(chosen) == sorted(
        ["a_much_better", "a_better", "tie", "b_better", "both_bad", "a_better"]
    )
    store = Scores(Store.at(folder / ".polyassay"))
    (session,) = store.sessions()
    items = store.items(session.id)
    assert all(
        (e.a, e.b) in {(items[0].key, items[1].key), (items[2].key, items[3].key)} for e in events
    )


def good(folder: Path) -> dict[str, Any]:
    """A file as the page writes it."""
    pack()
    (session,) = Scores(Store.at(folder / ".polyassay")).sessions()
    give = {"kind": "give", "screen": 0, "side": 0, "seconds": 1.5, "at": "2026-01-01T00:00:00Z"}
    return {
        "format": "polyassay-scores",
        "version": 1,
        "pack": session.id,
        "nonce": "0" * 24,
        "events": [give | {"dimension": "quality", "value": "2"}],
    }


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"format": "other"}, "not scores of a packed session"),
        ({"version": 2}, "another version"),
        ({"pack": "g00000000"}, "no such session"),
        ({"pack": 5}, "which pack"),
        ({"nonce": "../../etc"}, "which pack"),
        ({"events": {}}, "no list of events"),
        ({"events": [5]}, "event 1: it is of no known kind"),
    ],
)
def test_files_that_are_no_scores_are_refused(
    folder: Path, change: dict[str, Any], problem: str
) -> None:
    assert problem in refused(folder, good(folder) | change)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"kind": "decision"}, "no known kind"),
        ({"screen": 99}, "no such item"),
        ({"screen": True}, "no such item"),
        ({"screen": -1}, "no such item"),
        ({"side": 1}, "no such item"),
        ({"dimension": "elegance"}, "no such dimension"),
        ({"dimension": ["quality"]}, "no such dimension"),
        ({"value": "9"}, "no such points"),
        ({"value": 2}, "no such points"),
        ({"seconds": "1"}, "how long"),
        ({"seconds": float("nan")}, "nobody looks that long"),
        ({"seconds": -1}, "nobody looks that long"),
        ({"kind": "comment", "text": 5}, "a comment has no text"),
        ({"kind": "undo", "undoes": 0}, "takes back what is not there"),
        ({"kind": "undo", "undoes": "0"}, "takes back what is not there"),
    ],
)
def test_events_that_no_page_writes_are_refused_and_nothing_is_taken(
    folder: Path, change: dict[str, Any], problem: str
) -> None:
    content = good(folder)
    content["events"] = [content["events"][0] | change, content["events"][0]]
    assert problem in refused(folder, content)


def refused(folder: Path, content: object) -> str:
    Path("scores.json").write_text(json.dumps(content))
    error = grade("unpack", "scores.json").exception
    assert isinstance(error, PolyAssayError)
    assert Scores(Store.at(folder / ".polyassay")).events() == []
    return error.problem


@pytest.mark.parametrize("text", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b"[]"])
def test_what_is_no_file_of_ours_is_refused(folder: Path, text: bytes) -> None:
    Path("scores.json").write_bytes(text)
    assert isinstance(grade("unpack", "scores.json").exception, PolyAssayError)
    assert isinstance(grade("unpack", "none.json").exception, PolyAssayError)


def test_hostile_comments_are_harmless_text(folder: Path) -> None:
    content = good(folder)
    text = "\x1b]0;x\x07<script>\u202e\ud800" + "y" * 5000
    content["events"].append(content["events"][0] | {"kind": "comment", "text": text})
    Path("scores.json").write_text(json.dumps(content))
    assert grade("unpack", "scores.json").exit_code == 0
    (_, comment) = Scores(Store.at(folder / ".polyassay")).events()
    assert comment.text.startswith("\ufffd]0;x\ufffd<script>") and len(comment.text) <= 2000
