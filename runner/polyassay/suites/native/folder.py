"""Suites written by hand: a folder, and in it a folder per task or notebook, and a suite.toml."""

import base64
from collections.abc import Iterator, Mapping
from pathlib import Path

from polyassay.errors import Mistakes, PolyAssayError
from polyassay.model import Language, Style, Suite, Task
from polyassay.suites.java.sources import complete
from polyassay.suites.java.support import answers_in_support
from polyassay.suites.make import make_suite
from polyassay.suites.native.fields import NOTHING_ADDED, Fields
from polyassay.suites.native.mistakes import refuse_what_cannot_run
from polyassay.suites.native.notebooks import CELLS, notebook_folders, read_folder
from polyassay.suites.native.task_json import FIELDS, refuse_outside_extra, task_of_author
from polyassay.suites.native.tests_file import parts_of
from polyassay.suites.text import read_text, read_toml

SUITE, TASK, TESTS, JARS = "suite.toml", "task.toml", "tests.py", "lib/*.jar"
SUITE_FIELDS = (
    *("name", "version", "description", "licence", "canary", "source", "libraries", "extra"),
)


def read(path: Path, name: str | None) -> list[Suite]:
    """The suite in a folder; its name is suite.toml's unless another is given."""
    about = read_about(path)
    name = name or about.text("name", path.name)
    places: dict[str, str] = {}
    tasks = []
    mistakes = []
    for folder in task_folders(path):
        try:
            task = read_task(folder, name, about.text_map("extra"))
            if task.id in places:
                problem = f'{folder}: repeats the id "{task.id}", which {places[task.id]} has.'
                raise PolyAssayError(problem, NOTHING_ADDED)
        except PolyAssayError as mistake:
            mistakes.append(mistake)
            continue
        tasks.append(task)
        places[task.id] = str(folder)
    mistakes += [*_forgotten(path), *answers_in_support(tasks, places)]
    tasks = complete(tasks, places, mistakes)
    for folder in notebook_folders(path):
        tasks += read_folder(folder, name)
    source = ", ".join(filter(None, (about.text("source", ""), about.text("licence", ""))))
    return [
        make_suite(
            name,
            tasks,
            version=about.text("version", ""),
            description=about.text("description", ""),
            source=source,
            licence=about.text("licence", ""),
            canary=about.text("canary", ""),
            libraries=_libraries(about),
            jars=sorted(path.glob(JARS)),
        )
    ]


def _forgotten(path: Path) -> Iterator[PolyAssayError]:
    """Folders that look like a task's and would be passed over for want of their task.toml."""
    for folder in sorted(inner for inner in path.iterdir() if inner.is_dir()):
        if any((folder / name).is_file() for name in (TASK, CELLS)):
            continue
        tests = [folder / TESTS, folder / "sets.toml", *folder.glob("*Test.java")]
        tests += [*folder.glob("test_*.py"), *folder.glob("*_test.py"), folder / "cases"]
        if found := next((test for test in tests if test.exists()), None):
            yield PolyAssayError(f"{folder} has {found.name} and no {TASK}.", NOTHING_ADDED)


def read_about(path: Path) -> Fields:
    """The fields of suite.toml, all of which may be missing."""
    if not (path / SUITE).is_file():
        if task_folders(path) or notebook_folders(path):
            return Fields(str(path / SUITE), {})
        raise PolyAssayError(
            f"{path} has no {SUITE}, and no folder in it has a {TASK}.",
            "datasets/README.md shows what a folder of tasks looks like.",
        )
    about = read_toml(path / SUITE)
    about.refuse_typos(SUITE_FIELDS)
    refuse_outside_extra(about, *Style)
    return about


def _libraries(about: Fields) -> dict[str, tuple[str, ...]] | None:
    """One environment's list, or a table of several; None: what the tasks ask for."""
    if "libraries" not in about.values:
        return None
    if isinstance(about.values["libraries"], list):
        return {"default": about.texts("libraries")}
    tables = about.object("libraries")
    return {name: tables.texts(name) for name in tables.values}


def task_folders(path: Path) -> list[Path]:
    return sorted(inner.parent for inner in path.glob(f"*/{TASK}"))


def language_of(folder: Path) -> str:
    return read_toml(folder / TASK).text("language")


def read_task(folder: Path, suite: str, usual: Mapping[str, str]) -> Task:
    """The task in a folder; what stands in files of their own joins what task.toml says.

    `usual`: what suite.toml has as `extra`, for tasks that do not say otherwise.
    """
    about, mistakes = read_toml(folder / TASK), Mistakes()
    mistakes.read(about.refuse_typos, FIELDS)
    values = {"id": folder.name, **about.values}
    if usual:
        values["extra"] = {**usual, **(mistakes.read(about.text_map, "extra") or {})}
    language = mistakes.read(about.one_of, "language", Language)
    # Where it cannot be read, the files tell it, so that other mistakes are not hidden.
    if language == Language.JAVA or (not language and any(folder.glob("*.java"))):
        values = _java_names(folder) | values
        found = dict(_java_parts(folder, values))
    else:
        values = _python_style(folder) | values
        found = dict(_python_parts(folder, values.get("style")))
        if values.get("style") == Style.PYTEST and (module := tested_module(folder)):
            values["extra"] = {
                "module": module,
                **Fields(about.where, values).object("extra").values,
            }
    files = {
        path.relative_to(folder / "files").as_posix(): base64.b64encode(path.read_bytes()).decode()
        for path in files_below(folder / "files")
    }
    if files:
        found["files"] = files
    for name in ("solution", "reference"):
        if (folder / name).is_dir():
            found[name] = {
                path.relative_to(folder / name).as_posix(): read_text(path)
                for path in files_below(folder / name)
            }
    for name in found:
        if name in about.values:
            mistakes.read(about.refuse, name, "stands in task.toml and in a file of its own")
    fields = Fields(about.where, values | found)
    if not mistakes.read(_has_tests, fields, folder):
        mistakes.tell()
    task = mistakes.read(task_of_author, fields, suite)
    mistakes.tell()
    assert task  # or there was a mistake
    refuse_what_cannot_run(fields, task)
    return task


