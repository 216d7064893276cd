"""Runs and whole stores that go elsewhere: `polyassay runs export`, `runs import`, `store copy`."""

import os
from pathlib import Path

import click

from polyassay.cli.common import (
    json_option,
    messages,
    open_store,
    output,
    print_json,
    store_option,
)
from polyassay.errors import PolyAssayError
from polyassay.report.terminal.waiting import waiting
from polyassay.store import Store
from polyassay.store.moving.copying import copy_store
from polyassay.store.moving.run_file import export_run, import_run
from polyassay.wording import counted


@click.command("export")
@click.argument("run")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@store_option
@json_option
def export(run: str, file: Path, store_url: str | None, as_json: bool) -> None:
    """Writes a run into one file: suites, answers, verdicts, measures, provenance.

    `runs import` reads it on another machine, where it is scored alike.

    \b
    polyassay runs export latest run.gz
    """
    store = open_store(store_url)
    found = store.run(run)
    part = file.with_name(f"{file.name}.part")
    try:
        with part.open("wb") as out, waiting(messages(), f"Writing {file.name}"):
            verdicts = export_run(store, found, out)
        part.replace(file)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise PolyAssayError(
            f"{file} cannot be written: {error.strerror}.", hint="Name another file."
        ) from None
    if as_json:
        print_json({"run": found.id, "file": str(file), "verdicts": verdicts})
    else:
        told = f"Run {found.id} with {counted(verdicts, 'verdict')} is in {file}."
        output().print(told, markup=False, soft_wrap=True)


_CHECK = "polyassay leaderboard check"


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@store_option
@json_option
def import_(file: Path, store_url: str | None, as_json: bool) -> None:
    """Reads a run that `runs export` wrote; the same file again changes nothing.

    \b
    polyassay runs import run.gz
    """
    with waiting(messages(), f"Reading {file.name}"):
        found, new = import_run(open_store(store_url), file)
    if as_json:
        print_json({"run": found.id, "new": new})
        return
    output().print(f"Run {found.id} is {'in the store now' if new else 'here already'}.")
    if new:
        told = f"Its verdicts are the file's, and marked so. Judge again:  {_CHECK} {file}"
        output().print(told, markup=False, soft_wrap=True)


@click.group()
def store() -> None:
    """Copies stores."""


@store.command()
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@json_option
def copy(source: str, target: str, as_json: bool) -> None:
    """Copies a whole store into an empty one, such as from a file to a server.

    Variables in the addresses ($PGSTORE, say) keep passwords out of the command.

    \b
    polyassay store copy sqlite:///.polyassay/store.sqlite postgresql://me@host/polyassay
    """
    console = messages()
    source, target = os.path.expandvars(source), os.path.expandvars(target)
    _refuse_missing(source)
    with waiting(console, "Copying the store"):
        told = console.print
        rows = copy_store(Store.open(source, told), Store.open(target, told), told)
    if as_json:
        print_json({"rows": rows})
    else:
        runs, verdicts = counted(rows["runs"], "run"), counted(rows["verdicts"], "verdict")
        output().print(f"{runs} with {verdicts} copied.")


def _refuse_missing(address: str) -> None:
    """To open a file that is not there would make an empty store."""
    path = address.removeprefix("sqlite:///")
    if path != address and not Path(path).is_file():
        raise PolyAssayError(f"There is no store {path}.", hint="Check the first address.")
