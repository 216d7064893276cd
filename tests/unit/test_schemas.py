"""Schemas say what the readers say: of good files, and of files with one thing wrong."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from answer_files import a_suite, by_name, write
from polyassay.candidates import read_answers
from polyassay.errors import PolyAssayError
from polyassay.model import Language, Style, Task, Test
from polyassay.rubric import files as score_files
from polyassay.schemas import SCHEMAS, schema
from polyassay.study.file import read_study
from polyassay.suites.native.fields import Fields
from polyassay.suites.native.task_json import FIELDS, task_from, task_to


def takes(name: str, value: object) -> bool:
    return jsonschema.Draft202012Validator(schema(name)).is_valid(value)


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_are_schemas(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(name))
    assert json.loads(json.dumps(schema(name))) == schema(name)


FUNCTION: dict[str, Any] = {
    "id": "clamp",
    "language": "python",
    "style": "function",
    "entry": "clamp",
    "prompts": {"en": "Clamp it."},
    "tests": [{"name": "test_0", "code": "assert clamp(5, 0, 3) == 3"}],
    "support": {"a/b.py": "x"},
    "limits": {"seconds": 5, "memory_mb": 256},
}
SETS = {"id": "s", "language": "python", "style": "sets", "tests": {"original": ["f(1) == 1"]}}
JUNIT = {
    "id": "m",
    "language": "java",
    "style": "junit",
    "class_name": "p.Max",
    "test_source": "class MaxTest {}",
}
RUBRIC = {"id": "r", "language": "java", "style": "rubric", "prompts": {"en": "x"}}
MISSING = object()


def changed(value: dict[str, Any], **fields: object) -> dict[str, Any]:
    return {k: v for k, v in {**value, **fields}.items() if v is not MISSING}


TASKS = [
    *(FUNCTION, SETS, JUNIT, RUBRIC),
    *(changed(FUNCTION, **{name: MISSING}) for name in FUNCTION),
    *(changed(JUNIT, **{name: MISSING}) for name in JUNIT),
    *(changed(FUNCTION, **{name: 7}) for name in FIELDS if name not in ("suite", "jars")),
    changed(FUNCTION, id=" "),
    changed(FUNCTION, entry=""),
    changed(FUNCTION, language="cobol"),
    changed(FUNCTION, language="java"),
    changed(FUNCTION, style="sets"),
    changed(FUNCTION, style="program", language="java", tests=[{"stdout": "x"}]),
    changed(FUNCTION, style="program", tests=[{"stdin": "x"}]),
    changed(FUNCTION, prompts={"en": 3}),
    changed(FUNCTION, tests={"a": ["x"]}),
    changed(FUNCTION, tests=[]),
    changed(FUNCTION, tests=[{"name": "a"}]),
    changed(FUNCTION, tests=[{"code": " "}]),
    changed(JUNIT, tests=[]),
    changed(JUNIT, tests=[{"name": "a"}]),
    changed(RUBRIC, tests=[]),
    changed(FUNCTION, tests=[{"name": 3, "code": "x"}]),
    changed(FUNCTION, support={"../x": "y"}),
    changed(FUNCTION, solution={"/x": "y"}),
    changed(FUNCTION, solution={"a/../b": "y"}),
    changed(FUNCTION, solution={"a..b/c..py": "y"}),
    changed(FUNCTION, limits={"seconds": 0}),
    changed(FUNCTION, limits={"memory_mb": 1.5}),
    changed(FUNCTION, limits={"hours": 1}),
    changed(FUNCTION, needs_network="yes"),
    changed(FUNCTION, tags=["a", 3]),
    changed(FUNCTION, notes_of_the_author={"any": 1}),
    changed(SETS, tests={}),
    changed(SETS, tests={"a": []}),
    changed(SETS, tests=[{"code": "x"}]),
    changed(JUNIT, language="python"),
    changed(RUBRIC, prompts={}),
    changed(RUBRIC, tests=[{"code": "x"}]),
    [FUNCTION],
]


@pytest.mark.parametrize("value", TASKS, ids=lambda value: json.dumps(value)[:80])
def test_tasks(value: object) -> None:
    try:
        task_from(Fields("line", value), "s")
        read = True
    except PolyAssayError:
        read = False
    assert takes("task", value) == read


def test_what_we_write_of_a_task_is_taken() -> None:
    task = Task(
        *("t", "s", Language.PYTHON, Style.PROGRAM),
        {"en": "x"},
        (Test("test_0", stdin="a", stdout="b"),),
        data_files={"a": "YQ=="},
        solution={"a.py": ""},
        jars={},
        extra={"published_total": "3"},
    )
    assert takes("task", task_to(task))


ANSWERS = [
    {"task": "x", "answer": "y"},
    {"task": 11, "answer": "", "tool": "t", "sample": 3, "suite": None, "sample_of": 1},
    {"task": "x", "answer": "y", "form": "completion", "origin": {"via": "openai"}},
    {"task": "files", "files": {"a.py": "x"}},
    {"task": "files", "files": {"a.py": "x"}, "answer": ""},
    {"task": "files", "files": {"a.py": "x"}, "answer": "y"},
    {"task": "files", "files": {"a.py": 3}},
    {"task": "files", "files": {}},
    {"task": "x", "files": {}, "answer": "y"},
    {"task": "x"},
    {"answer": "y"},
    {"task": None, "answer": "y"},
    {"task": "x", "answer": 3},
    {"task": "x", "answer": None},
    {"task": "x", "answer": "y", "sample": -1},
    {"task": "x", "answer": "y", "sample": "two"},
    {"task": "x", "answer": "y", "tool": 3},
    {"task": "x", "answer": "y", "form": "poem"},
    {"task": "x", "answer": "y", "origin": "me"},
]


@pytest.mark.parametrize("value", ANSWERS, ids=json.dumps)
def test_answers(tmp_path: Path, value: dict[str, Any]) -> None:
    suites = by_name(
        a_suite("s", "x", "11"), a_suite("f", "files", solution={"a.py": "", "b.py": ""})
    )
    path = write(tmp_path / "a.jsonl", value)
    try:
        read_answers(path, "tool", suites, "native")
        read = True
    except PolyAssayError:
        read = False
    assert takes("answer", value) == read


ROW = {
    "suite": "s",
    "task": "t",
    "tool": "a",
    "prompt_language": "en",
    "sample": 0,
    "grader": "ann",
    "dimension": "quality",
    "score": 3,
    "comment": "",
}


def test_scores_have_the_columns_of_their_files() -> None:
    assert takes("score", ROW)
    assert takes("score", {k: str(v) for k, v in ROW.items()})  # as CSV has them
    for name in score_files.COLUMNS:
        without = {key: value for key, value in ROW.items() if key != name}
        assert takes("score", without) == (name in score_files.OPTIONAL)
    for wrong in ({"score": "many"}, {"grader": ""}, {"extra": 1}, {"sample": -1.5}):
        assert not takes("score", {**ROW, **wrong})


TOOL = {"name": "local", "via": "openai", "model": "qwen", "temperature": 0.8}
STUDY: dict[str, Any] = {"suites": ["starter-java"], "samples": 5, "tool": [TOOL]}
STUDIES = [
    STUDY,
    {**STUDY, "prompt": {"examples": 1, "strip": True}, "vary": {"shown_tests": [0, 1, "all"]}},
    {**STUDY, "compare": {"baseline": "local", "margin": 3.0}, "run": {"eval_tests": 1}},
    {**STUDY, "tool": [{"name": "a", "via": "workspace", "command": ["x", "{file}"]}]},
    {**STUDY, "tool": [{"name": "a", "via": "workspace", "preset": "aider", "seconds": 60}]},
    {**STUDY, "tool": [{"name": "a", "via": "files", "path": "answers/a"}]},
    {**STUDY, "tool": [{**TOOL, "price": {"input": 1, "output": 2.5, "as_of": "2026"}}]},
    {**STUDY, "tool": [{**TOOL, "price": {"input": 1}}]},
    {**STUDY, "tool": [{**TOOL, "temperature": "hot"}]},
    {**STUDY, "tool": [{**TOOL, "path": "x"}]},
    {**STUDY, "tool": [{**TOOL, "via": "telepathy"}]},
    {**STUDY, "tool": [{"name": "a", "via": "openai"}]},
    {**STUDY, "tool": [{**TOOL, "name": "a[1]"}]},
    {**STUDY, "tool": [{**TOOL, "stop": ["a", 3]}]},
    {**STUDY, "tool": [{**TOOL, "seconds": 0}]},
    {**STUDY, "tool": []},
    {**STUDY, "suites": []},
    {**STUDY, "suites": "starter-java"},
    {**STUDY, "samples": 0},
    {**STUDY, "sample": 5},
    {**STUDY, "vary": {"examples": []}},
    {**STUDY, "vary": {"mood": [1]}},
    {**STUDY, "prompt": {"examples": -1}},
    {**STUDY, "prompt": {"function_name": "mine"}},
    {**STUDY, "compare": {"margin": 0}},
    {**STUDY, "answers": ""},
]


@pytest.mark.parametrize("value", STUDIES, ids=lambda value: json.dumps(value)[:100])
def test_studies(tmp_path: Path, value: dict[str, Any]) -> None:
    path = tmp_path / "study.toml"
    path.write_text(_toml(value))
    try:
        read_study(path)
        read = True
    except PolyAssayError:
        read = False
    assert takes("study", value) == read


def _toml(value: dict[str, Any]) -> str:
    """Inline values, which TOML and JSON write alike but for their signs between."""
    return "".join(f"{key} = {_inline(one)}\n" for key, one in value.items())


def _inline(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_inline(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return json.dumps(value)
