"""From an answer to a program; pure, and total: any text gives a program or says why not."""

from polyassay.model import Candidate, Language, Program, Task

MOST_CHARACTERS = 1_000_000  # of an answer, in any language; docs/answers.md states it


def is_too_long(candidate: Candidate) -> bool:
    return len(candidate.answer) > MOST_CHARACTERS


def make_program(task: Task, candidate: Candidate) -> Program:
    if is_too_long(candidate):
        limit = f"{MOST_CHARACTERS:,} are the most that is read"
        return Program("", problem=f"the answer has {len(candidate.answer):,} characters; {limit}")
    # One language's parsers are not loaded for the other.
    if task.language is Language.JAVA:
        from polyassay.candidates.java.program import java_program

        return java_program(task, candidate)
    from polyassay.candidates.python.program import python_program

    return python_program(task, candidate)
