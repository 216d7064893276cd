"""`polyassay show` and `polyassay replay`: a run's provenance, and one candidate in full."""

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

import click
from rich.text import Text

from polyassay.cli.beginning import restore_environments
from polyassay.cli.common import (
    Command,
    home,
    json_option,
    messages,
    open_store,
    output,
    print_json,
    store_option,
)
from polyassay.cli.results.verdicts import refuse_unknown, tasks_of
from polyassay.errors import PolyAssayError
from polyassay.measures.results import left_out_at_start
from polyassay.model import Verdict
from polyassay.options import Options
from polyassay.report.exports.rows import as_dict
from polyassay.report.tasks.unknown import meant_for, unknown_notes
from polyassay.report.terminal.candidate import print_verdict
from polyassay.report.terminal.provenance import print_provenance
from polyassay.report.terminal.waiting import waiting
from polyassay.shown_text import clean
from polyassay.slot import judge_alone
from polyassay.store import Run, Store


def choosing(command: Command) -> Command:
    """The options that say which of a task's answers is meant."""
    for option in (
        click.option("--tool", help="Whose answer."),
        click.option("--sample", type=int, help="Which of its samples."),
        click.option("--suite", help="Where several suites have a task of that name."),
        click.option("--prompt-language", metavar="NL", help="To a prompt in which language."),
    ):
        command = option(command)
    return command


@click.command()
@click.argument("run")
@click.argument("task", required=False)
@choosing
@click.option("--raw", is_flag=True, help="Only the answers, as they were given.")
@store_option
@json_option
def show(
    run: str,
    task: str | None,
    raw: bool,
    store_url: str | None,
    as_json: bool,
    **chosen_by: Any,
) -> None:
    """Shows where a run's figures come from, or what became of a task's answers.

    \b
    polyassay show latest
    polyassay show latest pad-left --tool finch
    """
    store = open_store(store_url)
    found = store.run(run)
    if task is None and (raw or any(value is not None for value in chosen_by.values())):
        raise PolyAssayError(
            "--tool, --sample, --suite, --prompt-language and --raw are about a task's answers, "
            "and no task is named.",
            hint=f"`polyassay verdicts {found.id}` lists all answers.",
        )
    if task is None:
        _show_run(found, as_json)
        return
    chosen = _choose(store, found, task, **chosen_by)
    if as_json:
        for verdict in chosen:
            answer = store.candidate(found.id, verdict.candidate).answer
            print_json(as_dict(verdict) | {"answer": answer} | _program_fields(verdict))
        return
    if raw:
        _print_answers(store, found, chosen)
        return
    tasks = tasks_of(store, found)
    for verdict in chosen:
        key = verdict.candidate
        print_verdict(output(), tasks[key.suite, key.task], verdict)
        again = f"polyassay replay {found.id} {key.task} --tool {key.tool} --sample {key.sample}"
        if len(tasks[key.suite, key.task].prompts) > 1:
            again += f" --prompt-language {key.prompt_language}"
        output().print(Text(f"Again, alone:  {again}\n"), soft_wrap=True)
    for line in _without_answer(found, task, chosen, chosen_by.get("tool")):
        output().print(Text(line), soft_wrap=True)


def _show_run(found: Run, as_json: bool) -> None:
    if as_json:
        print_json({"run": found.id, "created": found.created, **found.provenance})
    else:
        print_provenance(output(), found)
        for note in (*left_out_at_start(found), *unknown_notes(found)):
            output().print(note, markup=False, soft_wrap=True)


def _print_answers(store: Store, found: Run, chosen: Sequence[Verdict]) -> None:
    for verdict in chosen:
        answer = clean(store.candidate(found.id, verdict.candidate).answer)
        output().print(Text(answer), soft_wrap=True)


@click.command()
@click.argument("run")
@click.argument("task")
@choosing
@store_option
@json_option
def replay(
    run: str,
    task: str,
    store_url: str | None,
    as_json: bool,
    **chosen_by: Any,
) -> None:
    """Runs answers again, alone, as the run did, and says whether the verdict is the same.

    \b
    polyassay replay latest pad-left --tool finch
    """
    store = open_store(store_url)
    found = store.run(run)
    options = Options.of(found.provenance)
    restore_environments(store, found)
    tasks = tasks_of(store, found)
    for before in _choose(store, found, task, **chosen_by):
        key = before.candidate
        settings = options.settings(home(), jobs=1)
        with waiting(messages(), f"Running {key.tool}'s answer to {key.task} again"):
            answer = store.candidate(found.id, key)
            verdict = judge_alone(tasks[key.suite, key.task], answer, settings)
        same = (verdict.outcome, verdict.passed) == (before.outcome, before.passed)
        if as_json:
            print_json(as_dict(verdict) | _program_fields(verdict) | {"same": same})
            continue
        print_verdict(output(), tasks[key.suite, key.task], verdict)
        remark = (
            "as in the run"
            if same
            else f"the run had {before.outcome} {before.passed}/{before.total}"
        )
        output().print(f"Again, alone: {verdict.outcome}, {remark}.\n", soft_wrap=True)


def _choose(
    store: Store, run: Run, task: str, tool: str | None = None, **others: Any
) -> list[Verdict]:
    """The verdicts that the words on the command line mean; at least one."""
    chosen = [
        verdict
        for verdict in store.verdicts(run.id, task, tool)
        if all(value in (None, getattr(verdict.candidate, name)) for name, value in others.items())
    ]
    if chosen:
        return chosen
    refuse_unknown(store, run, task, tool)
    tools = run.provenance["candidates"]["tools"]
    why = " ".join(_without_answer(run, task, [], tool)) if not any(others.values()) else ""
    raise PolyAssayError(
        f'Run {run.id} has no such answer to "{task}".',
        hint=why
        or f"A task without an answer counts as failed. The run's tools are {', '.join(tools)}.",
    )


def _without_answer(
    run: Run, task: str, shown: Sequence[Verdict], tool: str | None
) -> Iterator[str]:
    """Which of the run's tools have no answer, and what they wrote under another id."""
    answered = {verdict.candidate.tool for verdict in shown}
    for name in run.provenance["candidates"]["tools"]:
        if name in answered or tool not in (None, name):
            continue
        meant = meant_for(run, task, name)
        more = (
            f' It has one to "{meant}", which no suite of the run has as a task.' if meant else ""
        )
        yield f"{name}: no answer, counted as failed.{more}"


def _program_fields(verdict: Verdict) -> dict[str, object]:
    return {"program": dataclasses.asdict(verdict.program), "output": verdict.output}
