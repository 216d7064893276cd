"""From an answer to a program; pure, and total: any text gives a program or says why not."""

from polyassay.model import Candidate, Language, Program, Task


def make_program(task: Task, candidate: Candidate) -> Program:
    # One language's parsers are not loaded for the other.
    if task.language is Language.JAVA:
        from polyassay.candidates.java.program import java_program

        return java_program(task, candidate)
    from polyassay.candidates.python.program import python_program

    return python_program(task, candidate)
