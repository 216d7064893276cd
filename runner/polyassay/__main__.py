"""`polyassay`, also as `python -m polyassay`."""

import atexit
import contextlib
import errno
import io
import os
import signal
import sys
import tempfile
import threading
import time
import traceback
from pathlib import Path
from typing import NoReturn

import click

from polyassay.errors import PolyAssayError
from polyassay.shown_text import clean, hide_passwords

FAILED = 2
INTERRUPTED = 128 + signal.SIGINT
TERMINATED = 128 + signal.SIGTERM
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)


class Terminated(KeyboardInterrupt):
    """SIGTERM, as of `timeout` or of a CI job that is cancelled: like Ctrl-C to every command."""


def main() -> None:
    # Our arrays are small, and to start threads for them takes longer than all that we compute.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    is_heard = sys.stdout is not None
    _fill_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    threading.excepthook = _thread_failed
    signal.signal(signal.SIGTERM, _terminate)
    if not is_heard:
        _tell("Standard output is closed, so no result could be told.", "leave it open (no >&-).")
        _leave(FAILED)
    _leave(_run())


def _fill_closed_streams() -> None:
    """Lest a file that is opened later, the store perhaps, is taken for a stream that is closed."""
    for descriptor, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            with contextlib.suppress(OSError):
                os.fstat(descriptor)
                continue
            os.open(os.devnull, os.O_RDWR)  # the lowest that is free, which is this one
            setattr(sys, name, os.fdopen(descriptor, "r" if name == "stdin" else "w"))


def _run() -> int:
    """Turns whatever went wrong into one sentence, a hint and an exit code."""
    try:
        from polyassay.cli import polyassay  # here: a broken installation is told as well

        # A command returns its exit code.
        code = polyassay.main(prog_name="polyassay", standalone_mode=False) or 0
        sys.stdout.flush()  # here, where it can still be told that this failed
        return code
    except PolyAssayError as error:
        _tell(error.problem, error.hint)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)  # nothing was asked: what can be asked
    except click.UsageError as error:
        from polyassay.cli.usage import hint_of, problem_of

        _tell(problem_of(error), hint_of(error, polyassay, sys.argv[1:]))
    except click.ClickException as error:
        _tell(error.format_message(), "`polyassay --help` shows all commands.")
    except (click.Abort, KeyboardInterrupt) as error:
        # click turns one into the other.
        return TERMINATED if isinstance(error.__cause__ or error, Terminated) else INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0  # the reader went away (`| head`): nothing to tell anyone
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else FAILED
    except BaseException as error:  # our own mistake, or the machine's
        if isinstance(error, OSError) and (problem := _output_problem(error)):
            _tell(f"Standard output takes no more: {problem}.", "make room, or send it elsewhere.")
            return FAILED
        _tell(_in_a_sentence(error), _where_details_are(error))
    return FAILED


def _output_problem(error: OSError) -> str:
    """Why standard output takes nothing more, if that is what failed; it is given up then.

    A line end is tried, because what was lost is not tried again.
    """
    if error.filename is not None or error.errno not in _FULL:
        return ""
    try:
        click.echo()
    except OSError as again:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return again.strerror or "it failed"
    return ""


def _terminate(*_: object) -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a second one ends it at once
    raise Terminated


def _thread_failed(args: threading.ExceptHookArgs) -> None:
    """A thread that fails says so as briefly; the command finds out by what it then lacks."""
    if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
        _tell(_in_a_sentence(args.exc_value), _where_details_are(args.exc_value))


def _in_a_sentence(error: BaseException) -> str:
    try:
        detail = " ".join(str(error).split())
    except Exception:
        detail = ""
    detail = detail if len(detail) <= 200 else detail[:199] + "…"
    name = type(error).__name__
    return f"PolyAssay failed by a mistake of its own: {name}{': ' * bool(detail)}{detail}."


def _where_details_are(error: BaseException) -> str:
    """Writes the traceback beside the runs, or where temporary files go."""
    details = "".join(traceback.format_exception(error))
    details = hide_passwords(f"{' '.join(sys.argv)}\n{details}")
    for folder in (Path.cwd() / ".polyassay", Path(tempfile.gettempdir())):
        name = f"error-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.txt"
        with contextlib.suppress(OSError):
            if folder.is_dir():
                (folder / name).write_text(details, encoding="utf-8", errors="backslashreplace")
                return f"the details are in {folder / name}; please report them."
    return "the details could not be written: no folder takes them."


def _leave(code: int) -> NoReturn:
    """Ends the process in order, and at once where a JVM is in it.

    JPype's JVM may call into Python while the interpreter takes itself apart, and then aborts.
    """
    jpype = sys.modules.get("jpype")
    if jpype is not None and getattr(jpype, "isJVMStarted", bool)():
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)
    sys.exit(code)


def _tell(problem: str, hint: str) -> None:
    with contextlib.suppress(OSError, ValueError):  # nobody listens any more
        click.echo(clean(hide_passwords(f"Error: {problem}\nHint:  {hint}")), err=True)


if __name__ == "__main__":
    main()
