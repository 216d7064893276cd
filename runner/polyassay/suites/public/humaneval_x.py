"""HumanEval-X, its Java file: gives the suite humaneval-x-java."""

from pathlib import Path

from polyassay.model import Suite
from polyassay.suites.make import make_suite
from polyassay.suites.manifest import find_file, load_manifest
from polyassay.suites.native.fields import Fields
from polyassay.suites.public.java_main import JavaMainRow, tasks_of
from polyassay.suites.text import read_jsonl

FILE = "humaneval_java.jsonl"


def read(path: Path, name: str | None) -> list[Suite]:
    """The file, or a folder that has it somewhere below."""
    manifest, file = load_manifest("humaneval-x"), find_file(path, f"{FILE}*")
    name = name or "humaneval-x-java"
    rows = []
    for number, value in read_jsonl(file):
        fields = Fields(f"{file}, line {number}", value)
        given = {key: fields.text(key) for key in ("prompt", "test", "canonical_solution")}
        rows.append(JavaMainRow(fields, fields.text("task_id"), **given))
    return [
        make_suite(
            name,
            tasks_of(rows, name),
            version=manifest.version_of({FILE: file}),
            description=manifest.description,
            **manifest.about,
        )
    ]
