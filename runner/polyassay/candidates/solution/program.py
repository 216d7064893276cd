"""From an answer to the files of a program.

A file is taken as it is: nothing is renamed, imported or made public in it. Only a chat that has
code of one file alone is read like an answer to any other task.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from polyassay.candidates.chat import clean, has_fence, is_only_prose, without_signs
from polyassay.candidates.solution.blocks import NamedBlock, named_blocks
from polyassay.candidates.solution.changes import Change, changes_in
from polyassay.candidates.solution.edits import Misfit, changed_files
from polyassay.candidates.solution.layouts import as_fenced
from polyassay.candidates.solution.paths import Placed, counts, solution_path
from polyassay.languages import LANGUAGES, imported
from polyassay.model import AnswerForm, Candidate, Program, Task
from polyassay.wording import NO_CODE, listing


def solution_program(task: Task, candidate: Candidate) -> Program:
    """The program of an answer to a task that names its solution files."""
    if candidate.form is AnswerForm.FILES:
        return program_of(task, candidate.files)
    text = clean(candidate.answer)
    if not text.strip():
        return Program("", problem="the answer is empty")
    if candidate.form is AnswerForm.PROGRAM:
        return program_of(task, {task.main_file: text})
    text = as_fenced(without_signs(text).replace("\r\n", "\n"), task.language)
    if not has_fence(text) and is_only_prose(text):
        return Program("", code=text, problem=NO_CODE)
    changes = changes_in(text, task.language)
    blocks = [block for block in _blocks(task, text) if not _has(block, changes)]
    found = _placed(task, blocks)
    if changes:
        return _changed(task, text, changes, found)
    if found.keys() - {task.main_file} or any(block.path for block in found.values()):
        files = {path: block.code for path, block in found.items()}
        notes = f"from {len(files)} fenced blocks" if len(files) > 1 else "from a fenced block"
        return program_of(task, files, (notes,))
    return _single(task, candidate)


def _changed(
    task: Task, text: str, changes: Sequence[Change], found: Mapping[str, NamedBlock]
) -> Program:
    """Changes of the stubs, beside files that the chat gives whole."""
    whole = {path: (block.code, block.line) for path, block in found.items() if block.path}
    try:
        made = changed_files(task, changes, whole)
    except Misfit as misfit:
        return Program("", code=text, problem=str(misfit))
    diffs = all(change.in_diff for change in changes)
    notes = ("from diffs" if diffs else "from blocks that search and replace",)
    helpers = {path: block.code for path, block in found.items() if path not in task.solution}
    given = {path: code for path, (code, _) in whole.items()}
    return program_of(task, {**helpers, **given, **made}, notes)


def _blocks(task: Task, text: str) -> list[NamedBlock]:
    """Blocks without a name that have several files' code are divided."""
    parts_of = imported(LANGUAGES[task.language].divide_block)
    if not has_fence(text):
        parts = parts_of(task, text)
        return [NamedBlock(part) for part in parts] if len(parts) > 1 else []
    return [
        part
        for block in named_blocks(text, task.language)
        for part in (
            [block]
            if block.sure
            else [replace(block, code=code) for code in parts_of(task, block.code)]
        )
    ]


def _has(block: NamedBlock, changes: Sequence[Change]) -> bool:
    """Whether it is no file but what is to change in one."""
    lines = range(block.line, block.line + block.code.count("\n") + 2)
    return any(change.line in lines for change in changes)


def program_of(task: Task, found: Mapping[str, str], notes: tuple[str, ...] = ()) -> Program:
    """The program of these files; a solution file that is not among them stays the stub."""
    taken = {path: text for path, text in found.items() if counts(task, path)}
    files = {**task.solution, **taken}
    left = [path for path in task.solution if path not in taken]
    if taken and left:
        notes = (*notes, f"as given: {', '.join(left)}")
    main = files[task.main_file]
    others = {path: text for path, text in files.items() if path != task.main_file}
    return Program(main, 1, listing(files), notes, files=others)


def _single(task: Task, candidate: Candidate) -> Program:
    """The main file alone, by the rules for tasks without solution files."""
    made: Program = imported(LANGUAGES[task.language].make_program)(task, candidate)
    others = {path: text for path, text in task.solution.items() if path != task.main_file}
    if made.problem or not others:
        return made
    left = f"as given: {', '.join(others)}"
    code = listing({task.main_file: made.code, **others})
    return replace(made, code=code, notes=(*made.notes, left), files=others)


def _placed(task: Task, blocks: Sequence[NamedBlock]) -> dict[str, NamedBlock]:
    """File → its block: by the names that the chat gives, then by what the blocks declare.

    Of several blocks with the name of one file the last counts, because chats correct themselves;
    of blocks without a name the first, because examples of use follow the code, but for a stub.
    """
    place = imported(LANGUAGES[task.language].place_block)
    every = [block.code for block in blocks]
    found: dict[str, NamedBlock] = {}
    unnamed: dict[str, NamedBlock] = {}
    for block in blocks:
        declared: Placed = place(task, block.code, every)
        said = solution_path(task, block.path) if block.path else ""
        believed = block.sure or declared.path in ("", said)
        uses = declared.is_use or PurePosixPath(said).stem in declared.modules
        if said and believed and not uses:
            found[said] = replace(block, path=said)
            continue
        told = said or not block.path or (not block.sure and declared.path in task.solution)
        is_stub = block.code.split() == task.solution.get(declared.path, "").split()
        if told and declared.path and counts(task, declared.path) and not is_stub:
            unnamed.setdefault(declared.path, replace(block, path=""))
    helpers = {path: unnamed[path] for path in unnamed if path not in task.solution}
    found = {path: unnamed[path] for path in unnamed if path in task.solution} | found
    return _used(helpers, found) | found


def _used(
    helpers: Mapping[str, NamedBlock], found: Mapping[str, NamedBlock]
) -> dict[str, NamedBlock]:
    """The helpers that the code names, at any remove: others are examples of use."""
    used: dict[str, NamedBlock] = {}
    waiting = [block.code for block in found.values()]
    while waiting:
        words = set(re.findall(r"\w+", waiting.pop()))
        for path, block in helpers.items():
            name = path.rpartition("/")[2].partition(".")[0]
            if name in words and path not in used:
                used[path] = block
                waiting.append(block.code)
    return used
