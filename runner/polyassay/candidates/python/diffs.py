"""Answers to a task of one file that change the given code, or say the new code as a diff."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from polyassay.candidates.solution.changes import changes_in
from polyassay.candidates.solution.edits import Misfit, changed_files
from polyassay.model import Language, Task

FILE = "answer.py"


def new_sides(task: Task, text: str) -> Iterator[str]:
    """The task's context with the changes made, or else what they put in."""
    changes = [replace(change, path="") for change in changes_in(text, Language.PYTHON)]
    if task.context and any(change.search.strip() for change in changes):
        with suppress(Misfit):
            yield changed_files(replace(task, solution={FILE: task.context}), changes, {})[FILE]
    if changes:
        yield "".join(change.replace for change in changes)
