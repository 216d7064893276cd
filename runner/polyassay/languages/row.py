"""What a row of the table of languages holds."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from polyassay.model import AnswerForm, Style, Task

# A text in double quotes (three or one) or in single quotes, closed or not.
QUOTED = r'"""[\s\S]*?(?:"""|\Z)|"(?:\\.|[^"\\\n])*"?|\'(?:\\.|[^\'\\\n])*\'?'


@dataclass(frozen=True, slots=True)
class Trial:
    """A small task of `polyassay doctor`, with an answer that passes and one that fails."""

    task: Task
    good: str
    bad: str


@dataclass(frozen=True, slots=True)
class NeededProgram:
    """A program that `polyassay doctor` looks for; it prints its version when it is called so."""

    name: str
    version_command: tuple[str, ...]
    package: str  # what to install where it is missing, in words
    needed: bool = True  # candidates of the language cannot be judged without it


@dataclass(frozen=True, slots=True)
class LanguageRow:
    """One language, as the rest of PolyAssay sees it."""

    fence_tags: frozenset[str]  # after ``` in a chat's answer, without a version
    remarks: re.Pattern[str]  # comments and strings in code, however odd the text is
    highlighter: str  # the name of a Pygments lexer
    make_program: str  # path: (Task, Candidate) → Program
    make_empty: str  # path: Task → Program that builds and does nothing
    mutations: str  # path of a class: how a reference is changed in one place
    empty_file: str  # path: a source of a reference → the same that does nothing
    suffix: str  # of its files
    file_form: AnswerForm  # of an answer that is such a file
    needs_environment: bool  # an interpreter with a suite's libraries runs its candidates
    stubs: str  # path of a StubMaker: the files that a tool in an editor or a folder fills in
    lint: str  # path: sources → what a linter found in them; None where it broke off
    linter_version: str  # path: () → its version; empty where it is missing
    rated_style: Style  # what a task that only people grade asks for
    in_function: Callable[[str], str]  # statements as the body of a function
    remark: str  # what a comment to the end of the line begins with
    place_block: str  # path: (Task, code, all blocks' code) → which file a fenced block is
    divide_block: str  # path: (Task, code) → its parts, where it has several files' code
    plain_parts: str  # path: (code, entry) → its parts, without what a copy can be changed in
    harnesses: Mapping[str, str]  # engine → path of a Harness
    trial: Trial
    cell_harnesses: Mapping[str, str] = field(default_factory=dict)  # the same, for notebook cells
    programs: tuple[NeededProgram, ...] = ()
    # Before a person grades an answer blindly, the first is removed from its code, and the name
    # that the second finds is replaced, because both follow from where the tool's file was.
    telling_line: re.Pattern[str] | None = None
    telling_name: re.Pattern[str] | None = None
