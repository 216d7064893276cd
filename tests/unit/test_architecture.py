"""The parts of the code import each other only as ARCHITECTURE.md draws it, and stay small."""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from import_graph import (
    EVERY,
    MOST_LINES,
    MOST_MODULES,
    PACKAGE,
    ROOT,
    cycle,
    drawn,
    imported_by,
    lines_by_file,
    module_graph,
    modules_by_package,
    part_graph,
    table,
)

HARNESS = ROOT / "python-harness" / "polyassay_harness"
JAVA = ROOT / "java-harness" / "src"
TEXT = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
TABLE = drawn(TEXT)
# Suites' environments have these; the modules that import them run nowhere else.
NOTEBOOKS = {"IPython", "traitlets", "nbclient", "nbformat", "jupyter_client", "pytest"}
# On the way of a candidate a class' name means one thing; these are the same thing in two forms.
ON_THE_WAY = (
    *("candidates", "dispatch", "harness", "junit", "sandbox"),
    *("helper_process.py", "model.py", "pipeline.py", "slot.py"),
)
TWO_FORMS = {
    "Failed": "a message, of a slot and of a zygote",
    "Limits": "a task's, and the same as a message",
    "Malformed": "bytes that are no message, of a JVM and of a worker",
    "Ready": "a message, of a slot and of a JVM",
    "Slot": "what a dispatcher serves, and the class that does it",
    "Test": "a task's, and the same as a message",
    "TestResult": "a verdict's, and the same as a message",
    "WorkerGone": "told to a judge, as a message in Java and raised in Python",
    "Zygote": "the process, and the runner's end of it",
}
ALIKE = 3  # files that begin with the same word want a package of their own


@pytest.fixture(scope="module")
def parts() -> dict[str, set[str]]:
    return part_graph(module_graph())


def test_every_part_is_in_the_table(parts: dict[str, set[str]]) -> None:
    assert parts.keys() == TABLE.keys() - {EVERY}


def test_parts_import_what_the_table_draws_and_nothing_else(parts: dict[str, set[str]]) -> None:
    assert {part: imported - TABLE[EVERY] for part, imported in parts.items()} == {
        part: allowed - TABLE[EVERY] for part, allowed in TABLE.items() if part != EVERY
    }


def test_no_part_and_no_module_imports_itself_in_a_circle(parts: dict[str, set[str]]) -> None:
    assert not cycle(parts)
    assert not cycle(module_graph())
    assert not cycle(module_graph(HARNESS))


def test_the_table_of_java_packages_is_the_one_that_archunit_checks() -> None:
    tests = JAVA / "test" / "java" / "com" / "polyassay" / "ArchitectureTests.java"
    checked = re.findall(r'^ {10}"(\w+)", Set\.of\((.*?)\)', tests.read_text("utf-8"), re.MULTILINE)
    _, _, section = TEXT.partition("| Java package |")
    rows = [line.split("|") for line in section.split("\n\n")[0].splitlines()[2:]]
    assert {row[1].strip(" `"): set(re.findall(r"`(\w+)`", row[3])) for row in rows} == {
        name: set(re.findall(r"\w+", used)) for name, used in checked
    }


def test_what_every_part_may_import_imports_nothing_else(parts: dict[str, set[str]]) -> None:
    assert not {name for part in TABLE[EVERY] for name in parts[part]} - TABLE[EVERY]


def test_files_that_the_text_names_are_there() -> None:
    named = set(re.findall(r"`([\w/-]+(?:\.py|\.java|/))`", TEXT)) - {"ArchitectureTests.java"}
    languages = [PACKAGE / "harness" / language for language in ("java", "python")]
    java = JAVA / "main" / "java" / "com" / "polyassay"
    folders = (ROOT, PACKAGE, HARNESS, java, PACKAGE / "measures", *languages)
    assert len(named) > 20
    assert [name for name in named if not any((f / name).exists() for f in folders)] == []


def test_packages_are_small() -> None:
    sizes = modules_by_package(PACKAGE, HARNESS)
    assert not {str(folder): count for folder, count in sizes.items() if count > MOST_MODULES}


