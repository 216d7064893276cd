"""Edits that make an answer's class and methods what the task's tests call."""

from dataclasses import dataclass, field
from itertools import pairwise

from polyassay.candidates.java.syntax import FAR, Signature, TypeShape, method_names
from polyassay.candidates.java.tokens import TYPE_WORDS, Edit, Token
from polyassay.model import Task

ACCESS = frozenset(("public", "protected", "private"))


@dataclass(slots=True)
class EditedAnswer:
    """One answer on its way: the code as it is edited, and what is told about it."""

    task: Task
    code: str
    notes: list[str] = field(default_factory=list)
    imports: list[str] = field(default_factory=list)  # taken out of a method's surroundings
    hoists: bool = False  # the answer is a chat, whose types may have been files each

    def note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    @property
    def overrides(self) -> str:
        """The class that the answer must extend; its methods are instance methods."""
        return self.task.extra.get("extends", "")


def rename_edits(found: list[Token], old: str, new: str) -> list[Edit]:
    return [
        Edit(token.start, token.end, new)
        for index, token in enumerate(found)
        if token.text == old and not (index and found[index - 1].text == ".")
    ]


def type_edits(work: EditedAnswer, main: TypeShape, found: list[Token]) -> list[Edit]:
    """Makes the main class public where a package is around, and lets it extend what it must."""
    index = _type_word(found, main.name)
    if index is None:
        return []
    edits: list[Edit] = []
    first = index
    while first and found[first - 1].kind == "word" and found[first - 1].depth == 0:
        first -= 1
    if "." in work.task.class_name and not {t.text for t in found[first:index]} & ACCESS:
        edits.append(Edit(found[first].start, found[first].start, "public "))
    if work.overrides and not main.extends and found[index].text == "class":
        place = next((t for t in found[index + 2 :] if t.text in ("{", "implements")), None)
        if place is not None:
            edits.append(Edit(place.start, place.start, f"extends {work.overrides} "))
            work.note(f"added: extends {work.overrides.rpartition('.')[2]}")
    return edits


def helper_edits(work: EditedAnswer, main: TypeShape, found: list[Token]) -> list[Edit]:
    """A file has one public type, and this one is the main class's."""
    if not work.hoists:
        return []
    edits: list[Edit] = []
    for index, (token, name) in enumerate(pairwise(found)):
        if token.depth or token.text not in TYPE_WORDS or name.text == main.name:
            continue
        first = index
        while first and found[first - 1].kind == "word" and found[first - 1].depth == 0:
            first -= 1
        public = [each for each in found[first:index] if each.text == "public"]
        edits += [Edit(each.start, each.end, "") for each in public]
    if edits:
        work.note("helpers' public left out")
    return edits


def _type_word(found: list[Token], name: str) -> int | None:
    for index in range(len(found) - 1):
        token = found[index]
        if token.depth == 0 and token.text in TYPE_WORDS and found[index + 1].text == name:
            return index
    return None


def method_edits(
    work: EditedAnswer, members: list[Token], signature: Signature, *, own: bool
) -> list[Edit]:
    """Edits of modifiers; `own`: the class around is ours, so all methods follow the task's."""
    edits: list[Edit] = []
    wants_static = signature.static and not work.overrides
    for index in method_names(members):
        target = members[index].text == signature.name
        if own or target:
            head = members[_first_modifier(members, index) : index]
            if target and signature.public and not {t.text for t in head} & ACCESS:
                edits.append(Edit(head[0].start, head[0].start, "public "))
                work.note("added: public")
            edits += _static_edits(work, head, wants_static)
    if own and wants_static:
        for index, token in enumerate(members):
            if token.text == "class" and (not index or members[index - 1].text != "."):
                head = members[_first_modifier(members, index) : index + 1]
                edits += _static_edits(work, head, wants_static)
    return edits


def _static_edits(work: EditedAnswer, head: list[Token], wants_static: bool) -> list[Edit]:
    static = next((token for token in head if token.text == "static"), None)
    if static is not None and work.overrides:
        work.note("static left out")
        end = static.end + (work.code[static.end : static.end + 1] == " ")
        return [Edit(static.start, end, "")]
    if static is None and wants_static:
        work.note("added: static")
        access = next((token for token in head if token.text in ACCESS), None)
        if access is not None:
            return [Edit(access.end, access.end, " static")]
        return [Edit(head[0].start, head[0].start, "static ")]
    return []


def _first_modifier(members: list[Token], index: int) -> int:
    """Where a declaration begins, behind its annotations."""
    first = index
    while first > max(0, index - FAR) and members[first - 1].text not in (";", "}", "{", ")"):
        first -= 1
    while members[first].text == "@" and first + 2 < index:
        first += 2
    return first
