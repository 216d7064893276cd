"""A folder that aider's benchmark has left: LANGUAGE/exercises/practice/TASK with edited files.

aider lets a tool try again with the tests' output, and keeps the files of the last try alone. So a
run with second tries is a protocol of its own: its tool is called NAME[tries:2], and is never
mixed with tools that had one try.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from polyassay.candidates.records import BadRecord, RawAnswer, Stray, read_text
from polyassay.candidates.solution.paths import counts, is_test_file
from polyassay.languages import LANGUAGES
from polyassay.model import Suite, Task

EXERCISES = "exercises/practice"
RESULTS = ".aider.results.json"
BUILT = frozenset(("build", "gradle", "__pycache__"))


@dataclass(frozen=True, slots=True)
class _Exercise:
    task: Task
    folder: Path
    outcomes: tuple[bool, ...]  # of aider's own tests, one a try; empty where it says nothing


def is_aider_run(folder: Path, _suites: Mapping[str, Suite]) -> bool:
    return any((folder / language / EXERCISES).is_dir() for language in LANGUAGES)


def read_aider_run(
    folder: Path, suites: Mapping[str, Suite]
) -> Iterator[RawAnswer | BadRecord | Stray]:
    found = [
        _Exercise(task, place, _outcomes(place / RESULTS))
        for suite in suites.values()
        for task in suite.tasks
        if task.solution and (place := folder / task.language / EXERCISES / task.id).is_dir()
    ]
    tries = max((len(exercise.outcomes) for exercise in found), default=1)
    variant = f"tries:{tries}" if tries > 1 else ""
    for exercise in found:
        yield from _answer(exercise, variant)


def _answer(exercise: _Exercise, variant: str) -> Iterator[RawAnswer | BadRecord | Stray]:
    task = exercise.task
    files: dict[str, str] = {}
    for path in _sources(exercise):
        name = path.relative_to(exercise.folder).as_posix()
        if not counts(task, name):
            yield Stray(str(path))
            continue
        text = read_text(path)
        if isinstance(text, BadRecord):
            yield text
            return
        files[name] = text
    untouched = all(text == task.solution.get(name) for name, text in files.items())
    if untouched and not exercise.outcomes:
        return  # aider has not come to it
    yield RawAnswer(
        str(exercise.folder),
        task.id,
        "",
        suite=task.suite,
        files=files or dict(task.solution),
        variant=variant,
        origin={"attempt": max(len(exercise.outcomes), 1)},
    )


def _sources(exercise: _Exercise) -> Iterator[Path]:
    """The sources that the task has not brought itself."""
    task = exercise.task
    own = {path.rpartition("/")[2] for path in task.support}
    for path in sorted(exercise.folder.rglob(f"*{LANGUAGES[task.language].suffix}")):
        inside = path.relative_to(exercise.folder)
        hidden = any(part.startswith(".") or part in BUILT for part in inside.parts)
        theirs = path.name in own or is_test_file(PurePosixPath(inside.as_posix()))
        if not hidden and not theirs and path.is_file() and not path.is_symlink():
            yield path


def _outcomes(results: Path) -> tuple[bool, ...]:
    try:
        found = json.loads(results.read_text("utf-8"))["tests_outcomes"]
    except (OSError, ValueError, RecursionError, LookupError, TypeError):
        return ()
    return tuple(map(bool, found)) if isinstance(found, list) else ()
