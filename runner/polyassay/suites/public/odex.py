"""ODEX: four files, one per prompt language, give the one suite odex.

Its task_id is not unique, so a task is known by file and line: `en/0`.
"""

from pathlib import Path

from polyassay.errors import PolyAssayError
from polyassay.model import Language, Limits, Style, Suite, Task, Test
from polyassay.suites.make import make_suite
from polyassay.suites.manifest import find_file, load_manifest
from polyassay.suites.native.fields import Fields
from polyassay.suites.text import read_jsonl

LANGUAGES = ("en", "es", "ja", "ru")
# The reference of es/13 collects for ever, and its test takes any exception for success. So its
# time must be over before its memory is, however fast the machine.
LIMITS = Limits(memory_mb=4096)


def read(path: Path, name: str | None) -> list[Suite]:
    """A folder with the four files; a single file gives its part of the suite."""
    manifest, name = load_manifest("odex"), name or "odex"
    files = _files(path)
    offline = {str(task) for task in manifest.fields.object("needs").texts("network")}
    environments = manifest.fields.object("environments")
    tasks = [
        _task(Fields(f"{file}, line {number}", value), name, nl, number - 1, offline)
        for nl, file in files.items()
        for number, value in read_jsonl(file)
    ]
    return [
        make_suite(
            name,
            tasks,
            version=manifest.version_of({f"{nl}_test.jsonl": file for nl, file in files.items()}),
            description=manifest.description,
            **manifest.about,
            libraries={key: environments.texts(key) for key in environments.values},
        )
    ]


def _files(path: Path) -> dict[str, Path]:
    if path.is_dir():
        return {nl: find_file(path, f"{nl}_test.jsonl") for nl in LANGUAGES}
    for nl in LANGUAGES:
        if path.name.startswith(nl):
            return {nl: path}
    raise PolyAssayError(
        f"{path.name} does not tell the language of its prompts.",
        hint="keep the publisher's names, en_test.jsonl and its kin.",
    )


def _task(fields: Fields, suite: str, nl: str, line: int, offline: set[str]) -> Task:
    """A test is one element of the list `test`: the body of a check() of its own."""
    identity = f"{nl}/{line}"
    entry, start = fields.text("entry_point"), fields.text("test_start")
    imports, marker, head = start.rpartition("def check")
    if not marker:
        fields.refuse("test_start", "defines no check()")
    libraries = fields.texts("library")
    context, suffix = fields.text("prompt"), fields.text("suffix", "")
    canonical = fields.text("canonical_solution")
    domain = "open" if "import " in start else "closed"
    return Task(
        id=identity,
        suite=suite,
        language=Language.PYTHON,
        style=Style.FUNCTION,
        prompts={nl: fields.text("intent")},
        tests=tuple(
            Test(f"test_{i}", f"{marker}{head}{body}\ncheck({entry})\n")
            for i, body in enumerate(fields.texts("test"))
        ),
        entry=entry,
        context=context,
        suffix=suffix,
        setup=imports.strip(),
        reference=_spaced(context + canonical + suffix),
        libraries=libraries,
        tags=(domain, *(f"library:{library}" for library in libraries)),
        needs_network=identity in offline,
        cluster=f"odex/{fields.values.get('task_id', identity)}",
        limits=LIMITS,
        # Where it has tabs the reference has spaces, and a published few-shot prompt the tabs.
        extra={"canonical_solution": canonical} if "\t" in canonical else {},
    )


def _spaced(code: str) -> str:
    return code.replace("\t", "    ")
