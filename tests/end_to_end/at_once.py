"""Two graders at once on one store: ann at a real terminal, bob in a real Chromium, with kills.

`tools/graders-at-once` does it with AixBench's 161 items; a test does it with fewer.
"""

import threading
from collections import Counter
from pathlib import Path
from typing import Any

from command_line import command, environment
from end_to_end.grading_pages import Server, at_item
from polyassay.rubric.sheets import sheets
from polyassay.store.scores import Scores
from terminal import Terminal

DIMENSIONS = ("correctness", "quality", "maintainability")


def points(grader: str, number: int) -> list[str]:
    """What a grader gives the item at a position: different for each of them."""
    shift = number + (grader == "bob")
    return [str(1 + shift % 4), str(1 + shift % 3), str(1 + shift % 5)]


class AtTerminal(threading.Thread):
    """Ann, who is killed in the middle of every so many items and comes back."""

    def __init__(self, folder: Path, items: int, kill_every: int) -> None:
        super().__init__(daemon=True)
        self._folder, self._items, self._kill_every = folder, items, kill_every
        self.kills, self.problem = 0, ""

    def _start(self) -> Terminal:
        answers = ("-c", "answers.jsonl", "-s", "manual", "--repeat", "0")
        line = command("grade", "start", *answers, "--grader", "ann")
        kept = {n: v for n, v in environment().items() if n in ("PYTHONPATH", "POLYASSAY_STORE")}
        return Terminal(line, self._folder, kept)

    def run(self) -> None:
        try:
            self._grade()
        except Exception as error:
            self.problem = f"{type(error).__name__}: {error}"

    def _grade(self) -> None:
        terminal = self._start()
        for number in range(self._items):
            first, *rest = points("ann", number)
            terminal.wait_for(f"item {number + 1} of {self._items}")
            terminal.press(first)
            if number % self._kill_every == self._kill_every - 1:
                terminal.wait_for("▸quality")
                terminal.kill()
                terminal.close()
                self.kills += 1
                terminal = self._start()
                terminal.wait_for(f"item {number + 1} of {self._items}", f"[{first}]", "▸quality")
            terminal.press(*rest)
        terminal.wait_for(f"All {self._items} items are done")
        terminal.close()


def grade_in_browser(tab: Any, server: Server, items: int, kill_every: int) -> int:
    """Bob, whose server is killed in the middle of every so many items; how many kills."""
    kills = 0
    tab.goto(server.urls["bob"])
    for number in range(items):
        first, *rest = points("bob", number)
        at_item(tab, number + 1, items)
        tab.keyboard.press(first)
        if number % kill_every == kill_every - 1:
            focus = "() => document.querySelector('.field.focused h3')?.textContent === 'quality'"
            tab.wait_for_function(focus)
            server.kill()
            kills += 1
            tab.keyboard.press(rest[0])  # nobody takes it
            tab.wait_for_function("() => document.getElementById('notice').textContent !== ''")
            server.start()
            tab.wait_for_function("() => document.getElementById('notice').textContent === ''")
            tab.wait_for_function(focus)
        for key in rest:
            tab.keyboard.press(key)
    tab.wait_for_selector(".closing")
    return kills


def check(store: Scores, items: int) -> dict[str, int]:
    """Nothing is lost and nothing is there twice: every item has its own points, given once."""
    counts = {}
    for grader in ("ann", "bob"):
        (session,) = store.sessions(grader=grader)
        events = store.events(grader=grader)
        found = sheets(events)
        for number, item in enumerate(store.items(session.id)):
            given = dict(zip(DIMENSIONS, map(int, points(grader, number)), strict=True))
            assert found[item.key, item.showing].scores == given, (grader, number)
        assert len(found) == items
        times = Counter((event.key, event.dimension) for event in events)
        assert set(times.values()) == {1}
        counts[grader] = len(events)
    assert counts == {"ann": 3 * items, "bob": 3 * items}
    return counts
