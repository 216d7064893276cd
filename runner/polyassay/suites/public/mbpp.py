"""MBPP, whole or sanitized: gives the suite mbpp, or the file's name; takes evalplus' MBPP+ too."""

import ast
from pathlib import Path

from polyassay.model import Language, Style, Suite, Task, Test
from polyassay.suites.families import question
from polyassay.suites.make import make_suite
from polyassay.suites.manifest import find_file, load_manifest
from polyassay.suites.native.fields import Fields
from polyassay.suites.public import evalplus
from polyassay.suites.text import parse_json, read_jsonl, read_text

FILES = ("mbpp.jsonl", "sanitized-mbpp.json")


def read(path: Path, name: str | None) -> list[Suite]:
    """A file of either form, or a folder that has one somewhere below."""
    whole = not path.is_dir() or any(path.rglob(FILES[0]))
    file = find_file(path, FILES[0] if whole else FILES[1])
    if not read_text(file).lstrip().startswith("[") and evalplus.has_inputs(file):
        return [evalplus.read_file(file, name)]
    suite = (name or ("mbpp" if file.name in FILES else file.name.partition(".")[0])).lower()
    manifest = load_manifest("mbpp")
    return [
        make_suite(
            suite,
            [_task(fields, suite) for fields in _rows(file)],
            version=manifest.version_of({file.name: file}),
            description=manifest.description,
            **manifest.about,
        )
    ]


def _rows(file: Path) -> list[Fields]:
    text = read_text(file)
    if text.lstrip().startswith("["):
        values = parse_json(text, str(file))
        assert isinstance(values, list)
        return [Fields(f"{file}, item {i}", value) for i, value in enumerate(values, start=1)]
    return [Fields(f"{file}, line {number}", value) for number, value in read_jsonl(file)]


def _task(fields: Fields, suite: str) -> Task:
    """Each assertion is one test; the entry is the function of the code that they call."""
    prompt = fields.text("text", "") or fields.text("prompt")
    number = fields.values.get("task_id")
    code = fields.text("code").replace("\r\n", "\n")
    assertions = fields.texts("test_list")
    entry = entry_of(code, assertions)
    if not entry:
        fields.refuse("test_list", "calls no function that the code defines")
    imports = "\n".join(fields.texts("test_imports"))
    return Task(
        id=str(number) if isinstance(number, int) else fields.text("task_id"),
        suite=suite,
        language=Language.PYTHON,
        style=Style.FUNCTION,
        prompts={"en": prompt},
        tests=tuple(Test(f"test_{i}", assertion) for i, assertion in enumerate(assertions)),
        entry=entry,
        cluster=question(str(number), "mbpp"),
        setup="\n".join(filter(None, (imports, fields.text("test_setup_code", "")))),
        reference=code,
    )


def entry_of(code: str, assertions: tuple[str, ...]) -> str:
    """The name that tests call and the code defines; empty where there is none."""
    try:
        body = ast.parse(code).body
        called = [
            node.func.id
            for assertion in assertions
            for node in ast.walk(ast.parse(assertion.strip()))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        ]
    except (SyntaxError, ValueError):
        return ""
    defined = {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    return next((name for name in called if name in defined), "")
