"""What a zygote imports ahead for a task, so that no candidate of it has to."""

import re
from collections.abc import Iterable, Set

from polyassay.environments import Interpreter
from polyassay.model import Task

_IMPORT = re.compile(r"(?m)^[ \t]*(?:import|from)[ \t]+([\w.]+)(?:[ \t]+import[ \t]+(\w+))?")
# What a library imports only when it is asked for something, by a word that shows it.
_LATER = (
    ("pandas", re.compile(r"\.(plot|hist|boxplot)\b"), "matplotlib.pyplot"),
    ("pandas", re.compile(r"\.(read|to)_excel\b|\.ExcelWriter\b"), "openpyxl"),
    ("matplotlib.pyplot", re.compile(""), "matplotlib.backends.backend_agg"),
)
_COSTLY = ("unittest", "asyncio", "multiprocessing", "http.", "urllib.request")


def preload(task: Task, interpreter: Interpreter) -> tuple[str, ...]:
    """The task's libraries and, of their parts, those that its own code imports in any case.

    A part that only an answer could import stays unknown until it does, as in a fresh interpreter.
    """
    own = "\n".join((task.context, task.setup, *(test.code for test in task.tests)))
    names = set(task.libraries)
    for module, name in _IMPORT.findall(own):
        names |= {module, f"{module}.{name}"} if name else {module}  # a name may be a module
    shown = f"{own}\n{task.reference}"
    for name, word, later in _LATER:
        if name in names and word.search(shown):
            names.add(later)
    there = {name for name in names if _top(name) in interpreter.installed}
    # What another one brings along need not be named, so that fewer zygotes serve more tasks.
    along = brought(there, interpreter)
    if "numpy" in there | along:
        there.add("numpy.random")  # which older versions import with the rest
    return tuple(sorted((there | _costly(names)) - along))


def brought(names: Iterable[str], interpreter: Interpreter) -> set[str]:
    """What their libraries require."""
    tops = {_top(name) for name in names}
    return {other for name, other in interpreter.needs if name in tops and other != name}


def _costly(names: Set[str]) -> set[str]:
    """Parts of Python itself that take as long to import as many a candidate takes in all."""
    return {name for name in names if name.startswith(_COSTLY)}


def _top(name: str) -> str:
    return name.partition(".")[0]
