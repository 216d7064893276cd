"""Which file a fenced block of Python is."""

import pytest

from made import make_task
from polyassay.candidates.python.placing import file_of

TASK = make_task(
    "bowling",
    entry="BowlingGame",
    solution={
        "src/bowling.py": "from frames import Frame\n\n\nclass BowlingGame:\n    pass\n",
        "src/score.py": "def score(rolls):\n    pass\n",
        "src/broken.py": "def (",
    },
)


@pytest.mark.parametrize(
    ("code", "path"),
    [
        ("class BowlingGame:\n    def roll(self): ...\n", "src/bowling.py"),
        ("def score(rolls):\n    return 0\n", "src/score.py"),
        ("class Frame:\n    pass\n", "src/frames.py"),  # a stub imports it from there
        ("def strike(): return 10\n", "src/rules.py"),  # another block does
        ("import unittest\n\nclass BowlingGame: pass\n", ""),
        ("    from pytest import raises\n", ""),
        ("def other(): ...\n", ""),
        ("this is no Python", ""),
    ],
)
def test_a_block_is_placed_by_what_it_defines(code: str, path: str) -> None:
    score = "from .rules import strike\nfrom . import bowling\nimport math\n"
    assert file_of(TASK, code, [score, code]).path == path


def test_an_entry_that_no_stub_defines_is_the_main_files() -> None:
    task = make_task("t", entry="solve", solution={"t.py": ""}, extra={"module": "t"})
    assert file_of(task, "solve = lambda x: x\n", []).path == "t.py"
    assert file_of(make_task("t", solution={"t.py": ""}), "solve = 1\n", []).path == ""
