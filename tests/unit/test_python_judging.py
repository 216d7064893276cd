"""Which Python tasks can be judged apart, decided from the tests alone."""

from dataclasses import replace
from pathlib import Path

import pytest

from polyassay.errors import PolyAssayError
from polyassay.harness import RunSettings, judging_asked_for
from polyassay.model import Judging, Language, Style, Task, Test
from polyassay.sandbox.bubblewrap import Bubblewrap
from polyassay.suites import ADAPTERS
from polyassay.suites.python.judging import reason


def task(code: str, setup: str = "", style: Style = Style.FUNCTION) -> Task:
    return Task(
        id="t",
        suite="s",
        language=Language.PYTHON,
        style=style,
        prompts={},
        tests=(Test("test_0", code),),
        entry="entry",
        setup=setup,
    )


@pytest.mark.parametrize(
    ("code", "setup", "why"),
    [
        ("assert entry([1, 2]) == [2, 1]", "", ""),
        ("assert entry('a') is None", "import math", ""),
        ("assert isinstance(entry(1), int)", "", ""),
        ("assert sorted(entry(3), key=lambda pair: pair[0]) == []", "", ""),
        ("assert entry(lambda x: x) == 1", "", ""),
        ("assert entry(x for x in [1]) == 1", "", ""),
        ("a = []\nassert entry(a) is a", "", ""),
        ("a = (1, 2)\nassert entry(a) is a", "", "identity"),
        ("assert type(entry()) is list", "", ""),
        ("assert type(entry()) in (list, tuple)", "", ""),
        ("assert type(entry()) == type(entry(1))", "", ""),
        ("from decimal import Decimal\nassert isinstance(entry(), Decimal)", "", ""),
        ("assert isinstance(entry(), (int, type(None)))", "", ""),
        ("assert isinstance(entry(), Odd)", "", "types that only the candidate knows"),
        ("import random\nr = random.Random(1)\nassert entry(r.random()) == 1", "", ""),
        ("import types\nassert isinstance(entry(), types.GeneratorType)", "", ""),
        ("import types\nassert types", "", "objects of types cannot be passed between processes"),
        ("assert hasattr(entry(), 'size')", "", ""),
        ("assert hasattr(entry(), '__len__')", "", "types that only the candidate knows"),
        ("import math\nmath.pi = 3", "", "tests that change what the answer sees"),
        ("class Boom(Exception):\n    pass\nassert entry(Boom) == 1", "", ""),
        ("entry('f')\nassert open('f').read() == ''", "", "files that tests and answer share"),
        ("assert entry() == 1", "from unittest.mock import Mock", "mocks"),
        ("assert entry() == 1", "def one():\n    return entry()", ""),
        (
            "assert entry() == one",
            "one = entry()",
            "a setup that uses the answer before any test does",
        ),
        (
            "assert entry() == 1",
            "import pandas",
            "objects of pandas cannot be passed between processes",
        ),
        *(
            (
                f"import {module}\n{code}",
                "",
                f"objects of {module} cannot be passed between processes",
            )
            for module, code in (
                ("re", "assert entry(re.compile('a')) == 1"),
                ("uuid", "u = uuid.UUID(int=1)\nassert entry([u]) == 1"),
                ("random", "r = random.Random(1)\nassert entry(1, r=r) == 1"),
                ("struct", "assert entry({'s': struct.Struct('i')})"),
                ("math", "assert entry(math) == 1"),
            )
        ),
        (
            "from uuid import uuid4\nassert entry(uuid4()) == 1",
            "",
            "objects of uuid cannot be passed between processes",
        ),
        (
            "assert entry(object()) == 1",
            "",
            "objects of builtins cannot be passed between processes",
        ),
        ("import random\nrandom.seed(1)\nassert entry() == 1", "", "randomness"),
        ("assert helper(entry(1)) == 1", "", "tests use helper of the answer"),
        ("assert str(type(entry())) == 'x'", "", "types that only the candidate knows"),
        *(
            (f"assert entry(np.{made}) == 3", "import numpy as np", why)
            for made, why in (
                ("array([3])", ""),
                ("mat([3])", "values of numpy that are no plain arrays"),
                ("asmatrix([3])", "values of numpy that are no plain arrays"),
            )
        ),
        ("class A: pass\nassert entry(A()) == 1", "", "types that the tests define"),
        *(
            (f"assert entry.{name}", "", "types that only the candidate knows")
            for name in ("__annotations__", "__wrapped__", "__code__", "__mro__", "__module__")
        ),
        *((f"assert entry().{name}", "", "") for name in ("__len__()", "__str__()", "__next__()")),
        ("try: entry()\nexcept ValueError as e: assert e.__notes__", "", ""),
        ("assert np.__version__ and entry(1)", "import numpy as np", ""),
        (
            "from typing import get_type_hints\nassert get_type_hints(entry)",
            "",
            "types that only the candidate knows",
        ),
    ],
)
def test_reason(code: str, setup: str, why: str) -> None:
    assert reason(task(code, setup)) == why


