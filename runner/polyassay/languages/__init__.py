"""The table of languages: everything outside of a language's own packages that depends on it.

A new language is a package for its answers (`candidates/NAME`), one for its harness
(`harness/NAME`), and a row here. A row names code by its path, "package.module:name", which is
imported when it is first asked for: a run in Python loads no parser for Java.

    >>> LANGUAGES[Language.JAVA].fence_tags
    frozenset({'java'})
"""

import pkgutil
from collections.abc import Mapping
from typing import Any

from polyassay.languages import java, python
from polyassay.languages.row import LanguageRow, NeededProgram, Trial
from polyassay.model import Language, Style, Task

__all__ = ["LANGUAGES", "LanguageRow", "NeededProgram", "Trial", "harness_key", "imported"]

LANGUAGES: Mapping[Language, LanguageRow] = {
    Language.JAVA: java.ROW,
    Language.PYTHON: python.ROW,
}

WORKER = "worker"  # the engine that every language has

# (language or style, engine) → the path of a class whose instances are made with RunSettings
HARNESSES: Mapping[tuple[str, str], str] = {
    (kind, engine): path
    for language, row in LANGUAGES.items()
    for kind, paths in ((language, row.harnesses), (Style.CELL, row.cell_harnesses))
    for engine, path in paths.items()
}


def harness_key(task: Task, engine: str) -> tuple[str, str]:
    """The key of a task's harness; an engine that cannot run the task leaves it to `worker`."""
    kind = Style.CELL if task.style is Style.CELL else task.language
    if task.style is Style.PROGRAM:
        return kind, WORKER
    return (kind, engine) if (kind, engine) in HARNESSES else (kind, WORKER)


def imported(path: str) -> Any:
    """What a row names by its path."""
    return pkgutil.resolve_name(path)
