"""LiveCodeBench's code generation: programs, and methods of a class Solution."""

import base64
import binascii
import io
import pickle
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from polyassay.model import Suite, Task
from polyassay.suites.native.fields import Fields
from polyassay.suites.public.contests.cases import method_task, parsed, program_task
from polyassay.suites.public.contests.released import read_released

FUNCTIONAL = "functional"


def read(path: Path, name: str | None) -> list[Suite]:
    """A release's file, or a folder that has one."""
    return read_released("livecodebench", path, name, _task)


def _task(row: Fields, suite: str) -> Task:
    """Public tests first, then the private ones, as the publisher judges by both."""
    task, prompt = row.text("question_id"), row.text("question_content")
    cases = [*_cases(row, "public_test_cases"), *_cases(row, "private_test_cases")]
    if not cases:
        row.refuse("public_test_cases", "must have a test")
    if cases[0].text("testtype") != FUNCTIONAL:
        pairs = [(case.text("input", ""), case.text("output", "")) for case in cases]
        return program_task(row, suite, task, prompt, pairs)
    metadata = parsed(row, "metadata", row.text("metadata"))
    function = metadata.get("func_name") if isinstance(metadata, dict) else None
    if not isinstance(function, str):
        row.refuse("metadata", "must name the function (func_name)")
    values = [
        (
            [parsed(case, "input", line) for line in case.text("input").splitlines()],
            parsed(case, "output", case.text("output")),
        )
        for case in cases
    ]
    return method_task(row, suite, task, prompt, function, values)


def _cases(row: Fields, name: str) -> Iterator[Fields]:
    text = row.text(name, "")
    if not text:
        return
    found = parsed(row, name, text if text.lstrip().startswith("[") else _unpacked(row, name, text))
    if not isinstance(found, list):
        row.refuse(name, "must hold a list of tests")
    for number, case in enumerate(found):
        yield Fields(f"{row.where}, {name}[{number}]", case)


def _unpacked(row: Fields, name: str, text: str) -> str:
    """Private tests are a pickled text, packed; nothing but a text is ever made of it."""
    try:
        packed = zlib.decompress(base64.b64decode(text, validate=True))
        found = _TextOnly(io.BytesIO(packed)).load()
    except (binascii.Error, zlib.error, pickle.UnpicklingError, EOFError, ValueError):
        row.refuse(name, "must hold JSON, plain or packed as the publisher packs it")
    if not isinstance(found, str):
        row.refuse(name, "must hold a text")
    return found


class _TextOnly(pickle.Unpickler):
    """Reads plain values; a pickle that names a class or a function is refused."""

    def find_class(self, module: str, name: str) -> NoReturn:
        raise pickle.UnpicklingError(f"{module}.{name} is no plain value")

    def persistent_load(self, pid: Any) -> NoReturn:
        raise pickle.UnpicklingError("a reference is no plain value")
