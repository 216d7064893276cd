"""From an answer to one Java compilation unit whose main class is the one that the tests call.

The answer's lines stay as they are and stay together, below a head that is made here, so that
javac's line numbers can be told in the answer's own. What is neither class, method nor body goes
on as it is: javac decides.
"""

import re

from polyassay.candidates.chat import (
    clean,
    has_fence,
    is_only_prose,
    opens_like_a_chat,
)
from polyassay.candidates.java.blocks import hoist_imports, take_block
from polyassay.candidates.java.edits import (
    EditedAnswer,
    helper_edits,
    method_edits,
    rename_edits,
    type_edits,
)
from polyassay.candidates.java.escapes import without_escapes
from polyassay.candidates.java.imports import declared_types, missing_imports
from polyassay.candidates.java.starting import starter, starter_edits
from polyassay.candidates.java.syntax import (
    Shape,
    Signature,
    SourceKind,
    TypeShape,
    is_unit,
    method_names,
    read_shape,
    read_signature,
)
from polyassay.candidates.java.tokens import (
    Edit,
    Token,
    blank,
    directives,
    edited,
    joined_operators,
    missing_closers,
    tokens,
    without_extra_closers,
    without_last_method,
    without_package,
)
from polyassay.model import AnswerForm, Candidate, Program, Task
from polyassay.wording import NO_CODE

LINE_END = re.compile(r"\r(?!\n)")  # as javac takes it
WIDE = 300  # characters of a line that are looked at
CODE_START = re.compile(
    r"\s*(import|package|public|private|protected|static|final|abstract|class|interface|enum|record"
    r"|@\w|/\*|//|[\w<>\[\], .?]+\([^;{]*\{)"
)
CODE_END = re.compile(r"[};][ \t]*(//.*)?\s*$")


def java_program(task: Task, candidate: Candidate) -> Program:
    text = LINE_END.sub("\n", clean(candidate.answer))
    if not text.strip():
        return Program("", problem="the answer is empty")
    work = EditedAnswer(task, text)
    if candidate.form is not AnswerForm.PROGRAM and _is_chat(text):
        take_block(work)
    work.code = without_escapes(work.code)
    answer = work.code
    work.code = joined_operators(work.code)
    if work.code != answer:
        work.note("operators put together")
    work.hoists = candidate.form is AnswerForm.ANSWER
    if work.hoists:
        hoist_imports(work)
    found = tokens(work.code)
    shape = read_shape(work.code, found)
    if not shape.parsed and candidate.form is AnswerForm.ANSWER:
        shorter = _without_prose(work.code)
        fewer = tokens(shorter)
        better = read_shape(shorter, fewer) if shorter != work.code else shape
        if better.parsed:
            work.code = answer = shorter
            found, shape = fewer, better
            work.note("prose around the code left out")
        elif is_only_prose(text):
            return Program("", code=text, problem=NO_CODE)
    head, code, tail = _laid_out(work, shape, found, candidate.form)
    head = _head(work, code, head) + head
    notes = tuple(work.notes)
    return Program(head + code + tail, head.count("\n") + 1, answer, notes)


def _is_chat(text: str) -> bool:
    """Whether fences are the answer's own; comments and text blocks of bare code may have some."""
    if not has_fence(text) or opens_like_a_chat(text):
        return has_fence(text)
    code = without_escapes(text)
    return not read_shape(code, tokens(code)).parsed


def _laid_out(
    work: EditedAnswer, shape: Shape, found: list[Token], form: AnswerForm
) -> tuple[str, str, str]:
    """What stands before the code (imports aside), the code, and what stands after it."""
    task = work.task
    if task.context and _may_complete(task, shape, form):
        notes = list(work.notes)
        parts = _as_completion(work)
        unsure = shape.parsed or form is not AnswerForm.COMPLETION
        if shape.kind is SourceKind.BODY or not unsure or is_unit("".join(parts)):
            work.note("a completion of the task's context")
            return parts
        work.notes[:] = notes
    if shape.kind is SourceKind.UNIT:
        return "", _as_unit(work, shape, found), ""
    if shape.kind is SourceKind.MEMBERS or not read_signature(task.signature).name:
        work.note("a method, put into a class")
        return _as_members(work, found)
    work.note("a body, put under the task's signature")
    signature = read_signature(task.signature).text
    if work.overrides:
        signature = re.sub(r"\bstatic\s+", "", signature)
    head = f"{_class_head(task)}{signature} {{\n"
    return head, *_closed(work, head)


def _may_complete(task: Task, shape: Shape, form: AnswerForm) -> bool:
    if shape.parsed and task.simple_class_name in {item.name for item in shape.types}:
        return False  # it begins anew, with the class
    return form is AnswerForm.COMPLETION or not shape.parsed or shape.kind is SourceKind.BODY


