"""Files in the form of mxeval (MBXP and its kin): Java and Python rows, any name."""

from pathlib import Path

from polyassay.model import Language, Style, Suite, Task, Test
from polyassay.suites.families import question
from polyassay.suites.make import make_suite
from polyassay.suites.native.fields import Fields
from polyassay.suites.public import java_main
from polyassay.suites.text import read_jsonl


def read(path: Path, name: str | None) -> list[Suite]:
    """One suite of a file's rows, in their order; a task's language is its row's."""
    name = name or path.name.partition(".")[0]
    rows = [Fields(f"{path}, line {number}", value) for number, value in read_jsonl(path)]
    languages = [Language(row.one_of("language", Language)) for row in rows]
    java = [row for row, language in zip(rows, languages, strict=True) if language is Language.JAVA]
    java_tasks = iter(java_main.tasks_of([_java_row(row) for row in java], name))
    tasks = [
        next(java_tasks) if language is Language.JAVA else _python_task(row, name)
        for row, language in zip(rows, languages, strict=True)
    ]
    return [make_suite(name, tasks, description="In the form of mxeval", source=path.name)]


def _java_row(fields: Fields) -> java_main.JavaMainRow:
    return java_main.JavaMainRow(
        fields, _id(fields), fields.text("prompt"), fields.text("test"), _solution(fields)
    )


def _python_task(fields: Fields, suite: str) -> Task:
    """Its test defines check(candidate), which is called with the entry point."""
    entry, prompt, solution = fields.text("entry_point"), fields.text("prompt"), _solution(fields)
    return Task(
        id=_id(fields),
        suite=suite,
        language=Language.PYTHON,
        style=Style.FUNCTION,
        prompts={"en": prompt},
        tests=(Test("test_0", code=f"{fields.text('test').rstrip()}\n\ncheck({entry})\n"),),
        entry=entry,
        context=prompt,
        cluster=question(_id(fields)),
        reference=prompt + solution if solution else "",
    )


def _id(fields: Fields) -> str:
    """As published: text in most files, a number in some."""
    number = fields.values.get("task_id")
    return str(number) if isinstance(number, int) else fields.text("task_id")


def _solution(fields: Fields) -> str:
    """Many rows have none, or null."""
    present = fields.values.get("canonical_solution") is not None
    return fields.text("canonical_solution", "") if present else ""
