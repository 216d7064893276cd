"""Notebooks with a cells.toml become tasks of the style cell."""

import base64
import json
from pathlib import Path

import pytest

from polyassay.candidates.program import make_program
from polyassay.comparison import AnswerType
from polyassay.comparison.cell import cell_of
from polyassay.errors import PolyAssayError
from polyassay.model import Candidate, CandidateKey, Style
from polyassay.suites.native import jsonl as native
from polyassay.suites.registry import Registry

OUTPUTS = [
    {"output_type": "stream", "name": "stderr", "text": ["careful\n"]},
    {"output_type": "stream", "name": "stdout", "text": ["mean:\n"]},
    {"output_type": "execute_result", "data": {"text/plain": "2.5"}, "execution_count": 1},
]
CELLS = [
    {"cell_type": "markdown", "source": "# Numbers"},
    {"cell_type": "code", "source": ["import numpy as np\n", "import os"], "outputs": []},
    {"cell_type": "code", "source": "x = np.loadtxt('x.csv')", "outputs": []},
    {"cell_type": "markdown", "source": "Their mean,\nplease."},
    {"cell_type": "code", "source": "x.mean()", "outputs": OUTPUTS},
    {"cell_type": "code", "source": "silent = 1", "outputs": []},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inner = tmp_path / "mine" / "numbers"
    (inner / "files").mkdir(parents=True)
    (tmp_path / "mine" / "suite.toml").write_text('version = "1"\n')
    (inner / "notebook.ipynb").write_text(json.dumps({"cells": CELLS}))
    (inner / "files" / "x.csv").write_text("a,b\n")
    (inner / "cells.toml").write_text(
        '[[cell]]\nrow = 4\nanswer_type = "number"\naccepted = ["5/2"]\nlimits = { seconds = 3 }\n'
    )
    return tmp_path / "mine"


def test_a_target_cell_becomes_a_task(folder: Path) -> None:
    (suite,) = native.read(folder, None)
    (task,) = suite.tasks
    cell = cell_of(task)
    assert (task.id, task.style, task.reference) == ("numbers/4", Style.CELL, "x.mean()")
    assert [test.name for test in task.tests] == ["output"]
    assert cell.context == ("import numpy as np\nimport os", "x = np.loadtxt('x.csv')")
    assert (cell.answer_type, cell.accepted) == (AnswerType.NUMBER, ("mean:\n2.5", "5/2"))
    assert task.limits.seconds == 3.0 and task.libraries == ("numpy",)
    assert base64.b64decode(task.data_files["x.csv"]) == b"a,b\n"
    assert task.prompts["en"] == (
        "# Columns: x.csv: a, b\n\nimport numpy as np\nimport os\n\nx = np.loadtxt('x.csv')\n\n"
        "# Their mean,\n# please.\n"
    )


def test_an_added_suite_comes_back_as_it_was(folder: Path, tmp_path: Path) -> None:
    registry = Registry(tmp_path / "home")
    (suite,) = native.read(folder, "kept")
    registry.add(suite)
    assert registry.load("kept") == suite


@pytest.mark.parametrize(
    ("toml", "problem"),
    [
        ('row = 3\nanswer_type = "number"', '"row" must be a code cell'),
        ('row = 9\nanswer_type = "number"', '"row" must be a code cell'),
        ('row = 4\nanswer_type = "list"', '"answer_type" must be one of'),
        ('row = 5\nanswer_type = "number"', '"accepted" is missing'),
    ],
)
def test_mistakes_are_named(folder: Path, toml: str, problem: str) -> None:
    (folder / "numbers" / "cells.toml").write_text(f"[[cell]]\n{toml}\n")
    with pytest.raises(PolyAssayError, match=problem):
        native.read(folder, None)


def test_the_starter_suite_has_all_answer_types(tmp_path: Path) -> None:
    suite = Registry(tmp_path).load("starter-notebooks")
    assert len({task.id.partition("/")[0] for task in suite.tasks}) >= 10
    assert len(suite.tasks) == Registry(tmp_path).overview(suite.name).tasks >= 24
    assert {cell_of(task).answer_type for task in suite.tasks} == set(AnswerType)


def test_code_with_magics_is_found_in_a_chat(folder: Path) -> None:
    (suite,) = native.read(folder, None)
    answer = "Here it is:\n\n```python\n%matplotlib inline\n!ls\nprint(x.mean())\n```\nDone."
    key = CandidateKey("mine", "numbers/4", "t", "en", 0)
    program = make_program(suite.tasks[0], Candidate(key, answer))
    assert program.source == "%matplotlib inline\n!ls\nprint(x.mean())\n"
