"""`polyassay`, also as `python -m polyassay`."""

import sys

import click

from polyassay.cli import polyassay
from polyassay.errors import PolyAssayError


def main() -> None:
    """Turns whatever went wrong into one sentence, a hint and an exit code."""
    try:
        sys.exit(polyassay.main(standalone_mode=False))  # a command returns its exit code
    except PolyAssayError as error:
        _tell(error.problem, error.hint)
        sys.exit(2)
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "polyassay"
        _tell(error.format_message(), f"`{command} --help` shows how it is used.")
        sys.exit(2)
    except click.ClickException as error:
        _tell(error.format_message(), "`polyassay --help` shows all commands.")
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()  # the reader went away (`| head`): nothing to tell anyone
        sys.exit(0)


def _tell(problem: str, hint: str) -> None:
    click.echo(f"Error: {problem}\nHint:  {hint}", err=True)


if __name__ == "__main__":
    main()
