"""ClassEval's file becomes tasks whose tests see all that the answer imports."""

import json
from pathlib import Path

import pytest

from polyassay.errors import PolyAssayError
from polyassay.model import Style
from polyassay.suites.public import classeval

ROW = {
    "task_id": "ClassEval_0",
    "skeleton": "import numpy as np\n\nclass Mean:\n    def of(self, xs):\n        pass\n",
    "test": "import unittest\n\nclass MeanTest(unittest.TestCase):\n    pass\n",
    "solution_code": "import numpy as np\n\nclass Mean:\n"
    "    def of(self, xs):\n        return np.mean(xs)\n",
    "class_name": "Mean",
}


def write(folder: Path, *rows: object) -> Path:
    place = folder / "data" / "ClassEval_data.json"
    place.parent.mkdir()
    place.write_text(json.dumps(rows))
    return folder


def test_rows_become_tasks(tmp_path: Path) -> None:
    other = ROW | {"task_id": "ClassEval_52", "solution_code": "class Mean: pass"}
    (suite,) = classeval.read(write(tmp_path, ROW, other), None)
    first, second = suite.tasks
    assert (suite.name, suite.version) == ("classeval", "1.0+modified")
    assert (first.id, first.style, first.entry) == ("ClassEval_0", Style.PYTEST, "Mean")
    assert first.test_source.startswith("from answer import *\n") and first.libraries == ("numpy",)
    assert first.context == first.prompts["en"] == ROW["skeleton"]
    assert not first.needs_network and second.needs_network and not second.libraries
    assert suite.licence == "MIT"
    assert "numpy==1.26.4" in suite.libraries["default"]


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([], "is no list of classes"),
        ([{**ROW, "test": 3}], '"test" must be text'),
        ([{"task_id": "HumanEval/0", "prompt": "x"}], '"skeleton" is missing'),
    ],
)
def test_other_files_are_refused(tmp_path: Path, rows: list[object], problem: str) -> None:
    with pytest.raises(PolyAssayError, match=problem):
        classeval.read(write(tmp_path, *rows), None)
