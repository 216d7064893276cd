"""What a grader sees: plain values, that a terminal draws and a page takes as JSON."""

from dataclasses import dataclass
from difflib import SequenceMatcher

from polyassay.model import Task
from polyassay.wording import listing


@dataclass(frozen=True, slots=True)
class ShownOption:
    key: str
    label: str
    text: str
    given: bool


@dataclass(frozen=True, slots=True)
class ShownField:
    name: str
    side: str  # A or B, where two answers are in view and the field is about one
    focused: bool
    comment: str
    options: tuple[ShownOption, ...]


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    title: str
    code: str


@dataclass(frozen=True, slots=True)
class ShownKey:
    key: str
    name: str


@dataclass(frozen=True, slots=True)
class View:
    """All of a screen; nothing in it tells whose answers they are."""

    kind: str  # of session
    number: int  # of the screen, from 0
    finished: bool
    where: tuple[str, ...]  # parts of the headline, the most important first
    keys: tuple[ShownKey, ...]
    notice: str  # the answer to the last key
    closing: str = ""  # where nothing is left
    prompt: str = ""
    signature: str = ""
    rule: str = ""
    language: str = ""  # of the code
    answers: tuple[ShownAnswer, ...] = ()
    fields: tuple[ShownField, ...] = ()
    feedback: str = ""  # known scores of a calibration item
    reference: str = ""  # where it was asked for
    difference: tuple[tuple[str, str], ...] = ()  # sign and line, where it was asked for


def declared(task: Task) -> str:
    """What the prompt declares beside its words: a signature, or the files to fill in."""
    return "\n".join(part for part in (task.signature, listing(task.solution)) if part)


def difference(a: str, b: str) -> tuple[tuple[str, str], ...]:
    """Lines of both, with a sign where only one of them has it."""
    left, right = a.rstrip("\n").split("\n"), b.rstrip("\n").split("\n")
    found: list[tuple[str, str]] = []
    for kind, i, j, k, m in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if kind == "equal":
            found.extend((" ", line) for line in left[i:j])
        else:
            found.extend(("-", line) for line in left[i:j])
            found.extend(("+", line) for line in right[k:m])
    return tuple(found)
