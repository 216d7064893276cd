"""Java tasks whose test is a class Main that throws on failure: HumanEval-X, and mxeval's files.

The prompt opens a class and, as its last member, the method that the answer completes. Main is the
publisher's unit, so such a task has one test, which calls it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from polyassay.model import Language, Style, Task, Test
from polyassay.suites.families import question
from polyassay.suites.java.sources import JavaClass, JavaSource, Method, parse
from polyassay.suites.native.fields import Fields

TEST_SOURCE = """\
import org.junit.jupiter.api.Test;

/** Passes when Main returns; that it exits is no pass. */
class {class_name}Test {{
  @Test
  void test_0() throws Throwable {{
    Main.main(new String[0]);
  }}
}}
"""


@dataclass(frozen=True, slots=True)
class JavaMainRow:
    """What publishers give, by their names for it."""

    fields: Fields
    task_id: str
    prompt: str
    test: str
    canonical_solution: str


def tasks_of(rows: Sequence[JavaMainRow], suite: str) -> list[Task]:
    """One task a row; parsed together, because the parser's start is what costs."""
    if not rows:
        return []
    opened = parse([row.prompt + "\n}}" for row in rows])
    return [_task(row, source, suite) for row, source in zip(rows, opened, strict=True)]


def _task(row: JavaMainRow, source: JavaSource, suite: str) -> Task:
    if source.problem or not source.classes or not source.classes[-1].methods:
        row.fields.refuse("prompt", "must end within a Java method" + _because(source))
    if not re.search(r"\bclass\s+Main\b", row.test):
        row.fields.refuse("test", "must hold a Java class Main")
    asked: JavaClass = source.classes[-1]
    method: Method = asked.methods[-1]
    imports = "".join(re.findall(r"^\s*import\s[^;]+;\s*?\n", row.prompt, re.MULTILINE))
    return Task(
        id=row.task_id,
        suite=suite,
        language=Language.JAVA,
        style=Style.JUNIT,
        prompts={"en": row.prompt},
        tests=(Test("test_0"),),
        class_name=asked.name,
        cluster=question(row.task_id),
        signature=method.signature,
        context=row.prompt,
        test_source=TEST_SOURCE.format(class_name=asked.name),
        support={"Main.java": imports + "\n" + row.test.lstrip("\n")},
        reference=row.prompt + row.canonical_solution if row.canonical_solution else "",
    )


def _because(source: JavaSource) -> str:
    return f" ({source.problem})" if source.problem else ""
