"""The command line: arguments in, exit code out; one file per command group."""

import importlib
import os

import click

import polyassay as package
from polyassay.cli.reference import COMPLETING
from polyassay.errors import PolyAssayError
from polyassay.wording import did_you_mean

# command → the module that has it; imported when asked for, so that `--help` is quick.
COMMANDS = {
    "doctor": "doctor",
    "suites": "suites.commands",
    "env": "env",
    "run": "run",
    "runs": "housekeeping.runs",
    "store": "housekeeping.moving",
    "study": "study",
    "init": "init",
    "generate": "generate",
    "prompts": "prompts",
    "score": "results.score",
    "verdicts": "results.verdicts",
    "show": "results.show",
    "replay": "results.show",
    "compare": "results.compare",
    "leaderboard": "results.leaderboard",
    "power": "results.power",
    "report": "results.report",
    "serve": "results.serve",
    "export": "results.export",
    "measures": "results.measures",
    "grade": "grade.commands",
    "collect": "collect.commands",
    "gc": "gc",
    "completion": "reference.completion",
    "manual": "reference.manual",
    "schema": "reference.schema",
}


class Lazy(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Our commands are not loaded, so that click knows of none that could be meant."""
        name = args[0]
        if not (name in COMMANDS or name.startswith("-") or ctx.resilient_parsing):
            raise PolyAssayError(
                f'There is no command "{name}".',
                hint=did_you_mean(name, COMMANDS) + "`polyassay --help` lists all commands.",
            )
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f"polyassay.cli.{COMMANDS[name]}")
        command: click.Command = getattr(module, name)
        if COMPLETING in os.environ:
            from polyassay.cli.reference.completion import complete_values

            complete_values(command)
        return command


@click.command(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package.__version__, prog_name="polyassay")
def polyassay() -> None:
    """Tells which code-generation tool is better, in Java and in Python, and how sure that is.

    \b
    polyassay doctor
    polyassay run -s starter-java -c finch=answers/finch -c heron=answers/heron
    polyassay compare latest finch heron
    """
