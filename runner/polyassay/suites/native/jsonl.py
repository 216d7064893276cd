"""Native suites: a JSONL file, one task a line; or a folder per task, which folder.py reads."""

from pathlib import Path

from polyassay.errors import PolyAssayError
from polyassay.model import Suite, Task
from polyassay.suites.java.sources import complete
from polyassay.suites.java.support import answers_in_support
from polyassay.suites.make import make_suite
from polyassay.suites.native import folder
from polyassay.suites.native.fields import Fields
from polyassay.suites.native.mistakes import refuse_what_cannot_run
from polyassay.suites.native.task_json import task_of_author
from polyassay.suites.text import read_jsonl


def read(path: Path, name: str | None) -> list[Suite]:
    """The suite in a JSONL file, or in a folder that has a suite.toml."""
    if path.is_dir():
        return folder.read(path, name)
    name = name or path.name.removesuffix(".jsonl")
    return [make_suite(name, read_tasks(path, name), source=path.name)]


def read_tasks(path: Path, suite: str) -> list[Task]:
    """All tasks of a file, or an error with what is wrong in each line."""
    places: dict[str, str] = {}
    tasks: list[Task] = []
    mistakes: list[PolyAssayError] = []
    for number, value in read_jsonl(path):
        fields = Fields(f"{path}, line {number}", value)
        if {"task", "answer"} <= fields.values.keys() and "language" not in fields.values:
            raise PolyAssayError(
                f"{path} holds answers, and no tasks.",
                f"`polyassay run -s SUITE -c {path}` judges them.",
            )
        try:
            task = task_of_author(fields, suite)
            refuse_what_cannot_run(fields, task)
            if task.id in places:
                fields.refuse("id", f'repeats "{task.id}", which another line has')
        except PolyAssayError as mistake:
            mistakes.append(mistake)
            continue
        places[task.id] = fields.where
        tasks.append(task)
    mistakes += answers_in_support(tasks, places)
    return complete(tasks, places, mistakes)
