"""From an answer to a program; pure, and total: any text gives a program or says why not."""

from polyassay.languages import LANGUAGES, imported
from polyassay.model import AnswerForm, Candidate, Program, Task

MOST_CHARACTERS = 1_000_000  # of an answer, in any language; docs/answers.md states it
SEVERAL_FILES = "answers of several files cannot be judged yet"


def is_too_long(candidate: Candidate) -> bool:
    return len(candidate.answer) > MOST_CHARACTERS


def make_program(task: Task, candidate: Candidate) -> Program:
    row = LANGUAGES[task.language]
    if candidate.form is AnswerForm.EMPTY:
        empty: Program = imported(row.make_empty)(task)
        return empty
    if candidate.form is AnswerForm.SOURCE:
        return Program(candidate.answer, code=candidate.answer)
    if is_too_long(candidate):
        limit = f"{MOST_CHARACTERS:,} are the most that is read"
        return Program("", problem=f"the answer has {len(candidate.answer):,} characters; {limit}")
    if candidate.form is AnswerForm.FILES:
        return Program("", problem=SEVERAL_FILES)
    program: Program = imported(row.make_program)(task, candidate)
    return program
