"""BigCodeBench: functions that use many libraries, with a unittest class each.

A task has two prompts, which the publisher scores apart: `complete` (code to continue) and
`instruct` (a text). So there are two suites, with the same tests. The publisher writes answer and
tests into one file; here the tests begin with an import of all that the answer's module has, and
give it what they import and define (the reference of 36 uses what only its tests import). What
they patch by their own module's name is the answer's (593).
"""

import ast
import re
from collections.abc import Sequence
from pathlib import Path

from polyassay.errors import PolyAssayError
from polyassay.model import NAMED, Language, Limits, Style, Suite, Task, Test
from polyassay.suites.make import make_suite
from polyassay.suites.manifest import Manifest, find_file, load_manifest
from polyassay.suites.native.fields import Fields
from polyassay.suites.text import read_jsonl, read_text

FILE, HARD = "BigCodeBench.jsonl.gz", "BigCodeBench-Hard.jsonl"
JOINED = "from answer import *\n__name__ = 'answer'\n\n"
SHARED = """

import answer as polyassay_answer

vars(polyassay_answer).update(
    {name: value for name, value in globals().items() if not name.startswith("__")}
)
"""
TESTS = "TestCases"  # the one class that the publisher's evaluator loads
LIMITS = Limits(seconds=60.0, total_seconds=240.0, memory_mb=4096)  # 240 s are the publisher's
_OF_HARD = "q_idx"  # a field that rows of the publisher's Hard file have


def read(path: Path, name: str | None) -> list[Suite]:
    """A released file (all or Hard), a checkout that has one, or a list of ids beside it.

    A list is a text file with an id a line; its name is part of the suites' names.
    """
    listed = path if path.suffix == ".txt" else None
    file = find_file(path.parent if listed else path, FILE)
    rows = [Fields(f"{file}, line {number}", value) for number, value in read_jsonl(file)]
    if listed:
        rows = _chosen(rows, listed)
    hard = _OF_HARD in rows[0].values
    subset = f"-{listed.stem}" if listed else "-hard" if hard else ""
    manifest, name = load_manifest("bigcodebench"), name or f"bigcodebench{subset}"
    version = manifest.version_of({HARD if hard else FILE: file})
    part = f"; here {len(rows)} of them" if subset else ""
    prompts = {"complete": "complete_prompt", "instruct": "instruct_prompt"}
    return [
        make_suite(
            f"{name}-{split}",
            [_task(row, f"{name}-{split}", row.text(field), manifest) for row in rows],
            version=version,
            description=f"{manifest.description}{part} ({split})",
            **manifest.about,
            libraries={"default": manifest.fields.texts("libraries")},
        )
        for split, field in prompts.items()
    ]


def _chosen(rows: Sequence[Fields], listed: Path) -> list[Fields]:
    """The rows of a list, in the file's order; each of its ids must be there."""
    ids = set(read_text(listed).split())
    found = [row for row in rows if row.text("task_id") in ids]
    if missing := sorted(ids - {row.text("task_id") for row in found}):
        raise PolyAssayError(
            f"{listed} has ids that no task has, such as {missing[0]}.",
            "write one id a line, as the publisher does: BigCodeBench/13.",
        )
    if not found:
        raise PolyAssayError(f"{listed} has no ids.", "write one id a line: BigCodeBench/13.")
    return found


def _task(row: Fields, suite: str, prompt: str, manifest: Manifest) -> Task:
    identity, entry = row.text("task_id"), row.text("entry_point")
    test, given = row.text("test"), row.text("code_prompt")
    reference = given + row.text("canonical_solution")
    return Task(
        id=identity,
        suite=suite,
        language=Language.PYTHON,
        style=Style.PYTEST,
        prompts={"en": prompt},
        tests=_tests(row, test),
        entry=entry,
        context=row.text("complete_prompt"),
        test_source=JOINED + test + SHARED,
        reference=reference,
        libraries=_libraries(f"{reference}\n{test}", manifest.fields.texts("imports")),
        limits=LIMITS,
        cluster=identity.lower(),
        needs_network=identity in manifest.fields.texts("network"),
        extra={NAMED: "yes"},  # to collect 2280 files with their libraries would take hours
    )


def _tests(row: Fields, source: str) -> tuple[Test, ...]:
    """The class's methods by their names, as unittest finds and orders them."""
    try:
        classes = [node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)]
    except SyntaxError:
        row.refuse("test", "must be Python")
    methods = {
        item.name
        for node in classes
        if node.name == TESTS
        for item in node.body
        if isinstance(item, ast.FunctionDef) and item.name.startswith("test")
    }
    if not methods:
        row.refuse("test", f"must have a class {TESTS} with tests")
    return tuple(Test(f"{TESTS}::{name}") for name in sorted(methods))


def _libraries(source: str, known: Sequence[str]) -> tuple[str, ...]:
    """What the reference and its tests import, of what the environment has."""
    used = set(re.findall(r"^\s*(?:from|import)\s+(\w+)", source, re.MULTILINE))
    return tuple(module for module in known if module in used)
