"""Runs and whole stores that go elsewhere: `polyassay runs export`, `runs import`, `store copy`."""

import os
from collections.abc import Iterator
from pathlib import Path

import click

from polyassay.cli.common import (
    home,
    json_option,
    messages,
    open_store,
    output,
    print_json,
    store_option,
)
from polyassay.errors import PolyAssayError
from polyassay.model import Suite
from polyassay.report.terminal.waiting import waiting
from polyassay.store import Run, Store
from polyassay.store.moving.copying import copy_store
from polyassay.store.moving.run_file import Arrival, export_run, import_run
from polyassay.store.moving.withheld import WITHHELD
from polyassay.suites.make import content_problem
from polyassay.suites.registry import Registry
from polyassay.wording import counted


@click.command("export")
@click.argument("run")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--without",
    "left_out",
    default="",
    metavar="PARTS",
    help="tests,references: without the suites, and without messages that quote them.",
)
@store_option
@json_option
def export(run: str, file: Path, left_out: str, store_url: str | None, as_json: bool) -> None:
    """Writes a run into one file: suites, answers, verdicts, measures, provenance.

    `runs import` reads it on another machine, where it is scored alike.

    \b
    polyassay runs export latest run.gz
    polyassay runs export latest run.gz --without tests,references
    """
    without = _parts(left_out)
    store = open_store(store_url)
    found = store.run(run)
    part = file.with_name(f"{file.name}.part")
    try:
        with part.open("wb") as out, waiting(messages(), f"Writing {file.name}"):
            verdicts = export_run(store, found, out, without)
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


def _parts(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in WITHHELD:
            raise PolyAssayError(
                f'A run cannot be exported without "{name}".', hint="Name tests,references."
            )
    return names


def suite_here(name: str) -> Suite | None:
    """The suite of this name in the working folder, where one is there."""
    registry = Registry(home())
    return registry.load(name) if name in registry.names() else None


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@store_option
@json_option
def import_(file: Path, store_url: str | None, as_json: bool) -> None:
    """Reads a run that `runs export` wrote; the same file again changes nothing.

    Its verdicts are the file's, so it is marked as imported everywhere, and a leaderboard takes a
    tool from it only where no run that was judged here has that tool. `leaderboard check` looks at
    a file first; `run --again` then judges the run here. Its label is left out.

    \b
    polyassay runs import run.gz
    """
    with waiting(messages(), f"Reading {file.name}"):
        arrival = import_run(open_store(store_url), file, content_problem, suite_here)
        run = arrival.run
        remarks = [*_of_file(arrival), *_other_suites(run)] if arrival.new else []
    if as_json:
        print_json({"run": run.id, "new": arrival.new, "remarks": remarks})
        return
    lines = [f"Run {run.id} is {'in the store now' if arrival.new else 'here already'}.", *remarks]
    if arrival.new:
        lines.append(
            "Its verdicts are the file's, and marked so; a leaderboard prefers any run of the same "
            f"tool that was judged here. Judge it here:  polyassay run --again {run.id}"
        )
    for line in lines:
        output().print(line, markup=False, soft_wrap=True)


def _of_file(arrival: Arrival) -> Iterator[str]:
    run = arrival.run
    if arrival.without:
        yield (
            f"It came without {' and '.join(arrival.without)}: those of the suites here are used, "
            "and why answers failed is not known."
        )
    if run.id != arrival.told_id:
        yield f"Its id in the file, {arrival.told_id}, is taken here."
    if arrival.label:
        yield (
            f'Its label in the file, "{arrival.label}", was left out. '
            f"Give it one:  polyassay runs label {run.id} NAME"
        )


def _other_suites(run: Run) -> Iterator[str]:
    registry = Registry(home())
    for name, told in run.provenance["suites"].items():
        if name not in registry.names():
            yield f"No suite {name} is here, so its tests are the file's own."
            continue
        here = registry.load(name)
        if here.checksum != told["checksum"]:
            yield (
                f"Its suite {name} is version {told.get('version', '')} ({told['checksum'][:8]}), "
                f"and here is version {here.version} ({here.checksum[:8]}): other tasks or tests, "
                "ranked on a board of its own."
            )


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