def _without_prose(code: str) -> str:
    """From the first line that looks like Java to the last that ends like it."""
    lines = code.splitlines(keepends=True)
    start = next((n for n, line in enumerate(lines) if CODE_START.match(line[:WIDE])), 0)
    ends = [n for n, line in enumerate(lines) if CODE_END.search(line[-WIDE:])]
    if not ends or ends[0] < start:
        return code  # something before it is code as well
    return "".join(lines[start : ends[-1] + 1])


def _head(work: EditedAnswer, code: str, before: str) -> str:
    """Package and imports, one a line."""
    found = tokens(before + code)
    imported = _own_imports(found) + [name.removeprefix("static ") for name in work.imports]
    added = missing_imports(found, imported, declared_types(found), work.task)
    if added:
        work.note("added: import " + ", ".join(added))
    package = work.task.package
    lines = [f"package {package};"] if package else []
    lines += [f"import {name};" for name in (*work.imports, *added)]
    return "".join(line + "\n" for line in lines)


def _own_imports(found: list[Token]) -> list[str]:
    return [name for word, name, _ in directives(found) if word == "import" and " " not in name]


def _as_unit(work: EditedAnswer, shape: Shape, found: list[Token]) -> str:
    """A file of types: its package goes, its main class gets the name that the tests call."""
    package, wanted = work.task.package, work.task.simple_class_name
    signature = read_signature(work.task.signature)
    main = _main_type(shape, wanted, signature)
    edits: list[Edit] = []
    for word, name, place in directives(found):
        if word == "package":
            edits.append(blank(work.code, found[place[0]], found[place[-1]]))
            if name != package:
                work.note(f"package {name} left out")
    if main.name != wanted:
        work.note(f'class "{main.name}" renamed to "{wanted}"')
        edits += rename_edits(found, main.name, wanted)
    edits += type_edits(work, main, found)
    edits += helper_edits(work, main, found)
    inside = [token for token in found if token.depth == 1]
    edits += starter_edits(work, found, main.name) or method_edits(
        work, inside, signature, own=False
    )
    code = edited(work.code, edits)
    return _with_closers(work, code, missing_closers(code))


def _main_type(shape: Shape, wanted: str, signature: Signature) -> TypeShape:
    by_name = (item for item in shape.types if item.name == wanted)
    by_method = (item for item in shape.types if signature.name in item.methods)
    return next(by_name, None) or next(by_method, None) or shape.types[0]


def _as_members(work: EditedAnswer, found: list[Token]) -> tuple[str, str, str]:
    """Methods: package and imports go to the head, modifiers become what the task wants."""
    edits: list[Edit] = []
    taken: set[int] = set()
    for word, name, place in directives(found):
        taken.update(place)
        edits.append(blank(work.code, found[place[0]], found[place[-1]]))
        if word == "import":
            work.imports.append(name)
    outside = [t for index, t in enumerate(found) if t.depth == 0 and index not in taken]
    head = _surroundings(work.task, {outside[index].text for index in method_names(outside)})
    if starts := starter(work, outside):
        head = f"{head.rstrip()} {starts}\n"
    else:
        edits += method_edits(work, outside, read_signature(work.task.signature), own=True)
    work.code = edited(work.code, edits)
    return head, *_closed(work, head)


def _surroundings(task: Task, names: set[str]) -> str:
    """The class around methods: the context's, with its helpers where the answer has none."""
    head = without_last_method(without_package(task.context)).rstrip() + "\n"
    inside = [token for token in tokens(head) if token.depth == 1]
    helpers = {inside[index].text for index in method_names(inside)}
    if missing_closers(head) == 1 and not helpers & names:
        return head
    imports = re.findall(r"(?m)^[ \t]*import\b[^;]*;", head)
    return "".join(line.strip() + "\n" for line in imports) + _class_head(task)


def _as_completion(work: EditedAnswer) -> tuple[str, str, str]:
    """The task's context goes on with the code; what is still open is closed."""
    head = without_package(work.task.context)
    return head, *_closed(work, head)


def _closed(work: EditedAnswer, head: str) -> tuple[str, str]:
    """The code, and the braces that close what stands open around it."""
    around = "{" * missing_closers(head)
    code = without_extra_closers(around + work.code)[len(around) :]
    if code.strip() != work.code.strip():
        work.note("a brace too many left out")
    missing = missing_closers(around + code)
    if missing > len(around):
        work.note("a missing brace added")
    if not code.endswith("\n"):
        code += "\n"
    return code, "}" * missing + "\n" if missing > 0 else ""


def _with_closers(work: EditedAnswer, code: str, missing: int) -> str:
    if missing < 0:
        work.note("a brace too many left out")
        return without_extra_closers(code)
    if missing and code.rstrip().endswith(("}", ";")):
        work.note("a missing brace added")
        return code.rstrip() + "\n" + "}" * missing + "\n"
    return code


def _class_head(task: Task) -> str:
    base = task.extra.get("extends", "")
    name = task.simple_class_name
    return f"public class {name}{f' extends {base}' if base else ''} {{\n"
