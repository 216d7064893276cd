"""`polyassay show` and `polyassay replay`: a run's provenance, and one candidate in full."""

import dataclasses
import json
from collections.abc import Sequence
from typing import Any

import click
from rich.console import Console
from rich.syntax import Syntax
from rich.text import Text

from polyassay.cli.common import (
    Command,
    home,
    json_option,
    open_store,
    output,
    print_json,
    store_option,
)
from polyassay.cli.run import restore_environments
from polyassay.cli.verdicts import as_dict, refuse_unknown, tasks_of
from polyassay.errors import PolyAssayError
from polyassay.highlight import BriefLexer
from polyassay.model import Task, TestResult, TestStatus, Verdict
from polyassay.options import Options
from polyassay.pipeline import judge_alone
from polyassay.shown_text import clean
from polyassay.store import Run, Store

MARKS = {TestStatus.PASSED: ("✓", "green"), TestStatus.NOT_RUN: ("·", "dim")}
FAILED_MARK = ("✗", "red")
MOST_TEST_LINES = 8  # of a failed test's code; `polyassay suites show` has longer ones


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
@store_option
@json_option
def show(
    run: str,
    task: str | None,
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
    if task is None:
        _show_provenance(found, as_json)
        return
    chosen = _choose(store, found, task, **chosen_by)
    if as_json:
        for verdict in chosen:
            answer = store.candidate(found.id, verdict.candidate).answer
            print_json(as_dict(verdict) | {"answer": answer} | _program_fields(verdict))
        return
    tasks = tasks_of(store, found)
    for verdict in chosen:
        key = verdict.candidate
        _show_verdict(output(), tasks[key.suite, key.task], verdict)
        again = f"polyassay replay {found.id} {key.task} --tool {key.tool} --sample {key.sample}"
        if len(tasks[key.suite, key.task].prompts) > 1:
            again += f" --prompt-language {key.prompt_language}"
        output().print(Text(f"Again, alone:  {again}\n"), soft_wrap=True)


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
        verdict = judge_alone(tasks[key.suite, key.task], store.candidate(found.id, key), settings)
        same = (verdict.outcome, verdict.passed) == (before.outcome, before.passed)
        if as_json:
            print_json(as_dict(verdict) | _program_fields(verdict) | {"same": same})
            continue
        _show_verdict(output(), tasks[key.suite, key.task], verdict)
        remark = (
            "as in the run"
            if same
            else f"the run had {before.outcome} {before.passed}/{before.total}"
        )
        output().print(f"Again, alone: {verdict.outcome}, {remark}.\n", soft_wrap=True)


def _show_provenance(run: Run, as_json: bool) -> None:
    if as_json:
        print_json({"run": run.id, "created": run.created, **run.provenance})
        return
    console = output()
    console.print(f"run {run.id}, started {run.created}")
    for name, value in run.provenance.items():
        if isinstance(value, dict):
            console.print(f"  {name}")
            for inner, detail in value.items():
                told = detail if isinstance(detail, str | int) else json.dumps(detail)
                console.print(Text(f"    {inner:<14} {told}"), soft_wrap=True)
        else:
            told = value if isinstance(value, str) else json.dumps(value)
            console.print(Text(f"  {name:<16} {told}"), soft_wrap=True)


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
    raise PolyAssayError(
        f'Run {run.id} has no such answer to "{task}".',
        hint=f"A task without an answer counts as failed. The run's tools are {', '.join(tools)}.",
    )


def _program_fields(verdict: Verdict) -> dict[str, object]:
    return {"program": dataclasses.asdict(verdict.program), "output": verdict.output}


def _show_verdict(console: Console, task: Task, verdict: Verdict) -> None:
    key = verdict.candidate
    asked = f" · {key.tool} · {key.prompt_language} · sample {key.sample} · "
    counts = f" {verdict.passed}/{verdict.total} · judged {verdict.judged}"
    console.print(
        Text.assemble(
            (f"{key.suite} {key.task}", "bold"),
            asked,
            (verdict.outcome.replace("_", " "), "bold"),
            f"{counts} · {verdict.seconds:.2f} s",
        )
    )
    prompt = task.prompts.get(key.prompt_language, "")
    console.print(Text(f"  prompt    {prompt.strip()}"))
    console.print(Text(f"  answer    {'; '.join(verdict.program.notes) or 'as it is'}"))
    if verdict.reason:
        console.print(Text(f"  reason    {verdict.reason}"))
    code = verdict.program.code or verdict.program.source
    console.print()
    console.print(
        Syntax(
            clean(code),
            BriefLexer(task.language),
            line_numbers=True,
            background_color="default",
            word_wrap=True,
        )
    )
    _show_tests(console, task, verdict.tests)
    if verdict.solved_by:
        by = verdict.solved_by
        console.print(Text(f"  solved by {by.function}, set {by.set}"))
    if verdict.output.strip():
        console.print(Text(f"\n  printed\n{verdict.output.rstrip()}"))


def _show_tests(console: Console, task: Task, results: Sequence[TestResult]) -> None:
    code = {test.name: test.code.strip() for test in task.tests}
    passed = [result for result in results if result.status is TestStatus.PASSED]
    if passed:
        console.print(Text("  " + "   ".join(f"✓ {result.name}" for result in passed), "green"))
    for result in results:
        if result.status is not TestStatus.PASSED:
            mark, colour = MARKS.get(result.status, FAILED_MARK)
            told = result.message or result.status.replace("_", " ")
            console.print(Text(f"  {mark} {result.name}   {told}", colour))
            if 0 < len(lines := code.get(result.name, "").splitlines()) <= MOST_TEST_LINES:
                console.print(Text("\n".join(f"      {line}" for line in lines), "dim"))
