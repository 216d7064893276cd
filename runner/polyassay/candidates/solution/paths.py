"""Which files of an answer count: the task's solution files, and helpers that stand beside them.

A helper is a new source in the folder of a solution file. Tests, the task's own sources and build
files are never an answer's to bring, and a Python helper hides no module that tests rely on.
"""

import re
import sys
from dataclasses import dataclass
from pathlib import PurePosixPath

from polyassay.languages import LANGUAGES
from polyassay.model import Language, Task
from polyassay.requirement import names_module

PLAIN = re.compile(r"[\w./-]{1,200}", re.ASCII)
TEST_FILE = re.compile(r"(test_.*|.*_tests?|tests?|conftest)\.py|.*Tests?\.java|Test[A-Z].*\.java")
TEST_FOLDERS = frozenset(("test", "tests", "__tests__"))
TEST_TOOLS = frozenset(("pytest", "py", "pluggy", "iniconfig", "packaging", "polyassay_harness"))


@dataclass(frozen=True, slots=True)
class Placed:
    """What a block's code says of its place."""

    path: str = ""  # of a solution file or a helper; empty where it cannot be told
    is_use: bool = False  # it only uses the files, or tests them
    modules: frozenset[str] = frozenset()  # what it imports, itself never among it


def is_test_file(path: PurePosixPath) -> bool:
    """Whether a file is a test by its name or folder, and so no part of an answer."""
    folders = {part.lower() for part in path.parts[:-1]}
    return bool(TEST_FILE.fullmatch(path.name) or folders & TEST_FOLDERS)


def is_helper(task: Task, name: str) -> bool:
    """Whether an answer may add this file to the task's."""
    path = PurePosixPath(name)
    folders = {PurePosixPath(known).parent for known in task.solution}
    return (
        path.parent in folders
        and path.suffix == LANGUAGES[task.language].suffix
        and bool(PLAIN.fullmatch(name))
        and path.stem.isidentifier()
        and path.name not in _support_names(task)
        and not is_test_file(path)
        and not (task.language is Language.PYTHON and _is_known_module(task, path.stem))
    )


def counts(task: Task, path: str) -> bool:
    return path in task.solution or is_helper(task, path)


def solution_path(task: Task, said: str) -> str:
    """The file that a tool means by a path or a bare name; empty where it counts for nothing."""
    said = said.strip().replace("\\", "/").removeprefix("./")
    if said in task.solution:
        return said
    parts = PurePosixPath(said).parts
    for path in task.solution:
        own = PurePosixPath(path).parts
        if parts and (own[-len(parts) :] == parts or parts[-len(own) :] == own):
            return path
    if not parts or is_test_file(PurePosixPath(said)):
        return ""
    beside = PurePosixPath(task.main_file).parent / parts[-1]
    return beside.as_posix() if is_helper(task, beside.as_posix()) else ""


def _support_names(task: Task) -> set[str]:
    return {PurePosixPath(path).name for path in task.support}


def _is_known_module(task: Task, name: str) -> bool:
    known = name in sys.stdlib_module_names or name in TEST_TOOLS
    return known or names_module(task.libraries, name)
