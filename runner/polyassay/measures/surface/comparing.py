"""Which texts are compared: like with like, an answer's part with the same part of a reference."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from polyassay.model import Task


@dataclass(frozen=True, slots=True)
class ComparedTexts:
    answer: str
    references: tuple[str, ...]
    language: str


def comparison(
    task: Task, answer: str, published: bool, others: Sequence[str] = ()
) -> ComparedTexts | None:
    """None where there is nothing to compare with.

    Both sides lose the code that the task gave: what is left is what the tool wrote. Where an
    answer writes the task's function anew all the same, whole functions are compared, except by
    the published scripts' rule, which knows only what they were given. `others` are further
    references: other answers that pass.
    """
    text = without_given(answer, task)
    known = [task.reference, *others] if task.reference else list(others)
    if not known:
        return None
    whole = not published and text == answer and _defines_entry(text, task)
    references = known if whole else [without_given(reference, task) for reference in known]
    if published:
        text = text.replace("\t", "    ") if "\t" not in "".join(references) else text
    return ComparedTexts(text, tuple(dict.fromkeys(references)), task.language.value)


def without_given(code: str, task: Task) -> str:
    """Code without the context before it and the suffix after it, if it repeats them."""
    for spaced in (False, True):
        before, after = task.context, task.suffix
        if spaced:
            before, after = before.replace("\t", "    "), after.replace("\t", "    ")
        if before.strip() and code.startswith(before):
            code = code[len(before) :]
            return code.removesuffix(after) if after.strip() else code
    return code


def _defines_entry(code: str, task: Task) -> bool:
    name = re.escape(task.entry or _method(task.signature))
    if not name:
        return False
    if task.language.value == "python":
        return bool(re.search(rf"^\s*(async\s+)?(def|class)\s+{name}\b", code, re.MULTILINE))
    return bool(re.search(rf"[\w>\]]\s+{name}\s*\([^;{{]*\{{", code))


def _method(signature: str) -> str:
    found = re.search(r"(\w+)\s*\(", signature)
    return found[1] if found else ""
