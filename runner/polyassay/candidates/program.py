"""From an answer to a program; pure, and total: any text gives a program or says why not."""

from polyassay.languages import LANGUAGES, imported
from polyassay.model import AnswerForm, Candidate, Program, Task

SEVERAL_FILES = "answers of several files cannot be judged yet"


def make_program(task: Task, candidate: Candidate) -> Program:
    row = LANGUAGES[task.language]
    if candidate.form is AnswerForm.EMPTY:
        empty: Program = imported(row.make_empty)(task)
        return empty
    if candidate.form is AnswerForm.FILES:
        return Program("", problem=SEVERAL_FILES)
    program: Program = imported(row.make_program)(task, candidate)
    return program
