"""From an answer to a Python program.

An answer may be a whole program, a function, a class, a function's body, a completion of the
task's context, or a chat around any of them. Several readings are tried; the best one is taken,
and what could not be read goes on as it is, so that the interpreter has the last word.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import islice
from pathlib import PurePosixPath

from polyassay.candidates.chat import (
    bare,
    before_fences,
    clean,
    code_blocks,
    has_fence,
    is_only_prose,
    longer_blocks,
    parts_set_apart,
)
from polyassay.candidates.python.blocks import with_other_blocks
from polyassay.candidates.python.diffs import new_sides
from polyassay.candidates.python.modules import imports_of
from polyassay.candidates.python.prose import (
    CODE_START,
    beside_prose,
    readable,
    without_label,
)
from polyassay.candidates.python.snippet import is_snippet, snippet_program
from polyassay.candidates.python.syntax import (
    acts,
    are_methods,
    at_margin,
    before,
    definitions,
    indented,
    is_stub,
    is_test,
    methods,
    names_bound,
    names_made,
    names_missing,
    parse,
    returns_outside,
    shows,
    without_magics,
)
from polyassay.model import AnswerForm, Candidate, Language, Program, Style, Task
from polyassay.wording import NO_CODE

MARGIN = "    "
ANY_NAME = (Style.SETS, Style.PROGRAM, Style.CELL)  # styles that call no name of their own
MOST_QUOTED = 10  # fences inside of a block's texts


class Fit(IntEnum):
    """How well a reading explains the answer; lower is better."""

    WHOLE = 0
    USE = 1  # imports what is asked for, as tests and examples do
    PART = 2  # a body or a completion
    STUB = 3  # what is asked for, with nothing in it
    MENTIONED = 4  # it uses the entry, or binds it in a way that only running it can show
    OTHER_NAME = 5
    BROKEN = 6


@dataclass(frozen=True, slots=True)
class Reading:
    fit: Fit
    program: Program
    taken: str = ""  # the piece of the answer


Piece = tuple[str, tuple[str, ...]]  # what may be code, and how it was found


def python_program(task: Task, candidate: Candidate) -> Program:
    text = clean(candidate.answer)
    if is_snippet(task) and candidate.form is not AnswerForm.PROGRAM and text.strip():
        return snippet_program(task, text)
    match candidate.form:
        case AnswerForm.PROGRAM:
            return _checked(task, text, Program(text, 1, text)).program
        case AnswerForm.COMPLETION:
            return _from_completion(task, text)
        case _:
            return _from_answer(task, text)


def _from_completion(task: Task, text: str) -> Program:
    """The context, continued exactly as the publisher does it."""
    program = _continued(task, text)
    if has_fence(text) and parse(program.source) is None:
        return _from_answer(task, text)  # a chat where code alone was asked for
    return program


def _continued(task: Task, text: str) -> Program:
    source = task.context + text + task.suffix
    if "\t" in task.context + task.suffix:
        source = source.replace("\t", MARGIN)  # ODEX: tabs mean four spaces, everywhere
    elif "\t" in text:
        source = re.sub(r"(?m)^[ ]*\t[ \t]*", lambda m: m[0].replace("\t", MARGIN), source)
    notes = ("a completion of the task's context",) if task.context else ()
    return Program(source, task.context.count("\n") + 1, text, notes)


def _from_answer(task: Task, text: str) -> Program:
    text, left_out = bare(text)
    if not text.strip():
        return Program("", problem="the answer is empty")
    if is_only_prose(text) and parse(text) is None:
        return Program("", code=text, problem=NO_CODE)
    best = Reading(Fit.BROKEN, Program(""))
    group: list[Reading] = []  # the one that the best belongs to
    for pieces in (_whole_text, _fenced, _set_apart):
        if best.fit is Fit.WHOLE:
            break
        readings: list[Reading] = []
        for piece, notes in pieces(task, text):
            code, changes = readable(without_label(piece))
            reading = _read(task, code)
            told = (*left_out, *notes, *changes, *reading.program.notes)
            reading = Reading(reading.fit, replace(reading.program, notes=told), code)
            readings.append(reading)
            # Where all is broken a block is better than all of the text: its errors are code's.
            first = not best.program.code or (best.program.code == text and pieces is _fenced)
            if reading.fit < best.fit or (first and best.fit is Fit.BROKEN):
                best, group = reading, readings
    best = _preferred(task, best, group)
    return with_other_blocks(task, [each.taken for each in group], best.taken, best.program)


def _preferred(task: Task, best: Reading, group: Sequence[Reading]) -> Reading:
    """Of several blocks that answer, the first, but where a later one is made of it."""
    whole = [reading for reading in group if reading.fit is Fit.WHOLE]
    if len(whole) < 2:
        return best
    trees = [parse(reading.taken) or ast.Module([], []) for reading in whole]
    if task.style is Style.CLASS:  # a chat may grow a class step by step
        for reading, tree in zip(whole, trees, strict=True):
            if methods(tree, task.entry) > methods(trees[whole.index(best)], task.entry):
                best = reading
    elif task.style in (Style.SETS, Style.PYTEST) and not task.entry:
        defined = set(definitions(trees[0]))
        users = (r for r, tree in zip(whole, trees, strict=True) if names_missing(tree) & defined)
        best = next(users, best)
    return best


def _whole_text(_: Task, text: str) -> Iterator[Piece]:
    yield text, ()


def _fenced(_: Task, text: str) -> Iterator[Piece]:
    blocks = code_blocks(text, Language.PYTHON) if has_fence(text) else []
    for number, block in enumerate(blocks, start=1):
        which = f"fenced block {number} of {len(blocks)}" if len(blocks) > 1 else "a fenced block"
        code = block.code
        if parse(code) is None and re.search("\"{3}|'{3}", code):
            longer = islice(longer_blocks(text, block), MOST_QUOTED)
            code = next((each.code for each in longer if parse(each.code)), code)
        yield code, (f"from {which}",)


def _set_apart(task: Task, text: str) -> Iterator[Piece]:
    """Code in other places than fences: a diff, an element, or lines beside prose."""
    for code in new_sides(task, text):
        yield code, ("from a diff",)
    for code in parts_set_apart(text):
        yield code, ("set apart by the answer's own marks",)
    if CODE_START.search(before_fences(text)):
        for code in beside_prose(text):
            yield code, ("prose around the code left out",) if code != text else ()


def _read(task: Task, code: str) -> Reading:
    tree = parse(without_magics(code) if task.style is Style.CELL else code)
    if tree is None:
        shallow = at_margin(code)
        if shallow != code and (read := _read(task, shallow)).fit in (Fit.WHOLE, Fit.STUB):
            return read
        part = _part(task, code)
        return part or (read if shallow != code else Reading(Fit.BROKEN, _as_it_is(task, code)))
    if task.style in ANY_NAME or not task.entry:
        fit = _use(task, tree)
        if fit is Fit.WHOLE and _imports_answer(task, code):
            fit = Fit.USE
        return Reading(fit, Program(code, 1, code))
    if task.entry in names_bound(tree):
        reading = _whole(task, code)
        if task.entry not in names_made(tree):
            return replace(reading, fit=Fit.USE)
        return replace(reading, fit=Fit.STUB) if is_stub(tree, task.entry) else reading
    if task.style is Style.CLASS and are_methods(tree):
        source = f"class {task.entry}:\n{indented(code, MARGIN)}"
        return Reading(Fit.PART, Program(source, 2, code, (f"methods, put into {task.entry}",)))
    if acts(tree) and (not definitions(tree) or returns_outside(tree)):
        return _part(task, code) or _whole(task, code)
    return _whole(task, code)


def _imports_answer(task: Task, code: str) -> bool:
    """Whether it imports the task's main file, as only other files do."""
    stem = PurePosixPath(task.main_file).stem if task.solution else ""
    return any(module == stem for module, _ in imports_of(code))


