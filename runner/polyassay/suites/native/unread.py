"""Files of a suite's folder that nothing reads, but for what people leave for each other."""

from collections.abc import Iterator
from pathlib import Path

from polyassay.suites.native import folder
from polyassay.suites.native.notebooks import CELLS
from polyassay.wording import closest

_PYTHON = ("reference.py", "context.py", "suffix.py")
_TREES = ("files", "solution", "reference", "cases")
_FOR_PEOPLE = (".", "readme", "licen", "__pycache__")


def unread(source: Path) -> Iterator[str]:
    """Their paths in the suite's folder; a folder of no task is told once."""
    for path in _of(source):
        marked = path.is_dir() and any((path / name).is_file() for name in (folder.TASK, CELLS))
        if marked:
            yield from (f"{path.name}/{found}" for found in _of_task(path))
        elif path.is_dir() and path.name == "lib":
            yield from (f"lib/{found.name}" for found in _of(path) if found.suffix != ".jar")
        elif path.is_dir():
            yield f"{path.name}/ (it has no {folder.TASK})"
        elif path.name != folder.SUITE:
            yield path.name


def _of(place: Path) -> Iterator[Path]:
    return (path for path in place.iterdir() if not path.name.lower().startswith(_FOR_PEOPLE))


def _of_task(place: Path) -> Iterator[str]:
    read = _read_names(place)
    for path in _of(place):
        if path.name == "cases" and path.is_dir():
            inner = (case for case in _of(path) if case.suffix not in (".in", ".out"))
            yield from (f"cases/{case.name}" for case in inner)
        elif path.is_dir():
            yield from [f"{path.name}/"] * (path.name not in _TREES)
        elif path.name not in read:
            lacking = [name for name in (*_PYTHON, folder.TESTS) if not (place / name).exists()]
            meant = closest(path.name, lacking, 0.8)
            yield path.name + f" (is it {meant}?)" * bool(meant)


def _read_names(place: Path) -> set[str]:
    """What folder.py and notebooks.py read of a task's own folder."""
    if (place / CELLS).is_file():
        return {CELLS, "notebook.ipynb"}
    if folder.language_of(place) == "java":
        return {folder.TASK, *(path.name for path in place.glob("*.java"))}
    tests, module = folder.pytest_file(place), folder.tested_module(place)
    names = {folder.TASK, "sets.toml", *_PYTHON, tests.name if tests else folder.TESTS}
    return names if not module or (place / "reference.py").is_file() else {*names, f"{module}.py"}
