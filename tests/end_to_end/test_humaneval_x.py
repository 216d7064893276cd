"""Java suites whose test is a Main that throws: HumanEval-X, and mxeval's form."""

import gzip
import json
from pathlib import Path

import pytest

from polyassay.errors import PolyAssayError
from polyassay.model import Language
from polyassay.suites.public import humaneval_x, mxeval

ROW = {
    "task_id": "Java/0",
    "prompt": "import java.util.*;\nimport java.lang.*;\n\nclass Solution {\n"
    "    public int half(int n) {\n        return n / 2;\n    }\n\n    /** Adds. */\n"
    "    public int add(List<Integer> all, final int... more) throws RuntimeException {\n",
    "canonical_solution": "        return 0;\n    }\n}",
    "test": "public class Main {\n    public static void main(String[] args) {\n"
    "        if (new Solution().add(new ArrayList<>()) > 0) throw new AssertionError();\n    }\n}",
}
PYTHON_ROW = {
    "task_id": "MBPP/2",
    "language": "python",
    "prompt": 'def inc(n):\n    """Adds one."""\n',
    "entry_point": "inc",
    "test": "\n\ndef check(candidate):\n    assert candidate(1) == 2\n\n",
    "canonical_solution": None,
}


def write(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def test_a_row_becomes_a_task(tmp_path: Path) -> None:
    write(tmp_path / "humaneval_java.jsonl", ROW)
    (suite,) = humaneval_x.read(tmp_path, None)
    (task,) = suite.tasks
    assert (suite.name, suite.version) == ("humaneval-x-java", "1.0+modified")
    assert (task.id, task.class_name) == ("Java/0", "Solution")
    assert task.signature == (
        "public int add(List<Integer> all, final int... more) throws RuntimeException"
    )
    assert task.context == ROW["prompt"]
    assert task.reference == ROW["prompt"] + ROW["canonical_solution"]
    assert [test.name for test in task.tests] == ["test_0"]
    assert "Main.main(" in task.test_source
    assert task.support["Main.java"].startswith("import java.util.*;\nimport java.lang.*;\n")


def test_mxeval_rows_of_both_languages(tmp_path: Path) -> None:
    java = ROW | {"language": "java", "entry_point": "add", "task_id": "MBJP/1"}
    path = tmp_path / "mbxp.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, (PYTHON_ROW, java))).encode()))
    (suite,) = mxeval.read(path, None)
    assert suite.name == "mbxp" and mxeval.read(path, "other")[0].name == "other"
    python, java_task = suite.tasks
    assert (python.id, python.language, python.entry) == ("MBPP/2", Language.PYTHON, "inc")
    assert python.reference == "" and python.context == PYTHON_ROW["prompt"]
    names: dict[str, object] = {"inc": lambda n: n + 1}
    exec(python.tests[0].code, names)
    names["inc"] = lambda n: n
    with pytest.raises(AssertionError):
        exec(python.tests[0].code, names)
    assert (java_task.id, java_task.class_name) == ("MBJP/1", "Solution")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"prompt": "class Solution {"}, '"prompt" must end within a Java method'),
        ({"prompt": "import java.util.*;"}, '"prompt" must end within a Java method'),
        ({"test": "class Other {}"}, '"test" must hold a Java class Main'),
        ({"task_id": None}, '"task_id" must be text'),
        ({"canonical_solution": None}, '"canonical_solution" must be text'),
    ],
)
def test_rows_that_do_not_fit(tmp_path: Path, change: dict[str, object], words: str) -> None:
    path = write(tmp_path / "a.jsonl", ROW, ROW | {"task_id": "Java/1"} | change)
    with pytest.raises(PolyAssayError) as caught:
        humaneval_x.read(path, None)
    assert caught.value.problem.startswith(f"{path}, line 2: ")
    assert words in caught.value.problem


def test_languages_that_cannot_run_here(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", PYTHON_ROW | {"language": "perl"})
    with pytest.raises(PolyAssayError, match='"language"'):
        mxeval.read(path, None)


def test_a_folder_without_the_file(tmp_path: Path) -> None:
    with pytest.raises(PolyAssayError, match=r"has no humaneval_java\.jsonl"):
        humaneval_x.read(tmp_path, None)


def test_the_published_file(shared_data: Path) -> None:
    (suite,) = humaneval_x.read(shared_data / "humaneval-x", None)
    assert suite.version == "1.0"
    assert [task.id for task in suite.tasks] == [f"Java/{index}" for index in range(164)]
    assert suite.tasks[32].signature == "public double findZero(List<Double> xs)"
