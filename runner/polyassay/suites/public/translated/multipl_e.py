"""MultiPL-E in Java and in Python: gives multipl-e-java or multipl-e-python.

Its Java prompts open a class Problem whose last member is the method that the answer completes;
its tests are the assertions of a main. Here each assertion is a JUnit test of its own. In Python
one check() is one test, as in HumanEval.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from polyassay.errors import PolyAssayError
from polyassay.model import Language, Style, Suite, Task, Test
from polyassay.suites.families import question
from polyassay.suites.java.sources import JavaSource, parse
from polyassay.suites.make import make_suite
from polyassay.suites.manifest import find_file, load_manifest, sha256
from polyassay.suites.native.fields import Fields
from polyassay.suites.text import read_jsonl

JAR = "javatuples-1.2.jar"  # what the prompts import
LANGUAGES = {"java": Language.JAVA, "py": Language.PYTHON, "python": Language.PYTHON}
_IMPORT = re.compile(r"^\s*import\s[^;]+;\s*?\n", re.MULTILINE)
_MAIN = re.compile(r"\bvoid main\(String\[\] args\)\s*\{\n(.*?)\n\s*\}\s*\}\s*$", re.DOTALL)
_ASSERT = re.compile(r"\s*assert\s*\((.*)\);\s*$", re.DOTALL)
_CHECKED = re.compile(r"^\s+check\((\w+)\)\s*$", re.MULTILINE)
_QUOTED = re.compile(r'("(?:\\.|[^"\\])*")')

TEST_SOURCE = """\
{imports}import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class ProblemTest {{
{tests}}}
"""
TEST = """\
  @Test
  void test_{number}() throws Throwable {{
    Assertions.assertTrue({condition});
  }}
"""


def read(path: Path, name: str | None) -> list[Suite]:
    """A published file, or a folder that has one; of Java also the jar that its prompts import."""
    file = find_file(path, "*-java.jsonl*" if any(path.rglob("*-java.jsonl*")) else "*-py.jsonl*")
    rows = [Fields(f"{file}, line {number}", value) for number, value in read_jsonl(file)]
    _refuse_other_forms(file, rows[0])
    language = _language(rows)
    suite = name or f"multipl-e-{language}"
    manifest = load_manifest("multipl-e")
    java = language is Language.JAVA
    return [
        make_suite(
            suite,
            _java_tasks(rows, suite) if java else [_python_task(row, suite) for row in rows],
            version=manifest.version_of({file.name.removesuffix(".gz"): file}),
            description=manifest.description,
            **manifest.about,
            jars=[_jar(path, manifest.fields.text_map("jars")[JAR])] if java else [],
        )
    ]


def _refuse_other_forms(file: Path, row: Fields) -> None:
    """Model builders keep HumanEval-X's Python rows beside MultiPL-E's files, named like one."""
    if "name" not in row.values and str(row.values.get("task_id")).startswith("Python/"):
        raise PolyAssayError(
            f"{file} has the rows of HumanEval-X in Python (task_id Python/0), not MultiPL-E's.",
            "MultiPL-E's Python file is humaneval-py.jsonl; HumanEval itself is of the kind "
            "humaneval.",
        )


def _language(rows: Sequence[Fields]) -> Language:
    """Of the whole file."""
    for row in rows:
        row.texts("stop_tokens")
        if row.text("language") not in LANGUAGES:
            row.refuse("language", f"must be one of {', '.join(LANGUAGES)}")
        if row.text("language") != rows[0].text("language"):
            row.refuse("language", "must be the same in every line")
    return LANGUAGES[rows[0].text("language")]


def _jar(path: Path, checksum: str) -> Path:
    """Beside the file, or below the folder; this very release, because verdicts depend on it."""
    folder = path if path.is_dir() else path.parent
    for jar in sorted(folder.rglob(JAR)):
        if sha256(jar) == checksum:
            return jar
    raise PolyAssayError(
        f"MultiPL-E's Java tasks need {JAR}, and {folder} does not have it.",
        "put the jar of org.javatuples:javatuples:1.2 (Maven Central) beside the file.",
    )


def _java_tasks(rows: Sequence[Fields], suite: str) -> list[Task]:
    opened = parse([row.text("prompt") + "\n}}" for row in rows])
    return [_java_task(row, source, suite) for row, source in zip(rows, opened, strict=True)]


def _java_task(row: Fields, source: JavaSource, suite: str) -> Task:
    prompt = row.text("prompt")
    if source.problem or not source.classes or not source.classes[-1].methods:
        row.refuse("prompt", "must end within a Java method")
    asked = source.classes[-1]
    method = asked.methods[-1]
    conditions = _conditions(row, method.name, asked.name)
    tests = [TEST.format(number=n, condition=each) for n, each in enumerate(conditions)]
    imports = "".join(_IMPORT.findall(prompt))
    return Task(
        id=row.text("name"),
        suite=suite,
        language=Language.JAVA,
        style=Style.JUNIT,
        prompts={"en": prompt},
        tests=tuple(Test(f"test_{n}") for n in range(len(tests))),
        class_name=asked.name,
        cluster=question(row.text("name")),
        signature=method.signature,
        context=prompt,
        test_source=TEST_SOURCE.format(imports=imports, tests="\n".join(tests)),
    )


def _conditions(row: Fields, method: str, class_name: str) -> list[str]:
    """What is asserted, with the method called by its class."""
    main = _MAIN.search(row.text("tests"))
    lines = [line for line in main[1].split("\n") if line.strip()] if main else []
    found = [_ASSERT.match(line) for line in lines]
    if not found or not all(found):
        row.refuse("tests", "must be a main whose lines are assertions")
    return [_qualified(each[1], method, class_name) for each in found if each]


def _qualified(condition: str, method: str, class_name: str) -> str:
    call = re.compile(rf"(?<![\w.]){re.escape(method)}\(")
    pieces = _QUOTED.split(condition)  # every other piece is a string literal
    pieces[::2] = [call.sub(f"{class_name}.{method}(", piece) for piece in pieces[::2]]
    return "".join(pieces)


def _python_task(row: Fields, suite: str) -> Task:
    prompt, tests = row.text("prompt"), row.text("tests")
    called = _CHECKED.search(tests)
    if called is None or "def check(candidate):" not in tests:
        row.refuse("tests", "must define check(candidate) and call it")
    return Task(
        id=row.text("name"),
        suite=suite,
        language=Language.PYTHON,
        style=Style.FUNCTION,
        prompts={"en": prompt},
        tests=(Test("test_0", tests.strip("\n") + "\n"),),
        entry=called[1],
        context=prompt,
        cluster=question(row.text("name")),
    )
