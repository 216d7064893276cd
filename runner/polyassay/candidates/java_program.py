"""From an answer to one Java compilation unit whose main class is the one that the tests call.

The answer's lines stay as they are and stay together, below a head that is made here, so that
javac's line numbers can be told in the answer's own. What is neither class, method nor body goes
on as it is: javac decides.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from polyassay.candidates.chat import clean, code_blocks, has_fence
from polyassay.candidates.java_empty import empty_java
from polyassay.candidates.java_imports import declared_types, missing_imports
from polyassay.candidates.java_syntax import (
    Kind,
    Shape,
    Signature,
    TypeShape,
    is_method_head,
    read_shape,
    read_signature,
)
from polyassay.candidates.java_tokens import (
    TYPE_WORDS,
    Edit,
    Token,
    blank,
    edited,
    joined_operators,
    missing_closers,
    tokens,
    without_extra_closers,
)
from polyassay.model import AnswerForm, Candidate, Program, Task

ACCESS = frozenset(("public", "protected", "private"))
CODE_START = re.compile(
    r"\s*(import|package|public|private|protected|static|final|abstract|class|interface|enum|record"
    r"|@\w|/\*|//|[\w<>\[\], .?]+\s+\w+\s*\([^;]*\{)"
)


@dataclass(slots=True)
class Work:
    """One answer on its way: the code as it is edited, and what is told about it."""

    task: Task
    code: str
    notes: list[str] = field(default_factory=list)
    imports: list[str] = field(default_factory=list)  # taken out of a method's surroundings


def java_program(task: Task, candidate: Candidate) -> Program:
    if candidate.form is AnswerForm.EMPTY:
        return empty_java(task)
    text = clean(candidate.answer)
    if not text.strip():
        return Program("", problem="the answer is empty")
    work = Work(task, text)
    if candidate.form is not AnswerForm.PROGRAM and has_fence(text):
        _take_block(work)
    answer = work.code
    work.code = joined_operators(work.code)
    if work.code != answer:
        work.notes.append("operators put together")
    found = tokens(work.code)
    shape = read_shape(work.code, found)
    if not shape.parsed and candidate.form is AnswerForm.ANSWER and _cut_prose(work):
        answer = work.code
        found = tokens(work.code)
        shape = read_shape(work.code, found)
    head, code, tail = _laid_out(work, shape, found, candidate.form)
    head = _head(work, code, head) + head
    notes = tuple(work.notes)
    return Program(head + code + tail, head.count("\n") + 1, answer, notes)


def _laid_out(
    work: Work, shape: Shape, found: list[Token], form: AnswerForm
) -> tuple[str, str, str]:
    """What stands before the code (imports aside), the code, and what stands after it."""
    task = work.task
    if shape.kind is Kind.UNIT:
        return "", _as_unit(work, shape, found), ""
    if shape.kind is Kind.MEMBERS or not (task.signature or task.context):
        work.notes.append("a method, put into a class")
        return _class_head(task), *_as_members(work, found)
    if task.context and (form is AnswerForm.COMPLETION or not task.signature):
        return _as_completion(work)
    if task.context:
        work.notes.append("a body, put under the task's signature")
        return _as_completion(work)
    work.notes.append("a body, put under the task's signature")
    signature = read_signature(task.signature).text
    if "extends" in task.extra:
        signature = re.sub(r"\bstatic\s+", "", signature)
    return f"{_class_head(task)}{signature} {{\n", *_closed(work, open_braces=2)


def _take_block(work: Work) -> None:
    """The fenced block that has the method or the class; else the first."""
    blocks = code_blocks(work.code, "java")
    if not blocks:
        return
    name = read_signature(work.task.signature).name or work.task.class_name.rpartition(".")[2]
    declares = re.compile(rf"\b{re.escape(name)}\s*[(<{{]")
    chosen = next((n for n, block in enumerate(blocks) if declares.search(block.code)), 0)
    many = len(blocks) > 1
    work.code = blocks[chosen].code
    work.notes.append(
        f"from fenced block {chosen + 1} of {len(blocks)}" if many else "from a fenced block"
    )


def _cut_prose(work: Work) -> bool:
    """Lines before the first that looks like Java, and after the last brace, are prose."""
    lines = work.code.splitlines(keepends=True)
    start = next((n for n, line in enumerate(lines) if CODE_START.match(line)), None)
    ends = [n for n, line in enumerate(lines) if re.search(r"[};]\s*(//.*)?$", line)]
    if start is None or not ends or ends[-1] < start:
        return False
    code = "".join(lines[start : ends[-1] + 1])
    if code.strip() == work.code.strip():
        return False
    work.code = code
    work.notes.append("prose around the code left out")
    return True


def _head(work: Work, code: str, before: str) -> str:
    """Package and imports, one a line."""
    found = tokens(before + code)
    imported = _own_imports(found) + [name.removeprefix("static ") for name in work.imports]
    added = missing_imports(found, imported, declared_types(found), work.task)
    if added:
        work.notes.append("added: import " + ", ".join(added))
    package = work.task.class_name.rpartition(".")[0]
    lines = [f"package {package};"] if package else []
    lines += [f"import {name};" for name in (*work.imports, *added)]
    return "".join(line + "\n" for line in lines)


def _own_imports(found: list[Token]) -> list[str]:
    return [name for word, name, _, _ in _directives(found) if word == "import" and " " not in name]


def _directives(found: list[Token]) -> Iterator[tuple[str, str, int, int]]:
    """The package and import lines: word, name, and where they stand."""
    index = 0
    while index < len(found):
        token = found[index]
        if token.depth == 0 and token.text in ("import", "package"):
            end = next((n for n in range(index, len(found)) if found[n].text == ";"), None)
            if end is None:
                return
            parts = [part.text for part in found[index + 1 : end]]
            static = parts[:1] == ["static"]
            name = ("static " if static else "") + "".join(parts[1:] if static else parts)
            yield token.text, name, token.start, found[end].end
            index = end
        index += 1


def _as_unit(work: Work, shape: Shape, found: list[Token]) -> str:
    """A file of types: its package goes, its main class gets the name that the tests call."""
    task = work.task
    wanted = task.class_name.rpartition(".")[2]
    signature = read_signature(task.signature)
    main = _main_type(shape, wanted, signature)
    edits = [blank(work.code, a, b) for word, _, a, b in _directives(found) if word == "package"]
    package = next((name for word, name, _, _ in _directives(found) if word == "package"), None)
    if package is not None and package != task.class_name.rpartition(".")[0]:
        work.notes.append(f"package {package} left out")
    if main.name != wanted:
        work.notes.append(f'class "{main.name}" renamed to "{wanted}"')
        edits += [Edit(t.start, t.end, wanted) for t in _uses(found, main.name)]
    edits += _type_edits(work, main, found)
    inside = [token for token in found if token.depth == 1]
    edits += _method_edits(work, inside, signature, own=False)
    code = edited(work.code, edits)
    return _with_closers(work, code, missing_closers(code))


def _main_type(shape: Shape, wanted: str, signature: Signature) -> TypeShape:
    by_name = (item for item in shape.types if item.name == wanted)
    by_method = (item for item in shape.types if signature.name in item.methods)
    return next(by_name, None) or next(by_method, None) or shape.types[0]


def _uses(found: list[Token], name: str) -> list[Token]:
    return [
        token
        for index, token in enumerate(found)
        if token.text == name
        and token.kind == "word"
        and not (index and found[index - 1].text == ".")
    ]


def _type_edits(work: Work, main: TypeShape, found: list[Token]) -> list[Edit]:
    """Makes the main class public and lets it extend what the task demands."""
    index = next(
        (
            n
            for n in range(len(found) - 1)
            if found[n].depth == 0
            and found[n].text in TYPE_WORDS
            and found[n + 1].text == main.name
        ),
        None,
    )
    if index is None:
        return []
    edits: list[Edit] = []
    first = index
    while first and found[first - 1].kind == "word" and found[first - 1].depth == 0:
        first -= 1
    if work.task.class_name.count(".") and not {t.text for t in found[first:index]} & ACCESS:
        edits.append(Edit(found[first].start, found[first].start, "public "))
    base = work.task.extra.get("extends", "")
    if base and not main.extends and found[index].text == "class":
        place = next((t for t in found[index + 2 :] if t.text in ("{", "implements")), None)
        if place is not None:
            edits.append(Edit(place.start, place.start, f"extends {base} "))
            work.notes.append(f"added: extends {base.rpartition('.')[2]}")
    return edits


def _as_members(work: Work, found: list[Token]) -> tuple[str, str]:
    """Methods: package and imports go to the head, modifiers become what the task wants."""
    edits: list[Edit] = []
    for word, name, start, end in _directives(found):
        edits.append(blank(work.code, start, end))
        if word == "import":
            work.imports.append(name)
    taken = [(edit.start, edit.end) for edit in edits]
    outside = [
        t for t in found if t.depth == 0 and not any(start <= t.start < end for start, end in taken)
    ]
    edits += _method_edits(work, outside, read_signature(work.task.signature), own=True)
    work.code = edited(work.code, edits)
    return _closed(work, open_braces=1)


def _method_edits(
    work: Work, members: list[Token], signature: Signature, *, own: bool
) -> list[Edit]:
    """Edits of modifiers; `own`: the class around is ours, so all methods follow the task's."""
    overrides = "extends" in work.task.extra
    edits: list[Edit] = []
    for index, token in enumerate(members):
        nested = own and token.text in TYPE_WORDS and signature.static and not overrides
        method = token.kind == "word" and is_method_head(members, index)
        target = method and token.text == signature.name
        if not nested and not (method and (own or target)):
            continue
        first = _first_modifier(members, index)
        modifiers = {t.text: t for t in members[first:index]}
        start = members[first].start
        if method and overrides and "static" in modifiers:
            edits.append(_removed(work, modifiers["static"]))
        elif (nested or (signature.static and not overrides)) and "static" not in modifiers:
            access = next((t for t in members[first:index] if t.text in ACCESS), None)
            place = access.end if access else start
            edits.append(Edit(place, place, " static" if access else "static "))
            _note(work, "added: static")
        if target and signature.public and not modifiers.keys() & ACCESS:
            edits.append(Edit(start, start, "public "))
            _note(work, "added: public")
    return edits


