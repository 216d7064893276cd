"""A task as a JSON object, the way native files have it, and back.

Fields that hold their default are left out, so that a file written by hand and the same task
written by us look alike.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from polyassay.comparison.output import rule_of
from polyassay.errors import Mistakes
from polyassay.model import Language, Limits, Style, Task, Test
from polyassay.suites.native.fields import Fields
from polyassay.wording import listing

TEXTS = ("entry", "class_name", "signature", "context", "suffix", "setup", "test_source")
FIELDS = (
    *("id", "suite", "language", "style", "prompts", "tests", *TEXTS, "support", "files"),
    "solution",
    *(
        "reference",
        "libraries",
        "jars",
        "tags",
        "limits",
        "needs_network",
        "tests_build_on_each_other",
    ),
    *("cluster", "together_because", "together_by_author", "extra"),
)
FLAGS = ("needs_network", "tests_build_on_each_other", "together_by_author")
# What belongs in `extra`, with an example and the styles: beside it, it would change no verdict.
IN_EXTRA = {
    "output": ("exact", (Style.PROGRAM,)),
    "tolerance": ("1e-6", (Style.PROGRAM,)),
    "published_total": ("4", tuple(Style)),
    "extends": ("Base", (Style.JUNIT,)),
    "module": ("answer", (Style.PYTEST,)),
}
TEST_FIELDS = ("name", "code", "stdin", "stdout")
LIMIT_FIELDS = ("seconds", "total_seconds", "memory_mb")
# What a style cannot do without, besides tests.
NEEDED = {
    Style.FUNCTION: ("entry",),
    Style.CLASS: ("entry",),
    Style.PYTEST: ("test_source",),
    Style.JUNIT: ("class_name", "test_source"),
}

# What a Java program is where its task does not say otherwise.
JAVA_PROGRAM = {"class_name": "Main", "signature": "public static void main(String[] args)"}


def task_from(fields: Fields, suite: str) -> Task:
    """The task that an object describes; a PolyAssayError names all fields that are wrong."""
    mistakes = Mistakes()
    mistakes.read(fields.refuse_typos, FIELDS)
    language, style = mistakes.read(_language, fields), mistakes.read(_style, fields)
    if style is Style.PROGRAM and language is Language.JAVA:
        fields = Fields(fields.where, {**JAVA_PROGRAM, **fields.values})
    found: dict[str, Any] = {name: mistakes.read(read, fields) for name, read in _PARTS.items()}
    found |= {name: mistakes.read(fields.text, name, "") for name in TEXTS}
    for name in ("entry", "class_name"):
        mistakes.read(_refuse_unusable_name, fields, name)
    if style is not None:
        for name in NEEDED.get(style, ()):
            mistakes.read(fields.text, name)
        mistakes.read(_refuse_misfits, fields, language, style)
        mistakes.read(refuse_outside_extra, fields, style)
        found["tests"] = mistakes.read(_tests, fields, style)
    mistakes.tell()
    files = found["reference_files"]
    reference = listing(files) if files else fields.text("reference", "")
    found |= {"language": language, "style": style, "reference": reference}
    return Task(suite=suite, **found)


def _language(fields: Fields) -> Language:
    return Language(fields.one_of("language", Language))


def _style(fields: Fields) -> Style:
    return Style(fields.one_of("style", Style))


def _refuse_unusable_name(fields: Fields, name: str) -> None:
    if not all(part.isidentifier() for part in fields.text(name, "x").split(".")):
        fields.refuse(name, f"must be a name that code can use, found {fields.text(name)}")


def _refuse_misfits(fields: Fields, language: Language | None, style: Style) -> None:
    """What does not go together."""
    either = language is None or style in (Style.RUBRIC, Style.PROGRAM)
    if not either and (style is Style.JUNIT) != (language is Language.JAVA):
        fields.refuse("style", f"{style} does not go with the language {language}")
    if style is Style.RUBRIC and not fields.text_map("prompts"):
        fields.refuse("prompts", "must hold at least one prompt, because people grade by it")


def _extra(fields: Fields) -> dict[str, str]:
    extra = fields.text_map("extra")
    if not re.fullmatch(r"[1-9]\d{0,5}", extra.get("published_total", "1")):
        fields.refuse("extra.published_total", "must be a whole number above zero, as text")
    try:
        rule_of(extra)
    except ValueError as error:
        fields.refuse("extra", f"is wrong about the output: {error}")
    return extra


def refuse_outside_extra(fields: Fields, *styles: Style) -> None:
    for name, (example, fitting) in IN_EXTRA.items():
        if name in fields.values and set(fitting).intersection(styles):
            hint = f'put it there, as text, as in {name} = "{example}".'
            fields.refuse(name, 'means nothing here, and belongs in "extra"', hint)


def task_of_author(fields: Fields, suite: str) -> Task:
    """A task as its author wrote it, who has asked for together where that is given a reason."""
    task = task_from(fields, suite)
    return replace(task, together_by_author=bool(task.together_because))


def task_to(task: Task) -> dict[str, object]:
    """The object that `task_from` reads as this task; its order of fields never changes."""
    found: dict[str, object] = {
        "id": task.id,
        "language": str(task.language),
        "style": str(task.style),
        "prompts": dict(task.prompts),
        "tests": _sets_to(task)
        if task.style is Style.SETS
        else [_test_to(t, task.style) for t in task.tests],
        **{name: getattr(task, name) for name in TEXTS},
        "support": dict(task.support),
        "files": dict(task.data_files),
        "solution": dict(task.solution),
        "reference": dict(task.reference_files) or task.reference,
        "libraries": list(task.libraries),
        "jars": dict(task.jars),
        "tags": list(task.tags),
        "limits": _changed_limits(task.limits),
        "needs_network": task.needs_network,
        "tests_build_on_each_other": task.tests_build_on_each_other,
        "cluster": task.cluster,
        "together_because": task.together_because,
        "together_by_author": task.together_by_author,
        "extra": dict(task.extra),
    }
    return {name: value for name, value in found.items() if value or name == "prompts"}


def _tests(fields: Fields, style: Style) -> tuple[Test, ...]:
    if style is Style.SETS:
        return _set_tests(fields.object("tests"))
    if style is Style.RUBRIC:
        if fields.list("tests"):
            fields.refuse("tests", "must be missing, because people grade this task")
        return ()
    if style in (Style.JUNIT, Style.PYTEST) and "tests" not in fields.values:
        return ()  # those of test_source, which the JDK's parser or the suite's pytest will find
    if "tests" not in fields.values:
        fields.refuse_missing("tests")
    mistakes = Mistakes()
    found = [
        mistakes.read(_test, f"{fields.where}, tests[{index}]", item, f"test_{index}", style)
        for index, item in enumerate(fields.list("tests"))
    ]
    mistakes.tell()
    tests = [test for test in found if test is not None]
    if not tests:
        fields.refuse("tests", "must not be empty")
    _refuse_twins(fields, tests)
    return tuple(tests)


def _test(where: str, item: object, default_name: str, style: Style) -> Test:
    fields = Fields(where, item)
    fields.refuse_typos(TEST_FIELDS)
    if style in (Style.FUNCTION, Style.CLASS):
        fields.text("code")
    if style is Style.PROGRAM and "stdout" not in fields.values:
        fields.refuse("stdout", "is missing")
    name = fields.text("name") if "name" in fields.values else default_name
    return Test(name, *(fields.text(field, "") for field in ("code", "stdin", "stdout")))


def _set_tests(fields: Fields) -> tuple[Test, ...]:
    if not fields.values:
        fields.refuse("tests", "must hold at least one assertion set")
    for name in fields.values:
        if not name or not fields.texts(name):
            fields.refuse(name, "must be a set with a name and at least one assertion")
    return tuple(
        Test(f"{name}/test_{index}", code)
        for name in fields.values
        for index, code in enumerate(fields.texts(name))
    )


def _sets_to(task: Task) -> dict[str, list[str]]:
    return {name: [test.code for test in tests] for name, tests in task.sets.items()}


def _test_to(test: Test, style: Style) -> dict[str, str]:
    found = {name: getattr(test, name) for name in TEST_FIELDS if getattr(test, name)}
    return found | {"stdout": test.stdout} if style is Style.PROGRAM else found


def _reference_files(fields: Fields) -> dict[str, str]:
    """A reference of files; empty where it is one text."""
    if not isinstance(fields.values.get("reference"), dict):
        return {}
    files = fields.paths("reference")
    if not files or not fields.paths("solution"):
        fields.refuse("reference", 'may be files only where the task has a "solution"')
    return files


def _jars(fields: Fields) -> dict[str, str]:
    jars = fields.text_map("jars")
    for name, checksum in jars.items():
        if not re.fullmatch(r"[0-9a-f]{64}", checksum):
            fields.refuse("jars", f"must have the SHA-256 of each jar, and that of {name} is none")
    return jars


def _limits(task: Fields) -> Limits:
    fields = task.object("limits")
    for name in fields.values:
        if name not in LIMIT_FIELDS:
            fields.refuse(name, f"is not a limit; limits are {', '.join(LIMIT_FIELDS)}")
    usual = Limits()
    return Limits(
        fields.positive("seconds", usual.seconds),
        fields.positive("total_seconds", usual.total_seconds),
        fields.positive("memory_mb", usual.memory_mb),
    )


def _changed_limits(limits: Limits) -> dict[str, float]:
    usual = Limits()
    return {
        name: getattr(limits, name)
        for name in LIMIT_FIELDS
        if getattr(limits, name) != getattr(usual, name)
    }


def _refuse_twins(fields: Fields, tests: list[Test]) -> None:
    seen: set[str] = set()
    for index, test in enumerate(tests):
        if test.name in seen:
            fields.refuse(f"tests[{index}].name", f'repeats "{test.name}"')
        seen.add(test.name)


# What a task has beside its texts, and what depends on its style.
_PARTS: Mapping[str, Callable[[Fields], object]] = {
    "id": lambda fields: fields.text("id"),
    "prompts": lambda fields: fields.text_map("prompts"),
    "support": lambda fields: fields.paths("support"),
    "data_files": lambda fields: fields.encoded_files("files"),
    "solution": lambda fields: fields.paths("solution"),
    "reference_files": _reference_files,
    "libraries": lambda fields: fields.texts("libraries"),
    "jars": _jars,
    "tags": lambda fields: fields.texts("tags"),
    "limits": _limits,
    "needs_network": lambda fields: fields.flag("needs_network"),
    "tests_build_on_each_other": lambda fields: fields.flag("tests_build_on_each_other"),
    "cluster": lambda fields: fields.text("cluster", ""),
    "together_because": lambda fields: fields.text("together_because", ""),
    "together_by_author": lambda fields: fields.flag("together_by_author"),
    "extra": _extra,
}
