"""A folder of code files, or of chats, as answers to any suite.

The path says what a file answers: TASK.py, TASK/0.py (sample 0), TASK/Foo.java, or
TASK/sample-0/src/main/java/Foo.java; TASK.md or TASK/0.txt is a chat, from which the code is taken.
A task's id may stand as it is, with its slashes as folders,
or with `_` or `-` in place of each slash. Whatever is no task's answer is a stray file: an editor
and an agent leave many of them, and none of them may keep the others from being read.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from polyassay.candidates.records import BadRecord, RawAnswer, Stray, read_text
from polyassay.candidates.solution.paths import counts, is_test_file
from polyassay.languages import LANGUAGES
from polyassay.model import Suite, Task

SUFFIXES = frozenset(row.suffix for row in LANGUAGES.values())
CHATS = frozenset({".md", ".txt"})  # what a tool said, prose and fences included
SAMPLE = re.compile(r"(?:sample[-_]?)?(\d{1,9})", re.IGNORECASE)
# Names under which people and agents keep the one file that counts.
USUAL_NAMES = ("solution.py", "answer.py", "main.py", "Solution.java", "Main.java")
LARGEST = 1 << 20  # bytes; no answer is near it


@dataclass(frozen=True, slots=True)
class _File:
    path: Path
    inside: PurePosixPath  # below the folder of its task and sample; empty for TASK.py and 0.py


def is_code_folder(folder: Path, suites: Mapping[str, Suite]) -> bool:
    """Whether any file in it is named after a task: code, or a chat that holds it."""
    tasks = _by_folder_name(suites)
    for path in _files_below(folder):
        if path.suffix in SUFFIXES | CHATS:
            place = _place(PurePosixPath(path.relative_to(folder).as_posix()), tasks)
            if place and (path.suffix in SUFFIXES or not place[2].parts):
                return True
    return False


def read_code_folder(
    folder: Path, suites: Mapping[str, Suite]
) -> Iterator[RawAnswer | BadRecord | Stray]:
    tasks = _by_folder_name(suites)
    groups: dict[tuple[str, int | None], list[_File]] = {}
    for path in _files_below(folder):
        relative = PurePosixPath(path.relative_to(folder).as_posix())
        place = _place(relative, tasks)
        if place is None:
            yield Stray(relative.as_posix())
            continue
        task, sample, inside = place
        groups.setdefault((task.id, sample), []).append(_File(path, inside))
    by_id = {task.id: task for task in tasks.values()}
    for (task_id, sample), files in groups.items():
        yield from _answer(folder, by_id[task_id], sample, files)


def _files_below(folder: Path) -> list[Path]:
    """In an order that people expect (2 before 10), without links and hidden or compiled parts."""
    found = []
    for path in folder.rglob("*"):
        parts = path.relative_to(folder).parts
        hidden = any(part.startswith(".") or part == "__pycache__" for part in parts)
        if not hidden and path.is_file() and not path.is_symlink():
            found.append(path)
    return sorted(found, key=lambda path: by_number(str(path)))


def by_number(name: str) -> list[tuple[int, str]]:
    """Sorts names that hold numbers as people do: 2 before 10."""
    return [
        (int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)
    ]


def _by_folder_name(suites: Mapping[str, Suite]) -> dict[str, Task]:
    """A name that two ids could mean is no task's, unless it is one of them as it stands."""
    every = {task.id: task for suite in suites.values() for task in suite.tasks}
    others: dict[str, list[Task]] = {}
    for task in every.values():
        for name in {task.id.replace("/", "_"), task.id.replace("/", "-")} - {task.id}:
            others.setdefault(name, []).append(task)
    return {name: found[0] for name, found in others.items() if len(found) == 1} | every


def _place(
    path: PurePosixPath, tasks: Mapping[str, Task]
) -> tuple[Task, int | None, PurePosixPath] | None:
    """Task, sample and the path below both; the longest id that fits is meant."""
    parts = path.parts
    for length in range(len(parts), 0, -1):
        name = "/".join(parts[:length])
        whole = length == len(parts)
        for known in (name.removesuffix(path.suffix) if whole else name, name):
            if known in tasks:
                return tasks[known], *_sample(parts[length:])
    return None


def _sample(rest: tuple[str, ...]) -> tuple[int | None, PurePosixPath]:
    if not rest:
        return None, PurePosixPath()
    single = len(rest) == 1
    number = SAMPLE.fullmatch(PurePosixPath(rest[0]).stem if single else rest[0])
    if number is None:
        return None, PurePosixPath(*rest)
    return int(number[1]), PurePosixPath(*rest[1:])


def _answer(
    folder: Path, task: Task, sample: int | None, files: list[_File]
) -> Iterator[RawAnswer | BadRecord | Stray]:
    code = [file for file in files if file.path.suffix not in CHATS]
    taken = _solution(task, code) if task.solution else _single(task, code)
    if is_chat := not taken:  # beside code a text may be anything
        taken = [file for file in files if file.path.suffix in CHATS and not file.inside.parts][:1]
    kept = {file.path for file in taken}
    for file in files:
        if file.path not in kept:
            yield Stray(file.path.relative_to(folder).as_posix())
    if not taken:
        return
    texts = {file: read_text(file.path) for file in taken}
    bad = [text for text in texts.values() if isinstance(text, BadRecord)]
    if bad:
        yield from bad
        return
    where = str(taken[0].path)
    found = {file.inside.as_posix(): str(text) for file, text in texts.items()}
    if is_chat:
        yield RawAnswer(where, task.id, next(iter(found.values())), sample=sample)
        return
    if task.solution:
        yield RawAnswer(where, task.id, "", sample=sample, files=found)
        return
    form = LANGUAGES[task.language].file_form
    yield RawAnswer(where, task.id, next(iter(found.values())), form, sample=sample)


def _solution(task: Task, files: list[_File]) -> list[_File]:
    """The solution files that are there, and helpers; TASK.py stands for a task's only file."""
    found = [file for file in files if counts(task, file.inside.as_posix())]
    if any(file.inside.as_posix() in task.solution for file in found):
        return found
    if len(task.solution) != 1:
        return []
    (only,) = task.solution
    direct = [file for file in files if not file.inside.parts]
    return [_File(file.path, PurePosixPath(only)) for file in direct[:1]]


def _single(task: Task, files: list[_File]) -> list[_File]:
    """The one file that holds the answer; none where it cannot be told from the others."""
    code = [file for file in files if file.path.suffix == LANGUAGES[task.language].suffix]
    code = [file for file in code if file.path.stat().st_size <= LARGEST]
    direct = [file for file in code if not file.inside.parts]
    if direct:
        return direct[:1]
    names = [f"{task.entry}.py", f"{task.simple_class_name}.java"]
    if task.class_name and (own := [file for file in code if file.path.name == names[1]]):
        return own if len(own) == 1 else []
    code = [file for file in code if not is_test_file(file.inside)]
    if len(code) == 1:
        return code
    for name in (*names, *USUAL_NAMES):
        if len(named := [file for file in code if file.path.name == name]) == 1:
            return named
    return []
