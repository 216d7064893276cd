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


_TOGETHER = "objects of the answer's class are compared or computed with"


@pytest.mark.parametrize("name", ["__eq__", "__lt__", "__add__", "__rmul__"])
def test_objects_with_operators_are_judged_together(name: str) -> None:
    reference = f"class entry:\n    def {name}(self, other): return 1"
    assert reason(task("assert entry()", style=Style.CLASS, reference=reference)) == _TOGETHER


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("assert entry() == entry()", _TOGETHER),
        ("a, b = entry(), entry()\nassert a.x < b.x", _TOGETHER),
        ("assert (entry(1) * 3).x == 3", _TOGETHER),
        ("a = entry(1)\nassert (3 * a).x == 3", _TOGETHER),
        ("a = entry(1)\nassert a.x + 2 == 3", ""),
        ("a = entry(1)\nexpected = 3\nassert a.x == expected", ""),
    ],
)
def test_without_a_reference_the_tests_tell(code: str, why: str) -> None:
    assert reason(task(code, style=Style.CLASS)) == why


@pytest.mark.parametrize(("kind", "share"), [("humaneval", 0.95), ("mbupp", 0.95), ("odex", 0.5)])
def test_share_of_public_suites(shared_data: Path, kind: str, share: float) -> None:
    for suite in ADAPTERS[kind](shared_data / kind, None):
        apart = sum(not task.together_because for task in suite.tasks)
        assert apart >= share * len(suite.tasks)
