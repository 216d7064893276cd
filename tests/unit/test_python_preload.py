"""What a zygote imports ahead."""

from pathlib import Path
from typing import Any

import pytest

from polyassay.environments.interpreters import Installed, Interpreter
from polyassay.harness.python.preload import preload
from polyassay.model import Language, Style, Task, Test

MODULES = frozenset({"numpy", "pandas", "PIL", "scipy", "sklearn", "matplotlib", "seaborn", "the"})
NEEDS = frozenset({("pandas", "numpy"), ("sklearn", "numpy"), ("sklearn", "scipy")})


def task(context: str = "", setup: str = "", test: str = "assert True", **fields: Any) -> Task:
    given: dict[str, Any] = {
        "context": context,
        "setup": setup,
        "tests": (Test("t", test),),
        **fields,
    }
    return Task(
        id="1", suite="s", language=Language.PYTHON, style=Style.FUNCTION, prompts={}, **given
    )


def preloaded(of: Task) -> tuple[str, ...]:
    installed = Installed(MODULES, frozenset(), NEEDS)
    return preload(of, Interpreter(Path("python"), (), installed=lambda: installed))


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("import numpy as np", {"numpy"}),
        ("  import pandas as pd, PIL.Image", {"pandas", "PIL.Image"}),
        ("import PIL, re  # both", {"PIL"}),
        ("import PIL; import re", {"PIL"}),
        ("from PIL import Image", {"PIL.Image"}),
        ("from PIL import (Image, ImageDraw)", {"PIL.Image"}),
        ("from sklearn.linear_model import Ridge", {"sklearn.linear_model"}),
        ("import PIL\nimport PIL.Image", {"PIL.Image"}),
        ("from PIL import *", {"PIL"}),
        ("from sklearn.linear_model import (\n    Ridge,\n)", {"sklearn.linear_model"}),
        ("import numpy as np\r\nimport PIL\r\n", {"numpy", "PIL"}),
        ("import unheard_of", set()),
        ("from the list", set()),
        ("import the numbers of the list", set()),
    ],
)
def test_what_the_tasks_own_code_imports(line, names):
    assert set(preloaded(task(setup=line))) == names
    assert set(preloaded(task(context=line))) == names
    assert set(preloaded(task(test=line))) == names


def test_what_another_library_brings_along_is_not_named():
    assert preloaded(task(setup="import numpy, pandas")) == ("pandas",)


def test_libraries_of_the_task_and_what_they_import_later():
    wanted = task(libraries=("pandas",), reference="frame.plot()")
    later = {"importlib.metadata", "matplotlib.pyplot", "matplotlib.backends.backend_agg"}
    assert set(preloaded(wanted)) == {"pandas.plotting._matplotlib"} | later
    assert preloaded(task(test="import numpy\nnumpy.random.seed(0)")) == ("numpy.random",)
    drawn = {"matplotlib.pyplot", "matplotlib.backends.backend_agg", "numpy.random"}
    assert set(preloaded(task(setup="import seaborn"))) == {"scipy.stats", "seaborn"} | drawn


def test_what_takes_long_is_named_though_another_library_brings_it_along():
    assert set(preloaded(task(setup="from scipy import signal"))) == {"scipy.signal", "scipy.stats"}
    assert set(preloaded(task(setup="import sklearn"))) == {"scipy.stats", "sklearn"}


def test_who_imports_only_parts_of_python_is_spared_the_look_at_libraries():
    def look() -> Installed:
        raise AssertionError("nobody needs to know")

    spared = Interpreter(Path("python"), (), installed=look)
    own = task(context='from typing import List\n\ndef f():\n    """from the list"""')
    assert preload(own, spared) == ()
    assert preload(task(test="import re, random, unittest"), spared) == ("random", "unittest")
    assert not spared.lacks(["re", "os.path"])
