"""What a tool is given of one task, and nothing else: its stubs, its prompt, what builds it.

Tests and references never enter: what is made here is made of prompt, signature, context, the
support classes that the signature names, and a notebook's cells and data files.
"""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from polyassay.collect.stubs import notebook
from polyassay.collect.stubs.comment import usual_language
from polyassay.languages import LANGUAGES, imported
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


class StubMaker(Protocol):
    """The files of a language's tasks; the table of languages has the path of one for each."""

    has_folder: bool  # each task has a folder of its own, even where it has one file

    def stub(self, task: Task, prompt_language: str) -> tuple[str, str]:
        """The comment with the prompt, and the code below it."""
        ...

    def place(self, task: Task, module: str) -> str:
        """The path of the stub, which has that name where the language lets names be chosen."""
        ...

    def support(self, task: Task, code: str) -> dict[str, str]:
        """The task's sources that the code names, by path."""
        ...

    def build_files(self) -> dict[str, str]:
        """What builds a single task in a folder of its own."""
        ...

    def joining_files(self, folders: Sequence[str]) -> dict[str, str]:
        """What makes one project of several tasks' folders."""
        ...


def stub_maker(language: Language) -> StubMaker:
    maker: StubMaker = imported(LANGUAGES[language].stubs)()
    return maker


def project_files(task: Task, jars: Jars, prompt_language: str, module: str) -> TaskFiles:
    """For a project that a person opens; a Python task without files is one module."""
    if task.style is not Style.CELL:
        return _files(task, jars, prompt_language, module)
    text = notebook.notebook(task, prompt_language)
    header = notebook.stub_cell(task, prompt_language)
    return TaskFiles({NOTEBOOK: Stub(text, header)}, _data(task))


def workspace_files(task: Task, jars: Jars, prompt_language: str) -> TaskFiles:
    """For a folder in which an agent works; a cell is a plain file there, below its context."""
    if task.style is not Style.CELL:
        found = _files(task, jars, prompt_language, task.entry or "solution")
        build = _encoded(stub_maker(task.language).build_files())
        return TaskFiles(found.stubs, {**found.given, **build})
    header = notebook.stub_cell(task, prompt_language)
    stub = Stub(header, header)
    context = notebook.context_script(task).encode()
    return TaskFiles({CELL: stub}, {CONTEXT: context, **_data(task)})


def _files(task: Task, jars: Jars, prompt_language: str, module: str) -> TaskFiles:
    maker, language = stub_maker(task.language), prompt_language or usual_language(task)
    lib = {f"lib/{name}": base64.b64decode(jars[name]) for name in sorted(task.jars)}
    if task.solution:
        stubs = {path: Stub(text) for path, text in task.solution.items()}
        support = maker.support(task, "\n".join(task.solution.values()))
    else:
        header, code = maker.stub(task, language)
        stubs = {maker.place(task, module): Stub(header + code, header)}
        support = maker.support(task, code)
    return TaskFiles(stubs, _encoded(support) | lib)


def _encoded(files: Mapping[str, str]) -> dict[str, bytes]:
    return {path: text.encode() for path, text in files.items()}


def _data(task: Task) -> dict[str, bytes]:
    return {path: base64.b64decode(text) for path, text in task.data_files.items()}
