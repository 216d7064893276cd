"""NumpyEval and PandasEval: functions as in HumanEval, and snippets without an entry function.

A snippet's program is the publisher's lines, the answer, and a function made here that returns the
variables that the tests look at: through it the values cross to the judge where they can.
"""

import ast
import re
from pathlib import Path

from polyassay.model import Language, Style, Suite, Task, Test
from polyassay.suites.make import make_suite
from polyassay.suites.manifest import find_file, load_manifest
from polyassay.suites.native.fields import Fields
from polyassay.suites.text import read_jsonl

VALUES = "polyassay_values"  # the function that a snippet's program ends with
_NO_ENTRY = "none"
_NOT_PLAIN = "values of numpy that are no plain arrays"
_STRUCTURED = re.compile(r"\b(?:recarray|records|fromarrays)\b|dtype\s*=\s*(?:\[|dtype\b)")
_IMPORT = re.compile(r"^(?:import|from)\s.*$", re.MULTILINE)


def read_numpyeval(path: Path, name: str | None) -> list[Suite]:
    return _read(path, name, "NumpyEval")


def read_pandaseval(path: Path, name: str | None) -> list[Suite]:
    return _read(path, name, "PandasEval")


def _read(path: Path, name: str | None, title: str) -> list[Suite]:
    """The file, packed or not, or a folder that has it somewhere below."""
    kind, file = title.lower(), find_file(path, f"{title}.jsonl*")
    manifest, suite = load_manifest(kind), name or kind
    rows = [Fields(f"{file}, line {number}", value) for number, value in read_jsonl(file)]
    return [
        make_suite(
            suite,
            [_task(row, suite, title) for row in rows],
            version=manifest.version_of({f"{title}.jsonl.gz": file}),
            description=manifest.description,
            **manifest.about,
            libraries={"default": manifest.fields.object("environments").texts("default")},
        )
    ]


def _task(row: Fields, suite: str, title: str) -> Task:
    prompt, test, entry = (row.text(field) for field in ("prompt", "test", "entry_point"))
    if not row.text("task_id").startswith(f"{title}/"):
        row.refuse("task_id", f"must begin with {title}/")
    if not re.search(r"^def check\(", test, re.MULTILINE):
        row.refuse("test", "must define check")
    solution = row.texts("canonical_solution")[0]
    names = () if entry != _NO_ENTRY else _looked_at(row, prompt + solution, test)
    suffix = _suffix(names) if names else ""
    return Task(
        id=row.text("task_id"),
        suite=suite,
        language=Language.PYTHON,
        style=Style.FUNCTION,
        prompts={"en": prompt},
        tests=(Test("test_0", _snippet_test(test, names) if names else _called(test, entry)),),
        entry=VALUES if names else entry,
        context=prompt,
        suffix=suffix,
        setup="\n".join(_IMPORT.findall(prompt)),
        reference=prompt + solution + suffix,
        libraries=tuple(lib for lib in ("numpy", "pandas") if re.search(rf"\b{lib}\b", prompt)),
        together_because=_NOT_PLAIN if _STRUCTURED.search(prompt + solution + test) else "",
        extra={"snippet": "yes"} if names else {},
    )


def _called(test: str, entry: str) -> str:
    return f"{test.strip()}\n\ncheck({entry})\n"


def _looked_at(row: Fields, program: str, test: str) -> tuple[str, ...]:
    """The variables of a snippet that its test reads."""
    made = [node.id for node in _names(program) if isinstance(node.ctx, ast.Store)]
    if not made:
        row.refuse("canonical_solution", "must continue the prompt, as Python, to a variable")
    own = {node.id for node in _names(test) if isinstance(node.ctx, ast.Store)}
    reads = [node.id for node in _names(test) if node.id not in own]
    if not reads:  # a test that does not parse, PandasEval/36: no answer passes it
        return (made[-1],)
    found = tuple(dict.fromkeys(name for name in reads if name in made))
    return found or row.refuse("test", "must look at a variable of the program")


def _names(source: str) -> list[ast.Name]:
    """None where the source does not parse."""
    try:
        return [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)]
    except SyntaxError:
        return []


def _suffix(names: tuple[str, ...]) -> str:
    return f"\n\n\ndef {VALUES}():\n    return ({', '.join(names)},)\n"


def _snippet_test(test: str, names: tuple[str, ...]) -> str:
    call = "check()" if "def check()" in test else "check(None)"  # PandasEval/29 takes one
    return f"({', '.join(names)},) = {VALUES}()\n{test.strip()}\n\n{call}\n"
