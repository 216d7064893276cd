"""`polyassay env`: interpreters with the libraries that suites need."""

import dataclasses
from pathlib import Path

import click

from polyassay.cli.common import home, json_option, messages, output, print_json
from polyassay.environments.interpreters import create, list_environments
from polyassay.report.terminal.overviews import environments_table
from polyassay.report.terminal.waiting import waiting
from polyassay.suites.registry import Registry


@click.group()
def env() -> None:
    """Makes and lists the interpreters that suites with libraries run in."""


@env.command("create")
@click.argument("suite")
@click.option("--python", type=click.Path(path_type=Path), help="Which Python to make it of.")
@click.option("--set", "set_name", metavar="NAME", help="Which of the suite's sets of libraries.")
@json_option
def create_environment(
    suite: str, python: Path | None, set_name: str | None, as_json: bool
) -> None:
    """Makes, mends or chooses a suite's environment; runs use it from then on.

    \b
    polyassay env create odex
    polyassay env create odex --set older
    """
    console = messages()
    with waiting(console, f"Installing the libraries of {suite}"):
        made = create(home(), Registry(home()).load(suite), python, set_name, console.print)
    if as_json:
        print_json(dataclasses.asdict(made) | {"folder": str(made.folder)})
        return
    output().print(
        f"{made.suite} uses its {made.set} libraries: Python {made.python}, "
        f"{len(made.pins)} pinned, in {made.folder.name}",
        soft_wrap=True,
    )


@env.command("list")
@json_option
def list_all(as_json: bool) -> None:
    """Lists the environments, and says which of them are broken.

    \b
    polyassay env list
    """
    found = list_environments(home())
    if as_json:
        print_json([dataclasses.asdict(one) | {"folder": str(one.folder)} for one in found])
        return
    if not found:
        output().print("There is no environment yet; `polyassay run` makes what it needs.")
        return
    output().print(environments_table(found))
