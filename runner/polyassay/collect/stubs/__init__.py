"""What a tool is given of one task, and nothing else: its stubs, its prompt, what builds it.

Tests and references never enter: what is made here is made of prompt, signature, context, the
support classes that the signature names, and a notebook's cells and data files.
"""

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field

from polyassay.collect.stubs import java, notebook, python
from polyassay.collect.stubs.comment import usual_language
from polyassay.model import Language, Style, Task

PROMPT = "PROMPT.md"
Jars = Mapping[str, str]  # a suite's: file name → base64
NOTEBOOK, CELL, CONTEXT = "notebook.ipynb", "cell.py", "context.py"


@dataclass(frozen=True, slots=True)
class Stub:
    """A file that the tool is to fill in."""

    text: str
    header: str = ""  # the comment of ours that it begins with; no part of an answer


@dataclass(frozen=True, slots=True)
class TaskFiles:
    """The files of one task, by path below its folder."""

    stubs: Mapping[str, Stub]
    given: Mapping[str, bytes] = field(default_factory=dict)  # what must stay as it is


def project_files(task: Task, jars: Jars, prompt_language: str, module: str) -> TaskFiles:
    """For a project that a person opens; a Python task without files is one module."""
    if task.style is not Style.CELL:
        return _files(task, jars, prompt_language, f"{module}.py")
    text = notebook.notebook(task, prompt_language)
    header = notebook.stub_cell(task, prompt_language)
    return TaskFiles({NOTEBOOK: Stub(text, header)}, _data(task))


def workspace_files(task: Task, jars: Jars, prompt_language: str) -> TaskFiles:
    """For a folder in which an agent works; a cell is a plain file there, below its context."""
    if task.style is not Style.CELL:
        found = _files(task, jars, prompt_language, f"{task.entry or 'solution'}.py")
        build = {"build.gradle": java.BUILD.encode()} if task.language is Language.JAVA else {}
        return TaskFiles(found.stubs, {**found.given, **build})
    header = notebook.stub_cell(task, prompt_language)
    stub = Stub(header, header)
    context = notebook.context_script(task).encode()
    return TaskFiles({CELL: stub}, {CONTEXT: context, **_data(task)})


def _files(task: Task, jars: Jars, prompt_language: str, module: str) -> TaskFiles:
    language = prompt_language or usual_language(task)
    lib = {f"lib/{name}": base64.b64decode(jars[name]) for name in sorted(task.jars)}
    if task.solution:
        stubs = {path: Stub(text) for path, text in task.solution.items()}
        return TaskFiles(stubs, _beside(task) | lib)
    if task.language is Language.JAVA:
        header, code = java.stub(task, language)
        support = task.support_named_in(code)
        given = {java.source_path(path): text.encode() for path, text in support.items()}
        path = java.source_path(java.class_file(task))
        return TaskFiles({path: Stub(header + code, header)}, given | lib)
    header, code = python.stub(task, language)
    return TaskFiles({module: Stub(header + code, header)})


def _beside(task: Task) -> dict[str, bytes]:
    """The task's sources that its stubs name, where a Java project has them."""
    if task.language is not Language.JAVA:
        return {}
    named = task.support_named_in("\n".join(task.solution.values()))
    return {java.source_path(path): text.encode() for path, text in named.items()}


def _data(task: Task) -> dict[str, bytes]:
    return {path: base64.b64decode(text) for path, text in task.data_files.items()}
