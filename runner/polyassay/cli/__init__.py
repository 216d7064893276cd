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

# What `--help` says of them, without importing any.
SECTIONS = {
    "Begin": {
        "doctor": "Says what works here, and tries it",
        "init": "Writes a study.toml for what is found here",
        "suites": "Lists, shows, adds and checks suites",
        "env": "Makes the interpreters of suites with libraries",
    },
    "Get answers": {
        "prompts": "Prints what a tool is asked",
        "study": "From a study file to a report: asks, judges, compares",
        "generate": "Asks one tool, without a study file",
        "collect": "Takes answers from an editor, or from an agent",
    },
    "Judge": {
        "run": "Executes answers and prints the scores",
        "replay": "Runs an answer again, alone",
        "grade": "Lets people score what tests cannot see",
    },
    "Tell": {
        "compare": "Says which tool is better, by how much, how sure",
        "score": "Prints pass@k and other measures, with intervals",
        "leaderboard": "Ranks the tools of all runs; checks what others send in",
        "verdicts": "Lists verdicts, one line an answer",
        "show": "Shows an answer and why it failed, or where a run is from",
        "report": "Writes a page to show",
        "serve": "Shows all runs in a browser, live",
        "export": "Writes verdicts as JUnit XML, CSV, JSON lines or SARIF",
        "measures": "Compares answers' text, and says what that is worth",
        "power": "Says how many tasks a difference needs",
    },
    "Keep house": {
        "runs": "Lists, labels, deletes, exports and imports runs",
        "store": "Copies stores",
        "gc": "Frees what has not been used for long",
        "completion": "Lets a shell complete commands",
        "manual": "Writes man pages",
        "schema": "Prints the JSON Schema of a file",
    },
}


class Lazy(click.Group):
    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, COMMANDS))
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), told) for name, told in commands.items()])

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
