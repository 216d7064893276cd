"""A grader at a real terminal: keys only, and nothing lost, nothing twice, no tool in sight."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from command_line import command, environment, write_jsonl
from polyassay.rubric.blind import MASK
from polyassay.rubric.sheets import Place, sheets
from polyassay.store import Store
from polyassay.store.scores import Item, Scores
from polyassay.suites.native import jsonl as native
from polyassay.suites.registry import Registry
from real_parts import need
from terminal import Terminal

TASKS = 18
TOOLS = ("finch", "heron")


@pytest.fixture(scope="module", autouse=True)
def _tmux() -> None:
    need("tmux")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """18 tasks, two tools that cannot stop naming themselves: 36 answers, and 4 shown again."""
    asked = [
        {"id": f"t{n}", "language": "java", "style": "rubric", "prompts": {"en": f"Add {n} to x"}}
        for n in range(TASKS)
    ]
    tasks = write_jsonl(tmp_path / "tasks.jsonl", asked)
    answers = [
        {"task": f"t{n}", "tool": tool, "answer": _answer(tool, n)}
        for n in range(TASKS)
        for tool in TOOLS
    ]
    write_jsonl(tmp_path / "answers.jsonl", answers)
    (suite,) = native.read(tasks, "manual")
    Registry(tmp_path / ".polyassay").add(suite)
    return tmp_path


def _answer(tool: str, number: int) -> str:
    return (
        f"package generate.{tool};\n\n"
        f"// Written by {tool.title()}, and not by {TOOLS[tool == TOOLS[0]].upper()}.\n"
        f"public class {tool.title()}{number} {{\n"
        f"  public int add(int x) {{\n"
        f"    return x + {number}; /* {tool}-2 */\n"
        f"  }}\n"
        f"}}\n"
    )


class Grader:
    """Starts the command again and again, and remembers every screen."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.screens: list[str] = []
        self.terminal = self.start()

    def start(self) -> Terminal:
        answers = ("-c", "answers.jsonl", "-s", "manual")
        self.terminal = Terminal(
            command("grade", "start", *answers, "--grader", "ann"),
            self._folder,
            {"PYTHONPATH": environment()["PYTHONPATH"]},
        )
        self.terminal.screens = self.screens
        return self.terminal


@pytest.fixture
def grader(folder: Path) -> Iterator[Grader]:
    grader = Grader(folder)
    yield grader
    grader.terminal.close()


def _points(position: int) -> dict[str, int]:
    """What the grader gives the item at a position."""
    return {
        "correctness": 1 + position % 4,
        "quality": 1 + position % 3,
        "maintainability": 1 + position % 5,
    }


def test_a_session_of_forty_items_with_keys_only(folder: Path, grader: Grader) -> None:
    terminal = grader.terminal
    position = 0

    def give(number: int) -> None:
        terminal.wait_for(f"item {number + 1} of 40")
        terminal.press(*(str(points) for points in _points(number).values()))

    for position in range(8):
        give(position)

    # An undo takes back the last score of the item before, and goes there.
    terminal.wait_for("item 9 of 40")
    terminal.press("u")
    terminal.wait_for("item 8 of 40", "▸maintainability")
    terminal.press(str(_points(7)["maintainability"]))

    # Points that the dimension does not have are refused.
    terminal.wait_for("item 9 of 40")
    terminal.press("9")
    terminal.wait_for("correctness takes 1 2 3 4")

    # A skip, and a comment on the next item's second dimension.
    terminal.press("s")
    terminal.wait_for("item 10 of 40")
    terminal.press(str(_points(9)["correctness"]))
    terminal.wait_for("▸quality")
    terminal.press("c")
    terminal.wait_for("comment on quality")
    terminal.type("leaks; q u s 1 2 3 are no keys here")
    terminal.press("Enter")
    terminal.wait_for("✎ leaks")
    terminal.press(str(_points(9)["quality"]), str(_points(9)["maintainability"]))
    for position in range(10, 20):
        give(position)

    # Killed in the middle of an item; the two scores of it are there when the grader comes back.
    terminal.wait_for("item 21 of 40")
    points = [str(points) for points in _points(20).values()]
    terminal.press(*points[:2])
    terminal.wait_for("▸maintainability")
    terminal.kill()
    terminal.close()
    terminal = grader.start()
    terminal.wait_for("item 21 of 40", "▸maintainability", f"[{points[0]}]", f"[{points[1]}]")
    terminal.press(points[2])

    # Back, the flag, forward again; then the rest, with a quit in between.
    terminal.wait_for("item 22 of 40")
    terminal.press("b")
    terminal.wait_for("item 21 of 40")
    terminal.press("f")
    terminal.wait_for("flagged")
    terminal.press("n")
    for position in range(21, 30):
        give(position)
    terminal.wait_for("item 31 of 40")
    terminal.press("?")
    terminal.wait_for("leave: everything is saved already")
    terminal.press("x")
    terminal.wait_for("▸correctness", without="leave: everything")
    terminal.press("q")
    terminal.wait_for("The same command goes on from here")
    terminal.close()
    terminal = grader.start()
    for position in range(30, 40):
        give(position)

    # The end offers what was skipped.
    terminal.wait_for("items are done, 1 skipped")
    terminal.press("r")
    give(8)
    terminal.wait_for("All 40 items are done")
    terminal.press("q")
    terminal.wait_for("All items done")

    _check_store(folder)
    seen = "\n".join(grader.screens).lower()
    assert MASK.search(seen) and "return x + 7;" in seen
    assert not [tool for tool in TOOLS if tool in seen]


def _check_store(folder: Path) -> None:
    """The log gives every item the points of its position, once; second showings apart."""
    store = Scores(Store.at(folder / ".polyassay"))
    (session,) = store.sessions()
    items = store.items(session.id)
    events = store.events()
    expected = {_place(item): _points(position) for position, item in enumerate(items)}
    found = sheets(events)
    assert {place: sheet.scores for place, sheet in found.items()} == expected
    assert len(expected) == 40
    assert sum(showing for _, showing in expected) == 4
    assert [str(e.kind) for e in events].count(
        "score"
    ) == 40 * 3 + 1  # one was undone and given again
    comments = {place: sheet.comments for place, sheet in found.items() if sheet.comments}
    assert comments == {_place(items[9]): {"quality": "leaks; q u s 1 2 3 are no keys here"}}
    assert [place for place, sheet in found.items() if sheet.flagged] == [_place(items[20])]


def _place(item: Item) -> Place:
    return item.key, item.showing
