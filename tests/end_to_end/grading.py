"""A folder to grade in, and the command that does."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from polyassay.cli import polyassay
from polyassay.errors import PolyAssayError
from polyassay.suites.native import jsonl as native
from polyassay.suites.registry import Registry

TASKS = 161


def grading_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with 161 tasks that only people grade."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "tasks.jsonl"
    prompts = [{"en": f"Do {n}"} if n else {"en": "Do", "zh": "做"} for n in range(TASKS)]
    file.write_text(
        "".join(
            json.dumps({"id": f"t{n}", "language": "python", "style": "rubric", "prompts": texts})
            + "\n"
            for n, texts in enumerate(prompts)
        )
    )
    (suite,) = native.read(file, "manual")
    Registry(tmp_path / ".polyassay").add(suite)
    return tmp_path


def grade(*arguments: str, keys: str | None = None) -> Result:
    result = CliRunner().invoke(polyassay, ["grade", *arguments], input=keys)
    if result.exception and not isinstance(result.exception, SystemExit | PolyAssayError):
        raise result.exception
    return result
