"""APPS, as codeparrot publishes it: programs, and functions where `fn_name` is given."""

from pathlib import Path
from typing import Any

from polyassay.model import Suite, Task
from polyassay.suites.native.fields import Fields
from polyassay.suites.public.contests.cases import method_task, parsed, program_task
from polyassay.suites.public.contests.released import read_released


def read(path: Path, name: str | None) -> list[Suite]:
    """A file of one split, or a folder that has one."""
    return read_released("apps", path, name, _task, lambda row: bool(row.text("input_output", "")))


def _task(row: Fields, suite: str) -> Task:
    """Rows without tests were left out before."""
    task = row.values.get("problem_id", row.values.get("id"))
    if not isinstance(task, int | str):
        row.refuse("problem_id", "is missing")
    question = row.text("question")
    cases = parsed(row, "input_output", row.text("input_output"))
    inputs, outputs = (_list(row, cases, field) for field in ("inputs", "outputs"))
    if not inputs or len(inputs) != len(outputs):
        row.refuse("input_output", "must have as many outputs as inputs, and at least one")
    function = cases.get("fn_name")
    if function:
        pairs = [
            (given if isinstance(given, list) else [given], _only(wanted))
            for given, wanted in zip(inputs, outputs, strict=True)
        ]
        return method_task(row, suite, str(task), question, str(function), pairs)
    texts = [(_text(a), _text(b)) for a, b in zip(inputs, outputs, strict=True)]
    return program_task(row, suite, str(task), question, texts)


def _list(row: Fields, cases: Any, name: str) -> list[Any]:
    found = cases.get(name) if isinstance(cases, dict) else None
    if not isinstance(found, list):
        row.refuse("input_output", f"must have a list of {name}")
    return found


def _only(wanted: Any) -> Any:
    """Results are published in a list of one."""
    return wanted[0] if isinstance(wanted, list) and len(wanted) == 1 else wanted


def _text(value: Any) -> str:
    """A list is lines."""
    return "\n".join(map(str, value)) if isinstance(value, list) else str(value)
