"""The built-in tool `empty` for tasks with solution files."""

from polyassay.candidates.solution.program import program_of
from polyassay.languages import LANGUAGES, imported
from polyassay.model import Program, Task


def empty_files(task: Task) -> Program:
    """The reference's files with nothing in them; without a reference, the stubs."""
    empty_source = imported(LANGUAGES[task.language].empty_file)
    emptied = {path: empty_source(text) or text for path, text in task.reference_files.items()}
    return program_of(task, emptied)
