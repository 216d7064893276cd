"""ClassEval: 100 Python classes with unittest classes, from ClassEval_data.json.

The publisher writes answer and tests into one file, so that tests see whatever the answer imports;
here the tests begin with an import of all that the answer's module has.
"""

import re
from pathlib import Path

from polyassay.errors import PolyAssayError
from polyassay.model import Language, Style, Suite, Task
from polyassay.suites.make import make_suite
from polyassay.suites.manifest import Manifest, find_file, load_manifest
from polyassay.suites.native.fields import Fields
from polyassay.suites.text import parse_json, read_text

FILE = "ClassEval_data.json"
JOINED = "from answer import *\n\n"
IMPORT = re.compile(r"^\s*(?:from|import)\s+(\w+)", re.MULTILINE)


def read(path: Path, name: str | None) -> list[Suite]:
    """The file, or a checkout that has it somewhere below."""
    manifest, file = load_manifest("classeval"), find_file(path, FILE)
    name = name or "classeval"
    rows = parse_json(read_text(file), str(file))
    if not isinstance(rows, list) or not rows:
        raise PolyAssayError(f"{file} is no list of classes.", f"--from takes {FILE}.")
    tasks = [
        _task(Fields(f"{file}, item {index}", row), name, manifest)
        for index, row in enumerate(rows)
    ]
    return [
        make_suite(
            name,
            tasks,
            version=manifest.version_of({FILE: file}),
            description=manifest.description,
            **manifest.about,
            libraries={"default": manifest.fields.texts("libraries")},
        )
    ]


def _task(fields: Fields, suite: str, manifest: Manifest) -> Task:
    skeleton, solution, test = (fields.text(key) for key in ("skeleton", "solution_code", "test"))
    known = manifest.fields.texts("imports")
    used = set(IMPORT.findall(f"{solution}\n{test}"))
    return Task(
        id=fields.text("task_id"),
        suite=suite,
        language=Language.PYTHON,
        style=Style.PYTEST,
        prompts={"en": skeleton},
        entry=fields.text("class_name"),
        context=skeleton,
        test_source=JOINED + test,
        reference=solution,
        libraries=tuple(library for library in known if library in used),
        needs_network=fields.text("task_id") in manifest.fields.texts("network"),
    )