def test_files_are_short() -> None:
    lengths = lines_by_file(ROOT / "runner", HARNESS, JAVA, ROOT / "tests", ROOT / "tools")
    assert not {str(path): count for path, count in lengths.items() if count > MOST_LINES}


@pytest.mark.parametrize("root", [PACKAGE, HARNESS], ids=["runner", "python-harness"])
def test_no_package_tells_its_files_apart_by_a_prefix(root: Path) -> None:
    for folder in {path.parent for path in root.rglob("*.py")}:
        prefixes = Counter(path.stem.split("_")[0] for path in folder.glob("[a-z]*.py"))
        alike = {prefix for prefix, count in prefixes.items() if count >= ALIKE}
        assert not alike, f"{folder} has several files that begin with {alike}"


def _classes(path: Path) -> Iterator[str]:
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.name


def test_on_the_way_of_a_candidate_a_class_name_means_one_thing() -> None:
    places = [PACKAGE / name for name in ON_THE_WAY] + [HARNESS]
    files = [
        file for place in places for file in (place.rglob("*.py") if place.is_dir() else [place])
    ]
    counts = Counter(name for file in files for name in _classes(file))
    assert {name for name, count in counts.items() if count > 1} == TWO_FORMS.keys()


def _undocumented(path: Path) -> Iterator[str]:
    """The protocols of a file, and their methods, that say nothing of themselves."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ClassDef) and any("Protocol" in ast.dump(b) for b in node.bases):
            methods = [m for m in node.body if isinstance(m, ast.FunctionDef)]
            named: list[ast.ClassDef | ast.FunctionDef] = [
                node,
                *(m for m in methods if not (m.decorator_list or _usual(m.name))),
            ]
            yield from (f"{path.stem}: {one.name}" for one in named if not ast.get_docstring(one))


def _usual(name: str) -> bool:
    return name.startswith("__") and name != "__call__"


def test_what_is_part_of_a_protocol_says_what_it_does() -> None:
    assert [found for path in sorted(PACKAGE.rglob("*.py")) for found in _undocumented(path)] == []


@pytest.mark.parametrize("path", sorted(HARNESS.rglob("*.py")), ids=lambda path: path.stem)
def test_the_python_harness_runs_on_any_python_with_its_standard_library(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"), feature_version=(3, 9))
    # A function may import what the candidate has imported already, such as numpy.
    later = _within_functions(tree)
    at_once = [node for node in ast.walk(tree) if node not in later]
    known = {*sys.stdlib_module_names, HARNESS.name}
    foreign = {name.split(".")[0] for node in at_once for name in imported_by(node)} - known
    assert foreign <= (NOTEBOOKS if "notebook" in str(path) or "pytest" in str(path) else set())


def _within_functions(tree: ast.Module) -> set[ast.AST]:
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {inner for function in functions for inner in ast.walk(function)}


class TestGraph:
    def test_a_table_reads_back_as_it_was_written(self) -> None:
        graph = {"a": {"b", "m"}, "b": {"m"}, "m": set[str]()}
        found = drawn("Words.\n\n" + table(graph, {"m"}) + "\n\nMore `words`.")
        assert found == {EVERY: {"m"}, "a": {"b"}, "b": set(), "m": set()}

    def test_a_circle_is_found(self) -> None:
        assert set(cycle({"a": {"b"}, "b": {"c"}, "c": {"a"}})) == {"a", "b", "c"}

    def test_imports_in_functions_count(self, tmp_path: Path) -> None:
        package = tmp_path / "p"
        (package / "q").mkdir(parents=True)
        (package / "__init__.py").write_text("")
        (package / "a.py").write_text("def f():\n    from p.q import c\n")
        (package / "q" / "__init__.py").write_text("")
        (package / "q" / "c.py").write_text("import p.a\n")
        modules = module_graph(package)
        assert modules["p.a"] == {"p.q.c"}
        assert part_graph(modules) == {"a": {"q"}, "q": {"a"}}
