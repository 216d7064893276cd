"""The stub of a Java task: the class that the tests call, in a file that compiles."""

import re
from collections.abc import Sequence
from textwrap import indent

from polyassay.candidates.java.imports import declared_types, missing_imports
from polyassay.candidates.java.syntax import read_signature
from polyassay.candidates.java.tokens import directives, missing_closers, tokens, without_package
from polyassay.collect.stubs.comment import comment
from polyassay.model import Task

SOURCES = "src/main/java"
UNKNOWN_CLASS = "Answer"  # for tasks that only people grade
THROW = "throw new UnsupportedOperationException();"

_JAVA = """\
apply plugin: 'java'
compileJava.options.encoding = 'UTF-8'
dependencies {
    implementation fileTree(dir: 'lib', include: '*.jar')
}
"""
_PROJECTS = f"""\
// One project a task: classes of several tasks may have the same name.
subprojects {{
{indent(_JAVA, "    ")}}}
"""


class JavaStubs:
    """Files of Gradle projects; see StubMaker."""

    has_folder = True

    def stub(self, task: Task, prompt_language: str) -> tuple[str, str]:
        return _stub(task, prompt_language)

    def place(self, task: Task, module: str) -> str:
        return _source_path((task.class_name or UNKNOWN_CLASS).replace(".", "/") + ".java")

    def support(self, task: Task, code: str) -> dict[str, str]:
        named = task.support_named_in(code)
        return {_source_path(path): text for path, text in named.items()}

    def build_files(self) -> dict[str, str]:
        return {"build.gradle": _JAVA}

    def joining_files(self, folders: Sequence[str]) -> dict[str, str]:
        included = "".join(f"include '{name}'\n" for name in folders)
        return {
            "settings.gradle": f"rootProject.name = 'answers'\n{included}",
            "build.gradle": _PROJECTS,
        }


def _stub(task: Task, prompt_language: str) -> tuple[str, str]:
    prompt = task.prompts.get(prompt_language, "")
    repeated = prompt.strip() and prompt.strip() in task.context
    # A backslash before a u begins an escape, in comments as well.
    header = "" if repeated else comment(prompt.replace("\\", "\\\\"), "//")
    code = _from_context(task) if task.context.strip() else _from_signature(task)
    found = tokens(code)
    imported = [name.removeprefix("static ") for _, name, _ in directives(found)]
    added = missing_imports(found, imported, declared_types(found), task)
    package = task.package
    lines = [f"package {package};\n"] if package else []
    if added:
        lines.append("".join(f"import {item};\n" for item in added))
    return header, "\n".join([*lines, code])


def _source_path(path: str) -> str:
    return f"{SOURCES}/{path}"


def _from_context(task: Task) -> str:
    """What the publisher begins, brought to an end."""
    head = without_package(task.context).strip("\n")
    missing = missing_closers(head)
    if missing <= 0:
        return head + "\n"
    inside_method = missing > 1
    body = f"{'    ' * missing}{THROW}\n" if inside_method else ""
    closers = "".join("    " * depth + "}\n" for depth in range(missing - 1, -1, -1))
    return f"{head}\n{body}{closers}"


def _from_signature(task: Task) -> str:
    name = (task.class_name or UNKNOWN_CLASS).rpartition(".")[2]
    whole = read_signature(task.signature)
    parts = [whole.text] if whole.name else re.split(r"[;\n]+", task.signature)
    heads = [head for part in parts if (head := _head_of_member(part, name))]
    members = "\n".join(f"    {head} {{\n        {THROW}\n    }}\n" for head in heads)
    return f"public class {name} {{\n{members}}}\n"


def _head_of_member(declared: str, class_name: str) -> str:
    """A method's or a constructor's, as the tests call it; empty for anything else."""
    constructor = re.fullmatch(r"\s*(?:public\s+)?(\w+)\s*(\(.*)", declared, re.DOTALL)
    if constructor and constructor[1] == class_name:
        return f"public {class_name}{constructor[2].rstrip(' {')}"
    signature = read_signature(declared)
    return signature.text if signature.name else ""
