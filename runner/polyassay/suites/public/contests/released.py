"""Contests' suites are released as one file of JSON lines, a task each."""

from collections.abc import Callable
from pathlib import Path

from polyassay.model import Suite, Task
from polyassay.suites.make import make_suite
from polyassay.suites.manifest import find_file, load_manifest
from polyassay.suites.native.fields import Fields
from polyassay.suites.text import read_jsonl


def read_released(
    kind: str,
    path: Path,
    name: str | None,
    task: Callable[[Fields, str], Task],
    has_tests: Callable[[Fields], bool] = lambda _: True,
) -> list[Suite]:
    """The suite in a released file, or in a folder that has one; only rows with tests."""
    file = find_file(path, "*.jsonl*")
    manifest, suite = load_manifest(kind), name or kind
    rows = [Fields(f"{file}, line {number}", value) for number, value in read_jsonl(file)]
    return [
        make_suite(
            suite,
            [task(row, suite) for row in rows if has_tests(row)],
            version=manifest.version_of({file.name: file}),
            description=manifest.description,
            **manifest.about,
        )
    ]
