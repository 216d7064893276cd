"""How tests call the real command line."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent

PolyAssay = Callable[..., subprocess.CompletedProcess[str]]


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "polyassay", *arguments]


def environment(**more: str) -> dict[str, str]:
    paths = os.pathsep.join(str(ROOT / part) for part in ("runner", "python-harness"))
    return os.environ | {"PYTHONPATH": paths} | more


def write_jsonl(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path
