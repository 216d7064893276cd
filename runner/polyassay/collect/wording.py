"""What a tool that edits files is told besides the task's own text."""

from collections.abc import Sequence

from polyassay.model import Style, Task


def instructions(task: Task, paths: Sequence[str], prompt_language: str, text: str = "") -> str:
    """A prompt as a file: which files to fill in, what to keep, and the task."""
    files = " and ".join(paths)
    said = text or task.prompts.get(prompt_language, "")
    lines = [f"Fill in {files}.", _kept(task), "", said.rstrip("\n"), ""]
    return "\n".join(line for line in lines if line is not None)


def _kept(task: Task) -> str:
    rule = "Change no other file, and add no tests."
    if task.style is Style.CELL:
        return f"It is the next cell of the notebook, after the cells that are given. {rule}"
    if task.class_name:
        method = f" and the signature `{task.signature}`" if task.signature else ""
        return f"Keep the class `{task.class_name}`{method}. {rule}"
    if task.entry:
        head = f" as `{task.signature}`" if task.signature else ""
        return f"It must define `{task.entry}`{head}. {rule}"
    return rule
