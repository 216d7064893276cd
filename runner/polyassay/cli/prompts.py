"""`polyassay prompts`: what a tool is asked, byte for byte."""

from collections.abc import Sequence

import click

from polyassay.cli.common import home, json_option, print_json
from polyassay.errors import PolyAssayError
from polyassay.model import Suite, Task
from polyassay.prompts import Prompt, PromptSettings, render, settings_from
from polyassay.study.pools import pool_of
from polyassay.suites.registry import Registry
from polyassay.wording import did_you_mean


@click.command()
@click.argument("suite")
@click.argument("task", required=False)
@click.option(
    "--template",
    metavar="T",
    help="chat, completion, odex, exeds, mbupp, aixbench, humaneval, or a file [chat].",
)
@click.option(
    "--set",
    "assignments",
    multiple=True,
    metavar="NAME=VALUE",
    help="examples, pool, shown_tests (n or all), function_name (id, constant, intent), strip, "
    "prompt_language, system, drawing (ours, published).",
)
@click.option("--seed", type=click.IntRange(0), metavar="N", help="Of examples and shown tests.")
@json_option
def prompts(
    suite: str,
    task: str | None,
    template: str | None,
    assignments: tuple[str, ...],
    seed: int | None,
    as_json: bool,
) -> int:
    """Prints what a tool is asked about a suite's tasks.

    \b
    polyassay prompts starter-java median
    polyassay prompts odex en/1 --template odex --set shown_tests=1 --set strip=true --seed 7
    """
    settings = settings_from(assignments_of(assignments))
    if template is not None:
        settings = settings.changed(template=template)
    if seed is not None:
        settings = settings.changed(seed=seed)
    loaded = Registry(home()).load(suite)
    pool = pool_of(settings, loaded, Registry(home()))
    for one in _tasks(loaded, task, settings):
        _show(one, render(one, settings, pool), as_json, alone=task is not None)
    return 0


def assignments_of(assignments: Sequence[str]) -> dict[str, str]:
    found = {}
    for text in assignments:
        name, equals, value = text.partition("=")
        if not equals:
            raise PolyAssayError(f'--set needs NAME=VALUE, found "{text}".', "as in examples=1.")
        found[name.strip()] = value
    return found


def _tasks(suite: Suite, name: str | None, settings: PromptSettings) -> list[Task]:
    """One task, or all that are asked in the prompt language."""
    language = settings.prompt_language
    if name is None:
        asked = [task for task in suite.tasks if not language or language in task.prompts]
        if not asked:
            raise PolyAssayError(
                f'No task of {suite.name} has a prompt in "{language}".',
                f"`polyassay suites show {suite.name}` says which there are.",
            )
        return asked
    found = [task for task in suite.tasks if task.id == name]
    if not found:
        hint = did_you_mean(name, [task.id for task in suite.tasks])
        raise PolyAssayError(
            f'The suite "{suite.name}" has no task "{name}".',
            f"{hint}`polyassay suites tasks {suite.name}` lists all.",
        )
    return found


def _show(task: Task, prompt: Prompt, as_json: bool, *, alone: bool) -> None:
    """One task's text is written as it is, without a byte more."""
    if as_json:
        messages = [{"role": one.role, "content": one.content} for one in prompt.messages]
        print_json(
            {
                "task": task.id,
                "prompt": prompt.text,
                "messages": messages,
                "settings": dict(prompt.settings),
            }
        )
    elif alone:
        click.echo(prompt.text, nl=False)
    else:
        click.echo(f"── {task.suite} {task.id} ──\n{prompt.text}\n")
