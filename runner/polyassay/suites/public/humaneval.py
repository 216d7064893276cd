"""HumanEval, and files of evalplus in its form: give the suite humaneval, or the file's name."""

from pathlib import Path

from polyassay.model import Language, Style, Suite, Task, Test
from polyassay.suites.make import make_suite
from polyassay.suites.manifest import find_file, load_manifest
from polyassay.suites.native.fields import Fields
from polyassay.suites.public.evalplus import base_and_plus
from polyassay.suites.text import read_jsonl

FILE = "HumanEval.jsonl"


def read(path: Path, name: str | None) -> list[Suite]:
    """The file, packed or not, or a folder that has it somewhere below."""
    file = find_file(path, f"{FILE}*")
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
            source=manifest.source,
        )
    ]


def _task(fields: Fields, suite: str) -> Task:
    """One check() of the publisher is one test; evalplus has two, its base and its plus inputs."""
    prompt, entry = fields.text("prompt"), fields.text("entry_point")
    reference = prompt + fields.text("canonical_solution")
    if "test" in fields.values:
        code = f"{fields.text('test').rstrip()}\n\ncheck({entry})\n"
        tests: tuple[Test, ...] = (Test("test_0", code),)
    else:
        tests = base_and_plus(fields, entry, reference)
    return Task(
        id=fields.text("task_id"),
        suite=suite,
        language=Language.PYTHON,
        style=Style.FUNCTION,
        prompts={"en": prompt},
        tests=tests,
        entry=entry,
        context=prompt,
        reference=reference,
    )
