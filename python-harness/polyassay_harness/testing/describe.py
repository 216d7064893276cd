"""Values and errors in words, on one line and not too long."""

from typing import Any

MODULE, FILENAME = "answer", "answer.py"  # as which a candidate's program is loaded
TOLD = "polyassay_told"  # on an exception from a worker: what it said about it
_type = type  # a candidate may put something else in its place


def show(value: Any) -> str:
    try:
        return shorten(repr(value))
    except BaseException as error:
        return f"<{_type(value).__name__} whose repr raises {_type(error).__name__}>"


def shorten(text: str, most: int = 200) -> str:
    """The text on one line, its middle left out where it is long."""
    text = str(text)
    if len(text) > most:
        half = most // 2
        text = f"{text[:half]} … {text[-half:]}"
    return " ".join(text.split("\n"))


def describe(error: BaseException, filename: str, first_line: int) -> str:
    """An exception's class and message, and where in the answer it was raised."""
    text = shorten(_type(error).__name__)
    detail = shorten(text_of(error), 500)
    if detail:
        text += f": {detail}"
    line = last_line_in(error, filename)
    if isinstance(error, SyntaxError) and error.filename == filename:
        line = line or error.lineno or 0
        text = f"{shorten(_type(error).__name__)}: {shorten(error.msg, 500)}"
    if line >= first_line:
        text += f", at line {line - first_line + 1} of the answer"
    elif line:
        text += f", at line {line} of the task's own code"
    return text


def last_line_in(error: BaseException, filename: str) -> int:
    """The line of that file on which the error was raised, or what raised it called; 0: none."""
    line, traceback = 0, error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == filename:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line


def text_of(error: BaseException) -> str:
    try:
        return str(error)
    except BaseException:
        return ""
