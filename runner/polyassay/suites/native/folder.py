"""Suites written by hand: a folder with a suite.toml, and in it a folder per task or notebook."""

import ast
import base64
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path

from polyassay.errors import PolyAssayError
from polyassay.model import Style, Suite, Task
from polyassay.suites.java.sources import complete
from polyassay.suites.make import make_suite
from polyassay.suites.native.fields import NOTHING_ADDED, Fields
from polyassay.suites.native.notebooks import notebook_folders, read_folder
from polyassay.suites.native.task_json import task_from
from polyassay.suites.text import read_text, read_toml

SUITE, TASK, JARS = "suite.toml", "task.toml", "lib/*.jar"
SUITE_FIELDS = (
    *("name", "version", "description", "licence", "canary", "source", "libraries", "extra"),
)


def read(path: Path, name: str | None) -> list[Suite]:
    """The suite in a folder; its name is suite.toml's unless another is given."""
    about = read_about(path)
    name = name or about.text("name", path.name)
    places: dict[str, str] = {}
    tasks = []
    for folder in task_folders(path):
        tasks.append(read_task(folder, name, about.text_map("extra")))
        places[tasks[-1].id] = str(folder)
    for folder in notebook_folders(path):
        tasks += read_folder(folder, name)
    source = ", ".join(filter(None, (about.text("source", ""), about.text("licence", ""))))
    return [
        make_suite(
            name,
            complete(tasks, places),
            version=about.text("version", ""),
            description=about.text("description", ""),
            source=source,
            licence=about.text("licence", ""),
            canary=about.text("canary", ""),
            libraries=_libraries(about),
            jars=sorted(path.glob(JARS)),
        )
    ]


def read_about(path: Path) -> Fields:
    """The fields of suite.toml."""
    if not (path / SUITE).is_file():
        raise PolyAssayError(
            f"{path} has no {SUITE}.", "datasets/README.md shows what a folder of tasks looks like."
        )
    about = read_toml(path / SUITE)
    about.refuse_typos(SUITE_FIELDS)
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
    about = read_toml(folder / TASK)
    values = {"id": folder.name, **about.values}
    if usual:
        values["extra"] = {**usual, **about.object("extra").values}
    language, style = values.get("language"), values.get("style")
    found = dict(_java_parts(folder, about) if language == "java" else _python_parts(folder, style))
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
            about.refuse(name, "stands in task.toml and in a file of its own")
    return task_from(Fields(about.where, values | found), suite)


def _java_parts(folder: Path, about: Fields) -> Iterator[tuple[str, object]]:
    """ClassName.java is the reference, ClassNameTest.java the tests, other sources support them."""
    if (folder / "cases").is_dir():
        yield "tests", list(_cases(folder / "cases"))
    simple = about.text("class_name", "Main").rpartition(".")[2]
    sources = {path.name: read_text(path) for path in sorted(folder.glob("*.java"))}
    for name, field in ((f"{simple}.java", "reference"), (f"{simple}Test.java", "test_source")):
        if name in sources:
            yield field, sources.pop(name)
    if sources:
        yield "support", sources


def _python_parts(folder: Path, style: object) -> Iterator[tuple[str, object]]:
    for name in ("reference", "context", "suffix"):
        if (folder / f"{name}.py").is_file():
            yield name, read_text(folder / f"{name}.py")
    if (folder / "tests.py").is_file():
        yield from _tests_file(folder / "tests.py", whole=style == Style.PYTEST)
    if (folder / "sets.toml").is_file():
        yield "tests", dict(read_toml(folder / "sets.toml").values)
    if (folder / "cases").is_dir():
        yield "tests", list(_cases(folder / "cases"))


def _tests_file(path: Path, whole: bool) -> Iterator[tuple[str, object]]:
    """Each top-level `def test_x()` is a test, and all else the setup of every test.

    A pytest file stays whole; pytest itself will find its tests.
    """
    source = read_text(path)
    if whole:
        yield "test_source", source
        return
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError) as error:
        raise PolyAssayError(f"{path}: not Python: {error}.", NOTHING_ADDED) from None
    tests = [n for n in body if isinstance(n, ast.FunctionDef) and n.name.startswith("test")]
    for test in tests:
        if test.decorator_list or ast.unparse(test.args):
            raise PolyAssayError(
                f"{path}, line {test.lineno}: {test.name} must have no arguments or decorators.",
                'a task of the style "pytest" may use them.',
            )
    lines = source.splitlines(keepends=True)
    yield "tests", [{"name": test.name, "code": _body(test, lines)} for test in tests]
    for test in reversed(tests):
        del lines[test.lineno - 1 : test.end_lineno]
    yield "setup", "".join(lines).strip("\n") + "\n" if "".join(lines).strip() else ""


def _body(test: ast.FunctionDef, lines: list[str]) -> str:
    """The function's statements at the margin, as written wherever that means the same."""
    code = textwrap.dedent("".join(lines[test.body[0].lineno - 1 : test.end_lineno]))
    plain = ast.unparse(ast.Module(test.body, []))
    try:
        same = ast.unparse(ast.parse(code)) == plain
    except SyntaxError:  # a text over several lines that starts left of its statement
        same = False
    return code if same else plain + "\n"


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
