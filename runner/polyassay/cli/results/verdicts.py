"""`polyassay verdicts`."""

import click

from polyassay.cli.common import (
    json_option,
    open_store,
    output,
    print_json,
    print_whole,
    store_option,
)
from polyassay.errors import PolyAssayError
from polyassay.model import Outcome, Task
from polyassay.options import Options
from polyassay.report.exports.rows import as_dict
from polyassay.report.terminal.overviews import verdicts_table
from polyassay.store import Run, Store
from polyassay.wording import did_you_mean, some


@click.command()
@click.argument("run")
@click.option("--task", help="Only this task.")
@click.option("--tool", help="Only this tool.")
@click.option(
    "--outcome",
    type=click.Choice([of.value for of in Outcome]),
    help="Only those that ended like this.",
)
@click.option("--not-passed", is_flag=True, help="All but those that passed.")
@store_option
@json_option
def verdicts(
    run: str,
    task: str | None,
    tool: str | None,
    outcome: str | None,
    not_passed: bool,
    store_url: str | None,
    as_json: bool,
) -> None:
    """Lists a run's verdicts, one line a candidate; `score --failures` counts why they failed.

    \b
    polyassay verdicts latest --tool finch --not-passed
    polyassay verdicts latest --json | head -n 1
    """
    store = open_store(store_url)
    begun = store.run(run)
    refuse_unknown(store, begun, task, tool)
    streamed = (
        verdict
        for verdict in store.verdicts(begun.id, task, tool)
        if outcome in (None, verdict.outcome)
        and not (not_passed and verdict.outcome is Outcome.PASSED)
    )
    if as_json:
        for verdict in streamed:
            print_json(as_dict(verdict))
        return
    found = list(streamed)
    console = output()
    table = verdicts_table(found, brief=console.is_terminal)
    if console.is_terminal:
        console.print(table)
    else:
        print_whole(console, table)


def refuse_unknown(store: Store, run: Run, task: str | None, tool: str | None) -> None:
    """A misspelt name is told, and not taken for one that has no verdict."""
    known = {key for _, key in tasks_of(store, run)} if task is not None else set()
    if task is not None and task not in known:
        raise PolyAssayError(
            f'Run {run.id} has no task "{task}".',
            hint=did_you_mean(task, known) + f"It has {some(sorted(known))}.",
        )
    tools = run.provenance["candidates"]["tools"]
    if tool not in (None, *tools):
        raise PolyAssayError(
            f'Run {run.id} has no tool "{tool}".',
            hint=did_you_mean(str(tool), tools) + f"It has {', '.join(tools)}.",
        )


def tasks_of(store: Store, run: Run) -> dict[tuple[str, str], Task]:
    suites = Options.of(run.provenance).apply(store.suites(run))
    return {(name, task.id): task for name, suite in suites.items() for task in suite.tasks}