def _use(task: Task, tree: ast.Module) -> Fit:
    """How well code answers a task that asks for no name."""
    if task.style in (Style.PROGRAM, Style.CELL):
        shown = shows(tree, is_cell=task.style is Style.CELL)
        return Fit.WHOLE if shown else Fit.PART if acts(tree) else Fit.OTHER_NAME
    names = definitions(tree)
    if not names:
        return Fit.OTHER_NAME
    if is_test(tree):
        return Fit.MENTIONED
    return Fit.STUB if all(is_stub(tree, name) for name in names) else Fit.WHOLE


def _whole(task: Task, code: str) -> Reading:
    """The code as a program of its own, below the imports and helpers of the task's context."""
    head = before(task.context, task.entry)
    if not head.strip() or head.strip() in code or "__future__" in code:
        head = ""
    elif not head.endswith("\n"):
        head += "\n"
    notes = ("added: the start of the task's context",) if head else ()
    return _checked(task, code, Program(head + code, head.count("\n") + 1, code, notes))


def _checked(task: Task, code: str, program: Program) -> Reading:
    """The program, unless the entry's name is nowhere in the code."""
    wanted = task.entry if task.style not in ANY_NAME else ""
    tree = parse(code)
    if not wanted or tree is None or wanted in names_bound(tree):
        return Reading(Fit.WHOLE, program)
    if re.search(rf"\b{re.escape(wanted)}\b", code):
        return Reading(Fit.MENTIONED, program)
    return Reading(Fit.OTHER_NAME, _other_name(task, code, program))