@pytest.mark.parametrize(
    "code",
    [
        "try: raise entry(1)\nexcept ValueError: pass",
        "try: f()\nexcept entry as error: assert error.code == 1",
        "try: f()\nexcept (KeyError, entry): pass",
        "raise entry",
        "raise ValueError from entry()" + "\nraise entry()",
    ],
)
def test_a_class_that_is_thrown(code: str) -> None:
    assert reason(task(code, style=Style.CLASS)) == "tests that raise or catch the task's class"
    assert reason(task("try: entry()\nexcept ValueError: pass", style=Style.CLASS)) == ""


@pytest.mark.parametrize(
    "code",
    [
        "assert entry() == entry()",
        "a, b = entry(), entry()\nassert a.x < b.x",
        "assert (entry(1) * 3).x == 3",
        "a = entry(1)\na.x = 3\nassert a.x + 2 == 5",
        "assert isinstance(entry(1) + entry(2), entry)",
    ],
)
def test_objects_can_be_asked(code: str) -> None:
    assert reason(task(code, style=Style.CLASS)) == ""


@pytest.mark.parametrize(("kind", "share"), [("humaneval", 0.95), ("mbupp", 0.95), ("odex", 0.5)])
def test_share_of_public_suites(shared_data: Path, kind: str, share: float) -> None:
    for suite in ADAPTERS[kind](shared_data / kind, None):
        apart = sum(not task.together_because for task in suite.tasks)
        assert apart >= share * len(suite.tasks)


@pytest.mark.parametrize(
    "pin",
    [
        "numpy==1.23.5",
        "numpy>=1.23,<2",
        "numpy[x]~=1.0",
        "numpy ; python_version<'4'",
        "numpy!=1.5",
        "NumPy",
        "NUMPY==1.23.5",
    ],
)
def test_a_pin_does_not_change_how_a_task_is_judged(pin: str) -> None:
    assert reason(replace(task("assert entry() == 1"), libraries=(pin,))) == ""
    other = pin.lower().replace("numpy", "Pandas")
    pinned = replace(task("assert entry() == 1"), libraries=(other,))
    assert reason(pinned) == reason(replace(pinned, libraries=("Pandas",))) != ""


def test_judging_is_declared_by_the_task_alone() -> None:
    plain = task("assert entry(1) == 1")
    assert plain.judging is Judging.APART
    assert replace(plain, together_because="mocks").judging is Judging.TOGETHER
    assert replace(plain, style=Style.PYTEST).judging is Judging.TOGETHER
    # What is printed or shown is compared in the runner, whatever a suite says.
    for style in (Style.PROGRAM, Style.CELL):
        assert replace(plain, style=style, together_because="files").judging is Judging.APART


def test_what_was_asked_for_changes_only_what_can_be_judged_apart() -> None:
    settings = RunSettings(Bubblewrap(), Path())
    asked = replace(settings, judge=Judging.TOGETHER)
    plain = task("assert entry(1) == 1")
    assert judging_asked_for(settings, plain) is Judging.APART
    assert judging_asked_for(asked, plain) is Judging.TOGETHER
    assert judging_asked_for(asked, replace(plain, style=Style.PROGRAM)) is Judging.APART
    assert judging_asked_for(settings, plain, "a newer planner's reason") is Judging.TOGETHER
    with pytest.raises(PolyAssayError, match="cannot be judged apart: a newer"):
        judging_asked_for(replace(settings, judge=Judging.APART), plain, "a newer planner's reason")
