"""Small suites and answer files for the readers' tests."""

import json
from pathlib import Path
from typing import Any

from polyassay.model import Language, Style, Suite, Task


def a_suite(name: str, *ids: str, prompts: dict[str, str] | None = None, **fields: Any) -> Suite:
    defaults: dict[str, Any] = {"language": Language.PYTHON, "style": Style.FUNCTION, "entry": "f"}
    tasks = (
        Task(id=i, suite=name, prompts=prompts or {"en": f"do {i}"}, **{**defaults, **fields})
        for i in ids
    )
    return Suite(name, "1", "sum", tuple(tasks))


def by_name(*suites: Suite) -> dict[str, Suite]:
    return {suite.name: suite for suite in suites}


def write(path: Path, *records: object) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def told(answers, *fields):
    """The named parts of every candidate."""
    return [
        tuple(
            getattr(c.key, name, None) if hasattr(c.key, name) else getattr(c, name)
            for name in fields
        )
        for c in answers.candidates
    ]
