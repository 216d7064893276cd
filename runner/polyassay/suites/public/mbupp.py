"""MBUPP: four files give mbupp-mbpp, mbupp-nl, mbupp-tests and mbupp.

A task is solved by any function that passes all assertions of any one set, so the assertions'
own name for the function gives way to `f`.
"""

import re
from pathlib import Path

from polyassay.errors import PolyAssayError
from polyassay.model import Language, Style, Suite, Task, Test
from polyassay.suites.families import question
from polyassay.suites.make import make_suite
from polyassay.suites.manifest import Manifest, load_manifest
from polyassay.suites.native.fields import Fields
from polyassay.suites.text import parse_json, read_text

FILES = {
    "MBPP.json": "mbupp-mbpp",
    "MBPP_UpdatedNL.json": "mbupp-nl",
    "MBPP_UpdatedTC.json": "mbupp-tests",
    "MBUPP-MBPP_UpdatedNL_TC.json": "mbupp",
}
_CALL = re.compile(r"\s*assert\s+\w+\s*\(")


def read(path: Path, name: str | None) -> list[Suite]:
    """One suite a file: all that a folder has, or a single one."""
    files = sorted(path.rglob("*.json")) if path.is_dir() else [path]
    known = [file for file in files if file.name in FILES or not path.is_dir()]
    if not known:
        raise PolyAssayError(
            f"{path} has none of {', '.join(FILES)}.", "check the path after --from."
        )
    if name and len(known) > 1:
        raise PolyAssayError(
            f'{path} has {len(known)} suites, which cannot all be called "{name}".',
            "leave --as out, or give one file after --from.",
        )
    manifest = load_manifest("mbupp")
    return [_suite(file, name or FILES.get(file.name, file.stem), manifest) for file in known]


def _suite(file: Path, name: str, manifest: Manifest) -> Suite:
    values = parse_json(read_text(file), str(file))
    if not isinstance(values, list):
        raise PolyAssayError(f"{file}: must be a list of tasks.", "check the path after --from.")
    rows = [Fields(f"{file}, item {number}", value) for number, value in enumerate(values, 1)]
    return make_suite(
        name,
        [_task(row, name) for row in rows],
        version=manifest.version_of({file.name: file}),
        description=manifest.description,
        **manifest.about,
    )


def _task(fields: Fields, suite: str) -> Task:
    sets = fields.object("updated_test_list")
    return Task(
        id=str(fields.values.get("task_id", "")) or fields.text("task_id"),
        suite=suite,
        language=Language.PYTHON,
        style=Style.SETS,
        prompts={"en": fields.text("text")},
        tests=tuple(
            Test(f"{name}/test_{i}", _expression(assertion))
            for name in sets.values
            for i, assertion in enumerate(sets.texts(name))
        ),
        reference=fields.text("code"),
        cluster=question(str(fields.values.get("task_id", "")), "mbpp"),
    )


def _expression(assertion: str) -> str:
    """`assert name(…) == x` → `f(…) == x`; some literals parse neither before nor after."""
    return _CALL.sub("f(", assertion, count=1).strip()
