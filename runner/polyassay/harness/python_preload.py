"""What a zygote imports ahead for a task, so that no candidate of it has to."""

import re
from collections.abc import Set

from polyassay.environments import Interpreter
from polyassay.model import Task

_IMPORT = re.compile(r"(?m)^[ \t]*(?:import|from)[ \t]+([\w.]+)(?:[ \t]+import[ \t]+(\w+))?")
# What a library imports only when it is asked for something, by a word that shows it.
_LATER = (
    ("pandas", re.compile(r"\.(plot|hist|boxplot)\b"), "matplotlib.pyplot"),
    ("pandas", re.compile(r"\.(read|to)_excel\b|\.ExcelWriter\b"), "openpyxl"),
)


def preload(task: Task, interpreter: Interpreter) -> tuple[str, ...]:
    """The task's libraries and, of their parts, those that its own code imports in any case.

    A part that only an answer could import stays unknown until it does, as in a fresh interpreter.
    """
    own = "\n".join((task.context, task.setup, *(test.code for test in task.tests)))
    names = set(task.libraries)
    for module, name in _IMPORT.findall(own):
        names |= {module, f"{module}.{name}"} if name else {module}  # a name may be a module
    shown = f"{own}\n{task.reference}"
    names |= {later for name, word, later in _LATER if name in names and word.search(shown)}
    there = {name for name in names if _top(name) in interpreter.installed}
    # What another one brings along need not be named, so that fewer zygotes serve more tasks.
    brought = {other for name in there for other in _brought(_top(name), interpreter.needs)}
    return tuple(sorted(name for name in there if name not in brought))


def _brought(module: str, needs: Set[tuple[str, str]]) -> set[str]:
    return {other for name, other in needs if name == module and other != module}


def _top(name: str) -> str:
    return name.partition(".")[0]
