"""HumanEval: gives the suite humaneval, or the file's name; evalplus' files are taken as well."""

import re
from pathlib import Path

from polyassay.model import Language, Style, Suite, Task, Test
from polyassay.suites.families import question
from polyassay.suites.make import make_suite
from polyassay.suites.manifest import find_file, load_manifest
from polyassay.suites.native.fields import Fields
from polyassay.suites.public import evalplus
from polyassay.suites.text import read_jsonl

FILE = "HumanEval.jsonl"


def read(path: Path, name: str | None) -> list[Suite]:
    """The file, packed or not, or a folder that has it somewhere below."""
    file = find_file(path, f"{FILE}*")
    if evalplus.has_inputs(file):
        return [evalplus.read_file(file, name)]
    name = name or ("humaneval" if file.name.startswith(FILE) else file.name.partition(".")[0])
    tasks = [
        _task(Fields(f"{file}, line {number}", value), name.lower())
        for number, value in read_jsonl(file)
    ]
    manifest = load_manifest("humaneval")
    return [
        make_suite(
            name.lower(),
            tasks,
            version=manifest.version_of({FILE: file}),
            description=manifest.description,
            **manifest.about,
        )
    ]


def _task(fields: Fields, suite: str) -> Task:
    """One check() of the publisher is one test."""
    prompt, entry, test = (fields.text(name) for name in ("prompt", "entry_point", "test"))
    if not re.search(r"^def check\(", test, re.MULTILINE):
        fields.refuse("test", "must define check(candidate), as HumanEval's do")
    return Task(
        id=fields.text("task_id"),
        suite=suite,
        language=Language.PYTHON,
        style=Style.FUNCTION,
        prompts={"en": prompt},
        tests=(Test("test_0", f"{test.rstrip()}\n\ncheck({entry})\n"),),
        entry=entry,
        context=prompt,
        cluster=question(fields.text("task_id")),
        reference=prompt + fields.text("canonical_solution"),
    )
