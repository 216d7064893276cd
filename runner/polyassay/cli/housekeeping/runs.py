"""`polyassay runs`: which runs there are, what they are called, and which may go."""

from typing import Any

import click

from polyassay.cli.common import (
    json_option,
    messages,
    open_store,
    output,
    print_json,
    store_option,
)
from polyassay.cli.housekeeping.moving import export, import_
from polyassay.errors import PolyAssayError
from polyassay.report.terminal.overviews import runs_table
from polyassay.rules import CHANGES, told
from polyassay.store import Run, Store
from polyassay.store.housekeeping import delete_run, label_run
from polyassay.wording import counted, some


@click.group()
def runs() -> None:
    """Lists, labels, deletes, exports and imports runs."""


runs.add_command(export)
runs.add_command(import_)


@runs.command("rules")
@json_option
def list_rules(as_json: bool) -> None:
    """Lists the versions of the rules of judging, and what each changed.

    Runs under different rules are neither compared nor ranked together.

    \b
    polyassay runs rules
    """
    if as_json:
        print_json([{"rules": version, "changed": what} for version, what in CHANGES.items()])
        return
    for version, what in CHANGES.items():
        output().print(f"{told(version)}: {what}.", markup=False, soft_wrap=True)


@runs.command("list")
@store_option
@json_option
def list_runs(store_url: str | None, as_json: bool) -> None:
    """Lists all runs, the newest first.

    \b
    polyassay runs list
    """
    store = open_store(store_url)
    found = [_about(store, run) for run in store.runs()]
    if as_json:
        print_json(found)
        return
    if not found:
        messages().print("There is no run yet; `polyassay run --help` starts one.")
        return
    output().print(runs_table(found))


def _about(store: Store, run: Run) -> dict[str, Any]:
    tools = run.provenance["candidates"]["tools"]
    return {
        "run": run.id,
        "label": run.label,
        "created": run.created,
        "imported": run.imported,
        **({"created_there": run.created_there} if run.imported else {}),
        "suites": list(run.provenance["suites"]),
        "tools": list(tools),
        "candidates": sum(tools.values()),
        "judged": store.count_verdicts(run.id),
    }


@runs.command()
@click.argument("run")
@click.argument("name", required=False)
@click.option("--remove", is_flag=True, help="Take the label away.")
@store_option
@json_option
def label(run: str, name: str | None, remove: bool, store_url: str | None, as_json: bool) -> None:
    """Gives a run a name, which stands for its id in every command.

    \b
    polyassay runs label latest release-2
    polyassay score release-2
    """
    if remove == (name is not None):
        raise click.UsageError("Give a NAME, or --remove.")
    store = open_store(store_url)
    found = store.run(run)
    label_run(store, found, name or "")
    if as_json:
        print_json({"run": found.id, "label": name or ""})
    else:
        output().print(
            f"Run {found.id} is now {name}." if name else f"Run {found.id} has no label."
        )


@runs.command()
@click.argument("names", metavar="RUN…", nargs=-1, required=True)
@click.option("--yes", is_flag=True, help="Do not ask.")
@store_option
@json_option
def delete(names: tuple[str, ...], yes: bool, store_url: str | None, as_json: bool) -> None:
    """Deletes runs with their answers and verdicts; people's scores stay.

    \b
    polyassay runs delete r7f3 --yes
    """
    store = open_store(store_url)
    found = list({run.id: run for run in map(store.run, names)}.values())
    if not yes:
        _ask(store, found)
    for run in found:
        with store.alone(run.id):
            delete_run(store, run)
    if as_json:
        print_json({"deleted": [run.id for run in found]})
    else:
        output().print(f"{counted(len(found), 'run')} deleted: {some([r.id for r in found])}.")


def _ask(store: Store, runs: list[Run]) -> None:
    verdicts = sum(store.count_verdicts(run.id) for run in runs)
    question = f"Delete {counted(len(runs), 'run')} with {counted(verdicts, 'verdict')} for good?"
    try:
        sure = click.confirm(question, err=True)
    except click.Abort:
        sure = False
    if not sure:
        raise PolyAssayError("Nothing was deleted.", hint="--yes deletes without asking.")