def _other_name(task: Task, code: str, program: Program) -> Program:
    """A wrong name is told, never guessed: the tests could not call it."""
    tree = parse(code)
    found = definitions(tree) if tree is not None else []
    if not found:
        return program
    names = " and ".join(f'"{name}"' for name in found[:3]) + (" and more" if found[3:] else "")
    return Program("", code=code, problem=f'the answer defines {names} and not "{task.entry}"')


def _part(task: Task, code: str) -> Reading | None:
    """The code as a completion, or as a body under the task's head."""
    if task.style not in (Style.FUNCTION, Style.CLASS, Style.PYTEST):
        return None
    for program in _under_head(task, code):
        tree = parse(program.source)
        if tree is not None and task.entry in names_bound(tree) and not returns_outside(tree):
            return Reading(Fit.PART, program)
    return None


def _under_head(task: Task, code: str) -> Iterator[Program]:
    first_line = next((line for line in code.splitlines() if line.strip()), "")
    starts_indented = first_line[:1] in (" ", "\t")
    body_note = (f"a body, put under {task.entry}",)
    if task.context:
        head = task.context[: task.context.rfind("\n") + 1]
        mid_line = head != task.context and task.context[len(head) :].strip() != ""
        if starts_indented or mid_line:
            yield _continued(task, code)
        margin = _margin(task)
        for suffix in {task.suffix: None, "": None}:
            for body in (indented(code, margin), margin + code.lstrip(" \t")):
                source = head + body.rstrip() + "\n" + suffix
                if "\t" in head + suffix:
                    source = source.replace("\t", MARGIN)
                yield Program(source, head.count("\n") + 1, code, body_note)
    elif re.match(r"(async )?def ", task.signature.lstrip()):
        head = task.signature.strip().removesuffix(":").rstrip() + ":\n"
        for body in (indented(code, MARGIN), MARGIN + code.lstrip(" \t")):
            yield Program(head + body, head.count("\n") + 1, code, body_note)


def _margin(task: Task) -> str:
    """The indentation of the body that the context has begun."""
    last = [line for line in task.context.splitlines() if line.strip()][-1:]
    found = re.match(r"[ \t]+", last[0]) if last else None
    return found[0].replace("\t", MARGIN) if found else MARGIN


def _as_it_is(task: Task, code: str) -> Program:
    """Nothing parses: where the code begins indented, it was meant to go on from the context."""
    if task.context and re.match(r"[ \t]", code):
        return _continued(task, code)
    return Program(code, 1, code)
