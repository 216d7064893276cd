"""Makes a program of an answer, whatever its text is: the program says if it has a problem."""

from polyassay.candidates.solution.empty import empty_files
from polyassay.candidates.solution.program import solution_program
from polyassay.languages import LANGUAGES, imported
from polyassay.model import AnswerForm, Candidate, Program, Task

MOST_CHARACTERS = 1_000_000  # of an answer, in any language; docs/answers.md states it


def is_too_long(candidate: Candidate) -> bool:
    return len(candidate.answer) > MOST_CHARACTERS


def make_program(task: Task, candidate: Candidate) -> Program:
    row = LANGUAGES[task.language]
    if candidate.form is AnswerForm.EMPTY:
        if task.solution:
            return empty_files(task)
        empty: Program = imported(row.make_empty)(task)
        return empty
    if candidate.form is AnswerForm.SOURCE:
        return Program(candidate.answer, code=candidate.answer)
    if is_too_long(candidate):
        limit = f"{MOST_CHARACTERS:,} are the most that is read"
        return Program("", problem=f"the answer has {len(candidate.answer):,} characters; {limit}")
    if task.solution:
        return solution_program(task, candidate)
    program: Program = imported(row.make_program)(task, candidate)
    return program
