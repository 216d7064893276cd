"""From an answer to the files of a program.

A file is taken as it is: nothing is renamed, imported or made public in it. Only a chat that has
code of one file alone is read like an answer to any other task.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from polyassay.candidates.chat import NO_CODE, clean, has_fence, is_only_prose
from polyassay.candidates.solution.blocks import NamedBlock, named_blocks
from polyassay.candidates.solution.edits import Misfit, edited_files
from polyassay.candidates.solution.paths import counts, solution_path
from polyassay.languages import LANGUAGES, imported
from polyassay.model import AnswerForm, Candidate, Program, Task
from polyassay.wording import listing


def solution_program(task: Task, candidate: Candidate) -> Program:
    """The program of an answer to a task that names its solution files."""
    if candidate.form is AnswerForm.FILES:
        return program_of(task, candidate.files)
    text = clean(candidate.answer)
    if not text.strip():
        return Program("", problem="the answer is empty")
    if candidate.form is AnswerForm.PROGRAM:
        return program_of(task, {task.main_file: text})
    try:
        edited = edited_files(task, text)
    except Misfit as misfit:
        return Program("", code=text, problem=str(misfit))
    if edited:
        return program_of(task, edited, ("from blocks that search and replace",))
    if not has_fence(text) and is_only_prose(text):
        return Program("", code=text, problem=NO_CODE)
    found = _placed(task, named_blocks(text, task.language))
    if found.keys() - {task.main_file} or any(block.path for block in found.values()):
        files = {path: block.code for path, block in found.items()}
        notes = f"from {len(files)} fenced blocks" if len(files) > 1 else "from a fenced block"
        return program_of(task, files, (notes,))
    return _single(task, candidate)


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


def _placed(task: Task, blocks: list[NamedBlock]) -> dict[str, NamedBlock]:
    """File → its block: by the names that the chat gives, then by what the blocks declare.

    Of several blocks with the name of one file the last counts, because chats correct themselves;
    of blocks without a name the first, because examples of use follow the code.
    """
    file_of = imported(LANGUAGES[task.language].place_block)
    found: dict[str, NamedBlock] = {}
    unnamed: list[NamedBlock] = []
    for block in blocks:
        path = solution_path(task, block.path) if block.path else ""
        if path:
            found[path] = block
        elif not block.path or not _is_other_file(block.path):
            unnamed.append(block)
    helpers: dict[str, NamedBlock] = {}
    for wanted in (found, helpers):  # which file a helper is may depend on who imports it
        taken = {name: each.code for name, each in found.items()}
        for block in unnamed:
            path = file_of(task, block.code, taken)
            if (path in task.solution) == (wanted is found) and path and counts(task, path):
                wanted.setdefault(path, replace(block, path=""))
    return found | _used(helpers, found)


def _is_other_file(path: str) -> bool:
    """A name with a suffix: of a test, a build file or one of the task's own sources."""
    return bool(re.search(r"\.\w+$", path))


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
