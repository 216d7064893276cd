"""What a task that asks for a notebook's cell has besides; kept as text in the task's `extra`."""

import json
from dataclasses import dataclass

from polyassay.comparison import AnswerType
from polyassay.errors import PolyAssayError
from polyassay.model import Task, Test

OUTPUT = Test("output")  # the only test of a cell
MISSING = "missing"  # in `extra`: what a suite lacks, so that the cell cannot be judged


@dataclass(frozen=True, slots=True)
class Cell:
    context: tuple[str, ...]  # the code cells before it
    answer_type: AnswerType
    accepted: tuple[str, ...]  # outputs, any of which is right

    def to_extra(self) -> dict[str, str]:
        return {
            "cells": json.dumps(self.context, ensure_ascii=False),
            "answer_type": str(self.answer_type),
            "accepted": json.dumps(self.accepted, ensure_ascii=False),
        }


def cell_of(task: Task) -> Cell:
    """The task's cell; a suite written by hand may have it wrong."""
    try:
        return Cell(
            _texts(task.extra.get("cells", "[]")),
            AnswerType(task.extra.get("answer_type", AnswerType.TEXT)),
            _texts(task.extra["accepted"]),
        )
    except (KeyError, ValueError) as error:
        raise PolyAssayError(
            f'Task "{task.id}" of {task.suite} is no cell that can be judged: {error}.',
            'its "extra" needs "accepted" and "cells", JSON lists of texts, and "answer_type".',
        ) from None


def _texts(text: str) -> tuple[str, ...]:
    found = json.loads(text)
    if not isinstance(found, list) or not all(isinstance(item, str) for item in found):
        raise ValueError("a list of texts was expected")
    return tuple(found)
