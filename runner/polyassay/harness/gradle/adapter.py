"""A class that calls the candidate as the signature says, to see whether that compiles.

Tests may compile with a candidate of another signature, by way of Object; it is unbuilt all the
same. The adapter may itself not compile, because a signature names types and imports none: only
what is wrong with the call, and with nothing else, is held against the candidate.
"""

import re
from collections.abc import Sequence

from polyassay.model import Task

ADAPTER = "PolyassayAdapter"
_CALL_LINE = 3
_IMPORT = re.compile(r"^\s*(import\s+(?!static\b|org\.junit|junit\.)[\w.]+(?:\.\*)?\s*;)", re.M)
_COMMON = (
    *("java.io", "java.math", "java.net", "java.nio.charset", "java.nio.file", "java.text"),
    *("java.time", "java.util", "java.util.concurrent", "java.util.function"),
    *("java.util.regex", "java.util.stream"),
)
_SIGNATURE = re.compile(
    r"^(?P<modifiers>(?:(?:public|protected|private|static|final|synchronized|abstract)\s+)*)"
    r"(?P<type>.+?)\s*\b(?P<name>\w+)\s*\((?P<parameters>[^()]*)\)",
    re.S,
)


def adapter_of(task: Task) -> str:
    """The adapter's source, of three lines; an empty class where the signature is no method's."""
    package, simple = task.package, task.simple_class_name
    head = f"package {package}; " if package else ""
    method = task.signature.strip().rstrip(";").rpartition(";")[2]  # behind its constructor
    found = _SIGNATURE.match(" ".join(method.split()))
    if found is None:
        return f"{head}final class {ADAPTER} {{}}\n"
    parameters = found["parameters"].strip()
    names = re.findall(r"(\w+)\s*(?:\[\s*\]\s*)*(?:,|$)", _without_generics(parameters))
    static = "static" in found["modifiers"].split()
    target = [] if static else [f"{simple} polyassayTarget"]
    declared = ", ".join(target + [parameters] * bool(parameters))
    call = f"{simple if static else 'polyassayTarget'}.{found['name']}({', '.join(names)});"
    return (
        f"{head}{' '.join(_imports(task))} final class {ADAPTER} {{\n"
        f"static {found['type']} call({declared}) throws Throwable {{\n"
        f"{'' if found['type'].split()[-1] == 'void' else 'return '}{call} }} }}\n"
    )


def call_problems(diagnostics: Sequence[tuple[str, int, str]]) -> list[str]:
    """What the compiler says about the call; empty where something else is wrong as well."""
    found = [(line, text) for file, line, text in diagnostics if file == f"{ADAPTER}.java"]
    return [text for _, text in found] if {line for line, _ in found} == {_CALL_LINE} else []


def _without_generics(text: str) -> str:
    """A comma between type arguments is no comma between parameters."""
    while "<" in text:
        shorter = re.sub(r"<[^<>]*>", " ", text)
        if shorter == text:
            break
        text = shorter
    return text


def _imports(task: Task) -> list[str]:
    base = task.extra.get("extends", "").replace(".", "/") + ".java"
    sources = (task.test_source, task.context, task.support.get(base, ""))
    found = {each for source in sources for each in _IMPORT.findall(source)}
    return [*sorted(found), *(f"import {name}.*;" for name in _COMMON)]
