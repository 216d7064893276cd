"""From an answer to a Python program.

An answer may be a whole program, a function, a class, a function's body, a completion of the
task's context, or a chat around any of them. Several readings are tried; the best one is taken,
and what could not be read goes on as it is, so that the interpreter has the last word.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum
from keyword import kwlist, softkwlist
from pathlib import PurePosixPath

from polyassay.candidates.chat import (
    NO_CODE,
    clean,
    code_blocks,
    has_fence,
    is_only_prose,
)
from polyassay.candidates.python.blocks import with_other_blocks
from polyassay.candidates.python.modules import imports_of
from polyassay.candidates.python.snippet import is_snippet, snippet_program
from polyassay.candidates.python.syntax import (
    acts,
    are_methods,
    before,
    definitions,
    indented,
    names_bound,
    names_made,
    parse,
    returns_outside,
    without_magics,
)
from polyassay.model import AnswerForm, Candidate, Language, Program, Style, Task

MARGIN = "    "
ANY_NAME = (Style.SETS, Style.PROGRAM, Style.CELL)  # styles that call no name of their own
CODE_START = re.compile(r"(from|import|def|async def|class)\s+\w|@\w|if __name__|\w+\s*=[^=]|#!")
PLAIN_WORDS = re.compile(r"(?:[-*>#]+ |\d+\. )?([^\W\d_]+)[,;:]? ([^\W\d_]+)")
KEYWORDS = frozenset((*kwlist, *softkwlist, "print"))


class Fit(IntEnum):
    """How well a reading explains the answer; lower is better."""

    WHOLE = 0
    USE = 1  # imports what is asked for, as tests and examples do
    PART = 2  # a body or a completion
    OTHER_NAME = 3
    BROKEN = 4


@dataclass(frozen=True, slots=True)
class Reading:
    fit: Fit
    program: Program


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
    if not text.strip():
        return Program("", problem="the answer is empty")
    if is_only_prose(text) and parse(text) is None:
        return Program("", code=text, problem=NO_CODE)
    best: Reading | None = None
    for number, (code, notes) in enumerate(_pieces(text)):
        reading = _read(task, code)
        # Where all is broken the first block is better than all of the text: its errors are code's.
        if best is None or reading.fit < best.fit or (number == 1 and best.fit is Fit.BROKEN):
            program = replace(reading.program, notes=notes + reading.program.notes)
            best = Reading(reading.fit, program)
        if best.fit is Fit.WHOLE:
            break
    assert best is not None
    return with_other_blocks(task, text, best.program)


def _pieces(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What may be the code of an answer: all of it, a fenced block, or the lines beside prose."""
    yield text, ()
    if has_fence(text):
        blocks = code_blocks(text, Language.PYTHON)
        for number, block in enumerate(blocks, start=1):
            which = (
                f"fenced block {number} of {len(blocks)}" if len(blocks) > 1 else "a fenced block"
            )
            yield block.code, (f"from {which}",)
    elif (code := _beside_prose(text)) != text:
        yield code, ("prose around the code left out",)


def _beside_prose(text: str) -> str:
    """From the first line that looks like code to the first that looks like prose."""
    lines = text.splitlines(keepends=True)
    start = next((n for n, line in enumerate(lines) if CODE_START.match(line)), 0)
    end = next((n for n in range(start, len(lines)) if _is_prose(lines[n])), len(lines))
    return "".join(lines[start:end])


def _is_prose(line: str) -> bool:
    found = PLAIN_WORDS.match(line)
    if found is None:
        return bool(re.match(r"[\u3040-\u30ff\u4e00-\u9fff]", line))
    return found[1] not in KEYWORDS and found[2] not in KEYWORDS


def _read(task: Task, code: str) -> Reading:
    tree = parse(without_magics(code) if task.style is Style.CELL else code)
    if tree is None:
        return _part(task, code) or Reading(Fit.BROKEN, _as_it_is(task, code))
    if task.style in ANY_NAME or not task.entry:
        useful = definitions(tree) if task.style in (Style.SETS, Style.PYTEST) else acts(tree)
        fit = Fit.USE if _imports_answer(task, code) else Fit.WHOLE
        return Reading(fit if useful else Fit.OTHER_NAME, Program(code, 1, code))
    if task.entry in names_bound(tree):
        reading = _whole(task, code)
        return reading if task.entry in names_made(tree) else replace(reading, fit=Fit.USE)
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
    if not wanted or re.search(rf"\b{re.escape(wanted)}\b", code):
        return Reading(Fit.WHOLE, program)
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
