"""Which kind of suite a file looks like, so that a refusal can name the kind that takes it."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from polyassay.errors import PolyAssayError
from polyassay.suites.text import read_text

# kind → fields that its rows have and that rows of the kinds below it lack.
_FIELDS: Mapping[str, tuple[str, ...]] = {
    "evalplus": ("task_id", "entry_point", "base_input", "plus_input"),
    "mbupp": ("task_id", "updated_test_list"),
    "mbpp": ("task_id", "code", "test_list"),
    "multipl-e": ("name", "language", "prompt", "tests", "stop_tokens"),
    "odex": ("task_id", "intent", "test_start", "suffix"),
    "ds1000": ("prompt", "reference_code", "code_context", "metadata"),
    "bigcodebench": ("task_id", "complete_prompt", "instruct_prompt", "test", "libs"),
    "classeval": ("task_id", "skeleton", "test", "methods_info"),
    "leetcode": ("task_id", "entry_point", "starter_code", "test"),
    "livecodebench": ("question_id", "question_content", "public_test_cases"),
    "apps": ("question", "input_output", "difficulty"),
    "mxeval": ("task_id", "prompt", "test", "language", "entry_point"),
    "humaneval": ("task_id", "prompt", "entry_point", "canonical_solution", "test"),
    "native": ("id", "language", "style", "tests"),
}
_BY_ID = {"Java/": "humaneval-x", "NumpyEval/": "numpyeval", "PandasEval/": "pandaseval"}
# kind → what a checkout or folder of it has, any of them.
_PLACES: Mapping[str, tuple[str, ...]] = {
    "aider-polyglot": ("java/exercises/practice", "python/exercises/practice"),
    "aixbench": ("src/main/java/com/aixcode",),
    "exeds": ("exeds_test.json", "ExeDS_notebooks"),
    "native": ("suite.toml",),
}
_ENDINGS = (".jsonl", ".jsonl.gz", ".json", ".json.gz")
_MOST_FILES = 20  # of a folder that are looked at


def likely_kind(path: Path) -> str:
    """By what a folder has, or the fields of the first row; empty where no kind has such."""
    folder = path if path.is_dir() else path.parent
    for kind, places in _PLACES.items():
        if any((folder / place).exists() for place in places if path in (folder, folder / place)):
            return kind
    for file in _files(path):
        row = _first_row(file)
        if kind := _kind_of(row):
            return kind
    return ""


def _kind_of(row: Mapping[str, Any]) -> str:
    task = row.get("task_id")
    if isinstance(task, str) and "prompt" in row:
        for start, kind in _BY_ID.items():
            if task.startswith(start):
                return kind
    return next((k for k, names in _FIELDS.items() if all(name in row for name in names)), "")


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    found = (file for file in sorted(path.rglob("*")) if file.name.endswith(_ENDINGS))
    for _, file in zip(range(_MOST_FILES), found, strict=False):
        yield file


def _first_row(file: Path) -> Mapping[str, Any]:
    """Of JSON lines, or of a JSON list or object of objects; empty for anything else."""
    try:
        text = read_text(file).lstrip()
        value = json.loads(text.partition("\n")[0] if text.startswith('{"') else text)
    except (PolyAssayError, ValueError, RecursionError):
        return {}
    while isinstance(value, list) and value:
        value = value[0]
    return value if isinstance(value, dict) else {}