def _has_tests(fields: Fields, folder: Path) -> bool:
    """Says which file was looked for, instead of which field its name would have told."""
    values = fields.values
    java = values.get("language") == "java"
    if "style" not in values and "tests" not in values:
        wanted = "NAMETest.java" if java else f"{TESTS}, test_NAME.py or sets.toml"
        fields.refuse("style", f"is missing, and {folder} has neither {wanted} nor cases")
    if java and values.get("style") == Style.JUNIT and "test_source" not in values:
        simple = str(values.get("class_name", "NAME")).rpartition(".")[2]
        others = ", ".join(sorted(path.name for path in folder.glob("*Test.java")))
        seen = f", which has {others}" if others else ""
        fields.refuse("test_source", f"is missing: there is no {simple}Test.java in {folder}{seen}")
    return True


def _java_names(folder: Path) -> dict[str, str]:
    """What the names of a Java task's files tell: its style, and the class that is tested."""
    if (folder / "cases").is_dir():
        return {"style": Style.PROGRAM}
    tested = [path.stem.removesuffix("Test") for path in folder.glob("*Test.java")]
    named = {"class_name": tested[0]} if len(tested) == 1 else {}
    return {"style": Style.JUNIT, **named} if tested else {}


def _java_parts(folder: Path, values: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """ClassName.java is the reference, ClassNameTest.java the tests, other sources support them."""
    if (folder / "cases").is_dir():
        yield "tests", list(_cases(folder / "cases"))
    simple = str(values.get("class_name", "Main")).rpartition(".")[2]
    sources = {path.name: read_text(path) for path in sorted(folder.glob("*.java"))}
    for name, field in ((f"{simple}.java", "reference"), (f"{simple}Test.java", "test_source")):
        if name in sources:
            yield field, sources.pop(name)
    if sources:
        yield "support", sources


def _python_style(folder: Path) -> dict[str, Style]:
    """What the names of a Python task's files tell about how it is judged."""
    if (folder / "cases").is_dir():
        return {"style": Style.PROGRAM}
    if (folder / "sets.toml").is_file():
        return {"style": Style.SETS}
    if (folder / TESTS).is_file():
        return {"style": Style.FUNCTION}
    return {"style": Style.PYTEST} if pytest_file(folder) else {}


def pytest_file(folder: Path) -> Path | None:
    """The tests under a name by which pytest would find them."""
    found = sorted({*folder.glob("test_*.py"), *folder.glob("*_test.py")})
    if len(found) > 1 or (found and (folder / TESTS).is_file()):
        names = ", ".join([path.name for path in found] + [TESTS] * (folder / TESTS).is_file())
        raise PolyAssayError(
            f"{folder} has more than one file of tests: {names}.",
            "A task has one; what tests share can stand in `support` of task.toml.",
        )
    return found[0] if found else None


def tested_module(folder: Path) -> str:
    """The module that test_NAME.py tests, where NAME.py, the reference, is beside it."""
    tests = pytest_file(folder)
    name = tests.stem.removeprefix("test_").removesuffix("_test") if tests else ""
    return name if (folder / f"{name}.py").is_file() else ""


def _python_parts(folder: Path, style: object) -> Iterator[tuple[str, object]]:
    for name in ("reference", "context", "suffix"):
        if (folder / f"{name}.py").is_file():
            yield name, read_text(folder / f"{name}.py")
    tests = pytest_file(folder) or folder / TESTS
    module = folder / f"{tested_module(folder)}.py"
    if module.is_file() and not (folder / "reference.py").is_file():
        yield "reference", read_text(module)
    if tests.is_file():
        if style == Style.PYTEST:
            yield "test_source", read_text(tests)  # whole: pytest itself will find its tests
        else:
            yield from parts_of(tests)
    if (folder / "sets.toml").is_file():
        yield "tests", dict(read_toml(folder / "sets.toml").values)
    if (folder / "cases").is_dir():
        yield "tests", list(_cases(folder / "cases"))


def _cases(folder: Path) -> Iterator[dict[str, str]]:
    """NAME.in is the standard input of a test, NAME.out what must be printed."""
    for path in sorted(folder.glob("*.out")):
        given = path.with_suffix(".in")
        stdin = read_text(given) if given.is_file() else ""
        yield {"name": path.stem, "stdin": stdin, "stdout": read_text(path)}
    for path in sorted(folder.glob("*.in")):
        if not path.with_suffix(".out").is_file():
            raise PolyAssayError(f"{path} has no {path.stem}.out beside it.", NOTHING_ADDED)


def files_below(folder: Path) -> list[Path]:
    """All files, in an order of their own, without what Python leaves beside sources."""
    inner = (path for path in folder.rglob("*") if path.is_file())
    return sorted(path for path in inner if "__pycache__" not in path.parts)
