"""`polyassay verdicts`."""

import click
from rich.table import Table
from rich.text import Text

from polyassay.cli.common import (
    json_option,
    open_store,
    output,
    print_json,
    print_whole,
    store_option,
)
from polyassay.errors import PolyAssayError
from polyassay.model import LUCKY, Outcome, Task, Verdict
from polyassay.options import Options
from polyassay.report.exports.rows import as_dict
from polyassay.shown_text import clean
from polyassay.store import Run, Store
from polyassay.wording import did_you_mean, some

COLUMNS = ("suite", "task", "tool", "prompt", "sample", "outcome", "tests", "judged")
REASON_CHARACTERS = 100  # on a terminal


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
    rows = [_row(verdict) for verdict in found]
    console = output()
    table = Table(box=None, pad_edge=False)
    for position, column in enumerate(COLUMNS):
        # What names a candidate is never cut; its reason is.
        widest = max([len(column), *(len(row[position]) for row in rows)])
        table.add_column(column, no_wrap=True, min_width=widest)
    table.add_column("reason", no_wrap=True, overflow="ellipsis")
    for row, verdict in zip(rows, found, strict=True):
        reason = _brief(verdict.reason) if console.is_terminal else _in_a_line(verdict.reason)
        table.add_row(*map(Text, row), Text(reason))
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


def _brief(reason: str) -> str:
    return clean(reason.split("\n", 1)[0][:REASON_CHARACTERS])


def _in_a_line(reason: str) -> str:
    """Whole, for a file or another program."""
    return clean(" ".join(reason.split()))


def _row(verdict: Verdict) -> tuple[str, ...]:
    key = verdict.candidate
    fields = (
        key.suite,
        key.task,
        key.tool,
        key.prompt_language,
        str(key.sample),
        f"{verdict.outcome}, lucky" if LUCKY in verdict.flags else verdict.outcome,
        f"{verdict.passed}/{verdict.total}",
        verdict.judged,
    )
    return tuple(map(clean, fields))
