"""DS-1000's published form becomes snippets whose variable `result` is judged."""

import copy
from pathlib import Path
from typing import Any

import pytest

from command_line import write_jsonl
from ds1000_rows import CONTEXT, ROW, STRING
from polyassay.candidates import make_program
from polyassay.errors import PolyAssayError
from polyassay.model import Candidate, CandidateKey, Task
from polyassay.suites import ADAPTERS


def read(folder: Path, *rows: dict[str, Any]) -> list[Task]:
    write_jsonl(folder / "ds1000.jsonl", list(rows))
    (suite,) = ADAPTERS["ds1000"](folder, None)
    assert suite.name == "ds1000" and suite.version == "2.0+modified"
    assert suite.canary.startswith("canary GUID ")
    return list(suite.tasks)


def passes(task: Task, source: str) -> list[str]:
    """The names of the tests that a program passes, in one process."""
    passed = []
    for test in task.tests:
        scope: dict[str, Any] = {}
        try:
            exec(source, scope)
            exec(test.code, scope)
            passed.append(test.name)
        except Exception:
            continue
    return passed


def program(task: Task, answer: str) -> str:
    candidate = Candidate(CandidateKey("", task.id, "", "", 0), answer)
    return make_program(task, candidate).source


def test_the_publishers_code_judges_the_variable(tmp_path: Path) -> None:
    (task,) = read(tmp_path, ROW)
    assert (task.id, task.cluster, task.tags) == ("0", "ds1000/Pandas/0", ("pandas", "origin"))
    assert [test.name for test in task.tests] == ["test_execution", "test_string"]
    assert task.prompts["en"] == ROW["prompt"] and not task.together_because
    assert passes(task, task.reference) == ["test_execution", "test_string"]


@pytest.mark.parametrize(
    ("answer", "passed"),
    [
        ("ordered = sorted(data)", ["test_execution", "test_string"]),
        ("ordered = sorted(data)\n</code>\nEND SOLUTION\nmore", ["test_execution", "test_string"]),
        ("<code>\nordered = sorted(data)\n</code>", ["test_execution", "test_string"]),
        ("Sort it:\n```python\nordered = sorted(data)\n```\n", ["test_execution", "test_string"]),
        ("data.sort()\nordered = [ x for x in data ]", ["test_execution"]),
        ("ordered = data", ["test_string"]),
        ("result = sorted(data)", ["test_string"]),  # the given lines want another name
        ("ordered = ((", []),
    ],
)
def test_answers_fill_the_place(tmp_path: Path, answer: str, passed: list[str]) -> None:
    (task,) = read(tmp_path, ROW)
    assert passes(task, program(task, answer)) == passed


def test_the_environment_has_what_tasks_import(tmp_path: Path) -> None:
    numpy = ROW | {"code_context": "import numpy as np\n" + CONTEXT}
    uses = CONTEXT.replace("sorted(copy.deepcopy(test_input))", "DataFrame(test_input)")
    frames = copy.deepcopy(ROW) | {"code_context": "from pandas import DataFrame\n" + uses}
    frames["metadata"]["problem_id"] = 519  # its program loads a table
    write_jsonl(tmp_path / "ds1000.jsonl", [numpy, frames])
    (suite,) = ADAPTERS["ds1000"](tmp_path, "mine")
    assert suite.libraries == {"default": ("numpy==1.26.4", "pandas==1.5.3")}
    first, second = suite.tasks
    assert (first.needs_network, second.needs_network) == (False, True)
    assert (first.libraries, first.together_because) == (("numpy",), "")
    assert second.together_because == "objects of pandas cannot be passed between processes"


NUMPY = "import numpy as np\n"
DRAWN = NUMPY + CONTEXT.replace("[9, 8]", "np.random.RandomState(2).rand(4)")
EXPECTED = "sorted(copy.deepcopy(test_input))"


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import pandas as pd, tokenize\n" + CONTEXT, ""),  # imported, and not used
        ("import io, tokenize\n" + CONTEXT + STRING.replace("split", "io.split"), ""),
        (DRAWN.replace("return [3", "np.random.seed(1)\n        return [3"), ""),
        (NUMPY + CONTEXT.replace(EXPECTED, "np.random.permutation(test_input)"), "randomness"),
        (DRAWN.replace("data = test", "np.random.seed(1)\ndata = test"), "randomness"),
        (NUMPY + CONTEXT.replace("result == ans", "result is not np.nan"), ""),
        (
            "import pandas as pd\n" + CONTEXT.replace("[9, 8]", "pd.Series([9, 8])"),
            "objects of pandas cannot be passed between processes",
        ),
        (NUMPY + CONTEXT.replace("[9, 8]", "np.matrix([9])"), "values of numpy that are no plain"),
        (CONTEXT.replace("result == ans", "type(result) == ans"), "types that only the candidate"),
    ],
)
def test_what_the_values_are_decides_how_a_task_is_judged(
    tmp_path: Path, code: str, why: str
) -> None:
    (task,) = read(tmp_path, ROW | {"code_context": code})
    assert task.together_because.startswith(why) and bool(task.together_because) == bool(why)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"code_context": "def test_execution(solution): pass\n"}, "must have exec"),
        ({"code_context": CONTEXT + "(("}, "must be Python"),
        ({"code_context": CONTEXT.replace("[insert]\n", "")}, "must set exec_context"),
        ({"metadata": {**ROW["metadata"], "problem_id": "x"}}, "must be a whole number"),
        ({"metadata": {}}, "must be a whole number"),
        ({"reference_code": 3}, "must be text"),
    ],
)
def test_other_rows_are_refused(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    with pytest.raises(PolyAssayError, match=words):
        read(tmp_path, ROW | change)
