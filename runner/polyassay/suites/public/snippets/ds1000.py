"""DS-1000: snippets that fill one place of a given program, judged by its variable `result`.

The publisher's code executes the program with the answer at `[insert]`, once for each input. Here
the answer's program is a function made here, which does that and returns `result`; the publisher's
own code calls it in place of exec. So the answer does not see the tests where values can cross.
"""

import ast
import re
from collections.abc import Sequence
from pathlib import Path

from polyassay.model import Language, Limits, Style, Suite, Task, Test
from polyassay.suites.make import make_suite
from polyassay.suites.manifest import find_file, load_manifest
from polyassay.suites.native.fields import Fields, shown
from polyassay.suites.text import read_jsonl

FILE = "ds1000.jsonl"
VALUES = "polyassay_values"
PLACE = "[insert]"
LIMITS = Limits(seconds=120.0, total_seconds=240.0, memory_mb=4096)  # 120 s are the publisher's
_EXECUTES = "exec(code, test_env)"
_CALLS = f'test_env["result"] = {VALUES}(test_env["test_input"])'
# What an answer's program ends with; SOLUTION, which it begins with, is the answer as a text.
_PROGRAM = """

PROGRAM = {context!r}.replace({place!r}, SOLUTION)
compile(PROGRAM, "<answer>", "exec")  # an answer that does not parse is not built


def {values}(test_input, text=False):
    if text:
        return SOLUTION
    scope = {{"test_input": test_input}}
    exec(PROGRAM, scope)
    return scope["result"]
"""


def read(path: Path, name: str | None) -> list[Suite]:
    """The released file, packed or not, or a folder that has it."""
    file = find_file(path, "ds1000.jsonl*")
    manifest, suite = load_manifest("ds1000"), name or "ds1000"
    rows = [Fields(f"{file}, line {number}", value) for number, value in read_jsonl(file)]
    pins = manifest.fields.text_map("pins")
    network = manifest.fields.texts("network")
    tasks = [_task(row, suite, tuple(pins), network) for row in rows]
    used = {library for task in tasks for library in task.libraries}
    wanted = tuple(pin for module, pin in pins.items() if module in used)
    return [
        make_suite(
            suite,
            tasks,
            version=manifest.version_of({FILE: file}),
            description=manifest.description,
            **manifest.about,
            libraries={"default": wanted} if wanted else {},
        )
    ]


def _task(row: Fields, suite: str, known: tuple[str, ...], network: Sequence[str]) -> Task:
    about, code = row.object("metadata"), row.text("code_context")
    identity = _number(about, "problem_id")
    if code.count(_EXECUTES) != 1:
        row.refuse("code_context", f"must have {_EXECUTES} once")
    context = _exec_context(row, code)
    suffix = _PROGRAM.format(context=context, place=PLACE, values=VALUES)
    tests = code.replace(_EXECUTES, _CALLS).strip()
    names = {"test_execution": '""', "test_string": f"{VALUES}(None, text=True)"}
    origin = _number(about, "perturbation_origin_id")
    return Task(
        id=identity,
        suite=suite,
        language=Language.PYTHON,
        style=Style.FUNCTION,
        prompts={"en": row.text("prompt")},
        tests=tuple(
            Test(name, f"{tests}\n\n\n{name}({given})\n")
            for name, given in names.items()
            if f"def {name}(" in code
        ),
        entry=VALUES,
        suffix=suffix,
        reference=f"SOLUTION = {row.text('reference_code')!r}{suffix}",
        libraries=tuple(module for module in known if _imports(module, f"{code}\n{context}")),
        tags=(about.text("library").lower(), about.text("perturbation_type").lower()),
        limits=LIMITS,
        needs_network=identity in network,
        cluster=f"ds1000/{about.text('library')}/{origin}",
        extra={"snippet": "quoted"},
    )


def _number(about: Fields, name: str) -> str:
    value = about.values.get(name)
    if isinstance(value, bool) or not isinstance(value, int):
        about.refuse(name, f"must be a whole number, found {shown(value)}")
    return str(value)


def _exec_context(row: Fields, code: str) -> str:
    """The text of the publisher's variable of that name."""
    try:
        body = ast.parse(code).body
    except SyntaxError:
        row.refuse("code_context", "must be Python")
    for node in body:
        match node:
            case ast.Assign([ast.Name("exec_context")], ast.Constant(str(text))) if PLACE in text:
                return text
    return row.refuse("code_context", f"must set exec_context to a text that has {PLACE}")


def _imports(module: str, source: str) -> bool:
    return re.search(rf"^\s*(?:from|import)\s+{module}\b", source, re.MULTILINE) is not None
