"""`polyassay`, also as `python -m polyassay`."""

import atexit
import os
import sys
from typing import NoReturn

import click

from polyassay.cli import polyassay
from polyassay.errors import PolyAssayError


def main() -> None:
    # Our arrays are small, and to start threads for them takes longer than all that we compute.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    _leave(_run())


def _run() -> int:
    """Turns whatever went wrong into one sentence, a hint and an exit code."""
    try:
        return polyassay.main(standalone_mode=False) or 0  # a command returns its exit code
    except PolyAssayError as error:
        _tell(error.problem, error.hint)
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "polyassay"
        _tell(error.format_message(), f"`{command} --help` shows how it is used.")
    except click.ClickException as error:
        _tell(error.format_message(), "`polyassay --help` shows all commands.")
    except (click.Abort, KeyboardInterrupt):
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0  # the reader went away (`| head`): nothing to tell anyone
    return 2


def _leave(code: int) -> NoReturn:
    """Ends the process in order, and at once where a JVM is in it.

    JPype's JVM may call into Python while the interpreter takes itself apart, and then aborts.
    """
    if "jpype" in sys.modules and sys.modules["jpype"].isJVMStarted():
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


def _tell(problem: str, hint: str) -> None:
    click.echo(f"Error: {problem}\nHint:  {hint}", err=True)


if __name__ == "__main__":
    main()
