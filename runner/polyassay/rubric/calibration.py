"""Calibration items: answers whose right scores a team has agreed on beforehand."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from polyassay.errors import PolyAssayError
from polyassay.model import Task
from polyassay.rubric.rubrics import Rubric
from polyassay.store.graders import Calibration, calibration_key

HINT = 'A line is {"suite", "task", "answer", "scores": {DIMENSION: POINTS}, "reason"}.'
KNOWN = {"suite", "task", "prompt_language", "answer", "scores", "reason"}

TasksOf = Callable[[str], Mapping[str, Task] | None]


def read_calibration(text: str, place: str, rubric: Rubric, tasks_of: TasksOf) -> list[Calibration]:
    """Every line of a JSONL file; one that is wrong refuses the file."""
    numbers: Counter[tuple[str, str, str]] = Counter()
    found = []
    for line, row in enumerate(text.splitlines(), start=1):
        if row.strip():
            item = _item(row, f"{place}, line {line}", rubric, tasks_of, numbers)
            found.append(item)
    if not found:
        raise PolyAssayError(f"{place} has no calibration items.", HINT)
    return found


def _item(
    row: str, place: str, rubric: Rubric, tasks_of: TasksOf, numbers: Counter[tuple[str, str, str]]
) -> Calibration:
    try:
        values: Any = json.loads(row)
    except (json.JSONDecodeError, RecursionError):
        raise PolyAssayError(f"{place}: this is not JSON.", HINT) from None
    if not isinstance(values, dict) or not {"suite", "task", "answer", "scores"} <= values.keys():
        raise PolyAssayError(f"{place}: suite, task, answer and scores are needed.", HINT)
    if strange := values.keys() - KNOWN:
        raise PolyAssayError(f'{place}: "{min(strange)}" is not known here.', HINT)
    suite, task, answer = (values[name] for name in ("suite", "task", "answer"))
    language, reason = values.get("prompt_language", ""), values.get("reason", "")
    if not all(isinstance(value, str) for value in (suite, task, answer, language, reason)):
        raise PolyAssayError(f"{place}: suite, task, answer and reason must be texts.", HINT)
    known = (tasks_of(suite) or {}).get(task)
    if known is None:
        raise PolyAssayError(f'{place}: there is no task "{task}" in a suite "{suite}".', HINT)
    if language and language not in known.prompts:
        raise PolyAssayError(f'{place}: the task has no prompt in "{language}".', HINT)
    language = language or next(iter(known.prompts), "en")
    number = numbers[suite, task, language]
    numbers[suite, task, language] += 1
    key = calibration_key(suite, task, language, number)
    return Calibration(key, answer, _scores(values["scores"], place, rubric), reason)


def _scores(given: object, place: str, rubric: Rubric) -> dict[str, int]:
    if not isinstance(given, dict) or given.keys() != rubric.scales.keys():
        names = ", ".join(rubric.scales)
        raise PolyAssayError(f"{place}: scores are needed for {names}, and no others.", HINT)
    for name, score in given.items():
        low, high = rubric.scales[name]
        if not isinstance(score, int) or isinstance(score, bool) or not low <= score <= high:
            raise PolyAssayError(f"{place}: {name} must be {low} to {high}, found {score!r}.", HINT)
    return dict(given)
