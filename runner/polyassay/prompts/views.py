"""What a template sees of a task: never its tests, and never its reference."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from polyassay.model import Language, Style, Task
from polyassay.prompts.names import function_name
from polyassay.prompts.settings import PromptSettings

MARGIN = "    "
CANONICAL = "canonical_solution"  # ODEX: the reference's part after the context, with its tabs


@dataclass(frozen=True, slots=True)
class TaskView:
    id: str
    suite: str
    language: str
    style: str
    text: str  # in the prompt's language
    signature: str
    entry: str
    name: str  # of the function, as the setting function_name has it
    class_name: str  # without its package
    package: str
    context: str
    libraries: tuple[str, ...]
    head: str  # the context's first line, with that name
    start: str  # the rest of it, where the answer begins; a tab is four spaces
    solution: Mapping[str, str]  # path → stub, where an answer has files of its own
    given: Mapping[str, str]  # path → source that stands beside them


@dataclass(frozen=True, slots=True)
class Stem:
    """Code before and after a completion that make a whole program of it."""

    before: str = ""
    after: str = ""


def view_of(task: Task, language: str, settings: PromptSettings) -> TaskView:
    text = task.prompts.get(language, "")
    name = function_name(settings.function_name, task.entry, text)
    head, _, start = task.context.partition("\n")
    if name != task.entry and "(" in head:
        head = f"def {name}{head[head.index('(') :]}"
    package, class_name = task.package, task.simple_class_name
    return TaskView(
        id=task.id,
        suite=task.suite,
        language=str(task.language),
        style=str(task.style),
        text=text,
        signature=task.signature,
        entry=task.entry,
        name=name,
        class_name=class_name,
        package=package,
        context=task.context.replace("\t", MARGIN),
        libraries=task.libraries,
        head=head,
        start=start.replace("\t", MARGIN),
        solution=task.solution,
        given=task.support_named_in("\n".join(task.solution.values())),
    )


def reference_of(task: Task) -> dict[str, str]:
    """An example's answer: whole, and as it continues the context."""
    return {"whole": task.reference, "continued": _continued(task)}


def _continued(task: Task) -> str:
    if CANONICAL in task.extra:
        return task.extra[CANONICAL] + task.suffix
    before = task.context.replace("\t", MARGIN)
    if task.context and task.reference.startswith(before):
        after = task.suffix.replace("\t", MARGIN)
        return task.reference.removesuffix(after)[len(before) :] + task.suffix
    return task.reference


def stem_of(task: Task, view: TaskView) -> Stem:
    """What a completion template's text ends with, where the suite has no context of its own."""
    if task.context or task.style in (Style.SETS, Style.PROGRAM, Style.CELL, Style.PYTEST):
        return Stem()
    if task.language is Language.JAVA:
        return Stem(_java_stem(view), "\n}\n")
    if task.signature:
        head = re.sub(r":?\s*$", ":", task.signature)
        return Stem(f"{head}\n", "")
    return Stem()


def _java_stem(view: TaskView) -> str:
    package = f"package {view.package};\n\n" if view.package else ""
    return (
        f"{package}import java.util.*;\n\npublic class {view.class_name} {{\n"
        f"    {view.signature.rstrip(' {;')} {{\n"
    )
