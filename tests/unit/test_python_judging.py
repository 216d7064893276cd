"""Which Python tasks can be judged apart, decided from the tests alone."""

from pathlib import Path

import pytest

from polyassay.model import Language, Style, Task, Test
from polyassay.suites import ADAPTERS
from polyassay.suites.python_judging import reason


def task(code: str, setup: str = "", style: Style = Style.FUNCTION, reference: str = "") -> Task:
    return Task(
        id="t",
        suite="s",
        language=Language.PYTHON,
        style=style,
        prompts={},
        tests=(Test("test_0", code),),
        entry="entry",
        setup=setup,
        reference=reference,
    )


@pytest.mark.parametrize(
    ("code", "setup", "why"),
    [
        ("assert entry([1, 2]) == [2, 1]", "", ""),
        ("assert entry('a') is None", "import math", ""),
        ("assert isinstance(entry(1), int)", "", ""),
        ("assert sorted(entry(3), key=lambda pair: pair[0]) == []", "", ""),
        ("assert entry(lambda x: x) == 1", "", "callbacks"),
        ("a = []\nassert entry(a) is a", "", "identity"),
        ("assert entry(x for x in [1]) == 1", "", "iterators that the tests make"),
        ("entry('f')\nassert open('f').read() == ''", "", "files that tests and answer share"),
        ("assert entry() == 1", "from unittest.mock import Mock", "mocks"),
        ("assert entry() == 1", "import pandas", "values of pandas do not cross"),
        ("import random\nrandom.seed(1)\nassert entry() == 1", "", "randomness"),
        ("assert helper(entry(1)) == 1", "", "tests use helper of the answer"),
        ("assert str(type(entry())) == 'x'", "", "types that only the candidate knows"),
        ("class A: pass\nassert entry(A()) == 1", "", "types that the tests define"),
    ],
)
def test_reason(code: str, setup: str, why: str) -> None:
    assert reason(task(code, setup)) == why


def test_objects_that_are_compared_are_judged_together() -> None:
    reference = "class entry:\n    def __eq__(self, other): return True"
    told = reason(task("assert entry() == entry()", style=Style.CLASS, reference=reference))
    assert told == "objects of the answer's class are compared"


@pytest.mark.parametrize(("kind", "share"), [("humaneval", 0.95), ("mbupp", 0.95), ("odex", 0.5)])
def test_share_of_public_suites(shared_data: Path, kind: str, share: float) -> None:
    for suite in ADAPTERS[kind](shared_data / kind, None):
        apart = sum(not task.together_because for task in suite.tasks)
        assert apart >= share * len(suite.tasks)
