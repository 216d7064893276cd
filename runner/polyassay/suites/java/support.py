"""Refuses a task's own answer among its `support`, where a misnamed reference ends up.

Everything that is judged may use the support: with the answer among it, no answer is needed.
"""

from collections.abc import Iterator, Mapping, Sequence

from polyassay.errors import PolyAssayError
from polyassay.model import Style, Task
from polyassay.suites.java.sources import JavaSource, parse

_HINT = 'nothing was added. In a JSON line a reference is "reference", and not "support".'


def answers_in_support(
    tasks: Sequence[Task], places: Mapping[str, str]
) -> Iterator[PolyAssayError]:
    """One error for each such file; `places` says where each task stands, by its id."""
    files = [(task, path) for task in tasks for path in task.support if path.endswith(".java")]
    if not files:
        return
    parsed = parse([task.support[path] for task, path in files])
    for (task, path), source in zip(files, parsed, strict=True):
        if has := _of_the_answer(task, source):
            question = f"is it the reference? Call it {task.simple_class_name}.java"
            if task.reference:
                question = "support cannot have that, because answers may use all of it"
            yield PolyAssayError(f"{places[task.id]}: {path} {has}; {question}.", _HINT)


def _of_the_answer(task: Task, source: JavaSource) -> str:
    """What of the answer a file of the support has; empty for nothing."""
    package = task.class_name.rpartition(".")[0]
    named = {found.name for found in source.classes if source.package in ("", package)}
    if task.simple_class_name in named:
        return f"defines {task.simple_class_name}, the class that answers define"
    methods = {method.name for found in source.classes for method in found.methods}
    return "has main" if task.style is Style.PROGRAM and "main" in methods else ""