def _removed(work: Work, static: Token) -> Edit:
    _note(work, "static left out")
    end = static.end + (work.code[static.end : static.end + 1] == " ")
    return Edit(static.start, end, "")


def _note(work: Work, text: str) -> None:
    if text not in work.notes:
        work.notes.append(text)


def _first_modifier(members: list[Token], index: int) -> int:
    """Where a declaration begins, behind its annotations."""
    first = index
    while first and members[first - 1].text not in (";", "}", "{", ")"):
        first -= 1
    while members[first].text == "@" and first + 2 < index:
        first += 2
    return first


def _as_completion(work: Work) -> tuple[str, str, str]:
    """The task's context goes on with the code; what is still open is closed."""
    context = work.task.context
    package = re.match(r"\s*package\s+[\w.]+\s*;", context)
    if package:
        context = context[package.end() :]
    return context, *_closed(work, open_braces=missing_closers(context))


def _closed(work: Work, open_braces: int) -> tuple[str, str]:
    """The code, and the braces that close what stands open around it."""
    head = "{" * open_braces
    code = without_extra_closers(head + work.code)[open_braces:]
    if code != work.code and code.strip() != work.code.strip():
        work.notes.append("a brace too many left out")
    missing = missing_closers(head + code)
    if missing > open_braces:
        work.notes.append("a missing brace added")
    if not code.endswith("\n"):
        code += "\n"
    return code, "}" * max(missing, 0) + "\n"


def _with_closers(work: Work, code: str, missing: int) -> str:
    if missing < 0:
        work.notes.append("a brace too many left out")
        return without_extra_closers(code)
    if missing and code.rstrip().endswith(("}", ";")):
        work.notes.append("a missing brace added")
        return code.rstrip() + "\n" + "}" * missing + "\n"
    return code


def _class_head(task: Task) -> str:
    base = task.extra.get("extends", "")
    name = task.class_name.rpartition(".")[2]
    return f"public class {name}{f' extends {base}' if base else ''} {{\n"
