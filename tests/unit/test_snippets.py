"""NumpyEval and PandasEval, and programs made of answers to snippets."""

import json
from pathlib import Path

import pytest

from command_line import write_jsonl
from polyassay.candidates import make_program, reference_candidates
from polyassay.errors import PolyAssayError
from polyassay.model import AnswerForm, Candidate, CandidateKey, Task
from polyassay.suites import ADAPTERS

SNIPPET = {
    "task_id": "NumpyEval/0",
    "prompt": "import numpy as np\n\na = np.array([1, 2])\n# Where does it change?\nresult =",
    "entry_point": "none",
    "canonical_solution": [" np.where(a[1:] != a[:-1])[0]"],
    "test": "\n\nMETADATA = {}\n\n\ndef check():\n    assert np.array_equal(result, [0])\n",
}
FUNCTION = {
    "task_id": "NumpyEval/1",
    "prompt": "import numpy as np\n\ndef ones(n):\n    # Return n ones\n",
    "entry_point": "ones",
    "canonical_solution": ["    return np.ones(n)"],
    "test": "def check(candidate):\n    assert candidate(2).sum() == 2\n",
}


@pytest.fixture
def tasks(tmp_path: Path) -> list[Task]:
    write_jsonl(tmp_path / "NumpyEval.jsonl", [SNIPPET, FUNCTION])
    (suite,) = ADAPTERS["numpyeval"](tmp_path, None)
    assert suite.name == "numpyeval" and "numpy==1.23.5" in suite.libraries["default"]
    assert len(reference_candidates(suite)) == 2
    return list(suite.tasks)


def run(task: Task, answer: str, form: AnswerForm = AnswerForm.ANSWER) -> object:
    """What the program's variables are, read through the function that it ends with."""
    candidate = Candidate(CandidateKey("", task.id, "", "", 0), answer, form)
    program = make_program(task, candidate)
    source = program.source.replace("import numpy as np", "")
    scope: dict[str, object] = {"np": _Plain}
    exec(source, scope)
    return scope["polyassay_values"]()  # type: ignore[operator]


class _Plain:
    """As much of numpy as the answers below use."""

    array = list


def test_a_snippets_variables_are_what_the_tests_look_at(tasks: list[Task]) -> None:
    snippet, function = tasks
    assert snippet.entry == "polyassay_values" and not snippet.together_because
    assert snippet.tests[0].code.startswith("(result,) = polyassay_values()\n")
    assert snippet.reference.endswith("return (result,)\n")
    assert function.entry == "ones" and function.suffix == ""
    assert function.setup == "import numpy as np"


@pytest.mark.parametrize(
    "answer",
    [
        " sum(a)",
        "result = sum(a)",
        "Use sum:\n```python\nresult = sum(a)\n```\nThat is all.",
        "import numpy as np\n\na = np.array([1, 2])\nresult = sum(a)\n",
        "total = 0\nfor x in a:\n    total += x\nresult = total",
    ],
)
def test_answers_go_on_from_the_given_lines(tasks: list[Task], answer: str) -> None:
    assert run(tasks[0], answer) == (3,)
    assert run(tasks[0], " sum(a)", AnswerForm.COMPLETION) == (3,)


def test_what_does_not_parse_is_kept_as_it_is(tasks: list[Task]) -> None:
    candidate = Candidate(CandidateKey("", "", "", "", 0), "((", AnswerForm.ANSWER)
    assert "((" in make_program(tasks[0], candidate).source


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"task_id": "PandasEval/0"}, "must begin with NumpyEval/"),
        ({"test": "assert True"}, "must define check"),
        ({"test": "def check():\n    assert np"}, "must look at a variable"),
        ({"canonical_solution": [" (("]}, "must continue the prompt"),
    ],
)
def test_other_rows_are_refused(tmp_path: Path, change: dict[str, object], words: str) -> None:
    write_jsonl(tmp_path / "NumpyEval.jsonl", [SNIPPET | change])
    with pytest.raises(PolyAssayError, match=words):
        ADAPTERS["numpyeval"](tmp_path, None)


def test_names_of_the_test_itself_are_not_asked_for(tmp_path: Path) -> None:
    solution = [" [x for x in np.core.records.fromarrays(a)]"]
    test = "def check():\n    assert [x for x in result]\n"
    row = SNIPPET | {"canonical_solution": solution, "test": test}
    write_jsonl(tmp_path / "NumpyEval.jsonl", [row])
    (task,) = ADAPTERS["numpyeval"](tmp_path, None)[0].tasks
    assert task.suffix.endswith("return (result,)\n")
    assert task.together_because == "values of numpy that are no plain arrays"


def test_a_test_that_does_not_parse_is_kept(tmp_path: Path) -> None:
    broken = SNIPPET | {"test": "def check():\n    assert result == '\n"}
    write_jsonl(tmp_path / "NumpyEval.jsonl", [broken])
    (suite,) = ADAPTERS["numpyeval"](tmp_path, None)
    assert suite.tasks[0].suffix.endswith("return (result,)\n")


def test_pandaseval_is_another_kind(tmp_path: Path) -> None:
    row = json.loads(json.dumps(SNIPPET).replace("NumpyEval", "PandasEval"))
    row["test"] = "def check(candidate):\n    assert result == 1\n"
    write_jsonl(tmp_path / "PandasEval.jsonl", [row])
    (suite,) = ADAPTERS["pandaseval"](tmp_path, "mine")
    assert suite.name == "mine" and suite.tasks[0].tests[0].code.endswith("check(None)\n")
