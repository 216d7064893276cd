"""The stub of a Python task: a module that compiles, and raises where the answer belongs."""

import re
from collections.abc import Sequence

from polyassay.candidates.python.syntax import names_bound, parse
from polyassay.collect.stubs.comment import comment
from polyassay.model import Task

MARGIN = "    "
RAISE = "raise NotImplementedError"


class PythonStubs:
    """Modules beside each other; see StubMaker."""

    has_folder = False

    def stub(self, task: Task, prompt_language: str) -> tuple[str, str]:
        return _stub(task, prompt_language)

    def place(self, task: Task, module: str) -> str:
        return f"{module}.py"

    def support(self, task: Task, code: str) -> dict[str, str]:
        return {}

    def build_files(self) -> dict[str, str]:
        return {}

    def joining_files(self, folders: Sequence[str]) -> dict[str, str]:
        return {}


def _stub(task: Task, prompt_language: str) -> tuple[str, str]:
    prompt = task.prompts.get(prompt_language, "")
    repeated = prompt.strip() and prompt.strip() in task.context
    code = _from_context(task) if task.context.strip() else _from_signature(task)
    if task.entry and not code:
        prompt = f"{prompt.rstrip()}\n\nIt must be called {task.entry}."
    header = "" if repeated else comment(prompt, "#")
    return header, code


def _from_context(task: Task) -> str:
    """What the publisher begins, brought to an end wherever some filling parses."""
    context = re.sub(r"\n[ \t]+\Z", "\n", task.context).replace("\t", MARGIN)
    suffix = task.suffix.replace("\t", MARGIN)
    margin = _margin(context)
    open_line = "" if context.endswith("\n") else "\n"
    raised = f"{open_line}{margin}{RAISE}\n"
    values = ("None", "...", "None)")
    inside_line = open_line and not context.endswith((":", '"', "'"))
    fillings = (*values, raised) if inside_line else (raised, *values)
    for filling in fillings:
        for end in (suffix, ""):
            code = context + filling + end
            code = code if code.endswith("\n") else code + "\n"
            tree = parse(code)
            if tree is not None and (not task.entry or task.entry in names_bound(tree)):
                return code
    return _from_signature(task)


def _margin(context: str) -> str:
    """The indentation of the body that the context has begun."""
    last = [line for line in context.splitlines() if line.strip()][-1:]
    if not last or last[0].rstrip().endswith(":"):
        return (re.match(r" *", last[0])[0] if last else "") + MARGIN  # type: ignore[index]
    found = re.match(r" +", last[0])
    return found[0] if found else MARGIN


def _from_signature(task: Task) -> str:
    """Empty where only a name is known, or not even that: a guess would mislead the tool."""
    head = task.signature.strip().removesuffix(":").rstrip()
    if not head:
        return ""
    body = "pass" if head.startswith("class ") else RAISE
    code = f"{head}:\n{MARGIN}{body}\n"
    return code if parse(code) is not None else ""
