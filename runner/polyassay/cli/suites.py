"""`polyassay suites`: what can be run here."""

import dataclasses
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from polyassay.checks import check_suite, keep_check
from polyassay.cli.common import home, json_option, messages, output, print_json
from polyassay.environments.interpreters import ensure
from polyassay.errors import PolyAssayError
from polyassay.model import Judging, Suite, Task
from polyassay.options import Options
from polyassay.report.terminal.progress import run_progress
from polyassay.report.terminal.suites import print_statistics, print_task, suites_table
from polyassay.suites import ADAPTERS
from polyassay.suites.contents import statistics
from polyassay.suites.registry import Registry
from polyassay.vetting.pytest_names import has_pytest, with_test_names
from polyassay.wording import counted, did_you_mean

MISSED = 100  # the exit code for a threshold that was missed


@click.group()
def suites() -> None:
    """Lists, shows, adds and checks suites."""


@suites.command("list")
@json_option
def list_suites(as_json: bool) -> None:
    """Lists the suites that can be run here.

    \b
    polyassay suites list
    """
    registry = Registry(home())
    found = [registry.overview(name) for name in registry.names()]
    if as_json:
        print_json([dataclasses.asdict(overview) for overview in found])
        return
    output().print(suites_table(found))


@suites.command()
@click.argument("suite")
@click.argument("task", required=False)
@json_option
def show(suite: str, task: str | None, as_json: bool) -> None:
    """Shows a suite's statistics, or one of its tasks in full.

    \b
    polyassay suites show starter-java
    polyassay suites show starter-java pad-left
    """
    loaded = Registry(home()).load(suite)
    if task is not None:
        found = _find(loaded, task)
        if as_json:
            print_json(dataclasses.asdict(found))
        else:
            print_task(output(), found)
        return
    counted = dataclasses.asdict(statistics(loaded))
    if as_json:
        about = {"suite": loaded.name, "version": loaded.version, "checksum": loaded.checksum}
        print_json(about | {"source": loaded.source, "jars": list(loaded.jars)} | counted)
        return
    print_statistics(output(), loaded, counted)


def _find(suite: Suite, name: str) -> Task:
    for task in suite.tasks:
        if task.id == name:
            return task
    raise PolyAssayError(
        f'the suite "{suite.name}" has no task "{name}".',
        hint=did_you_mean(name, [task.id for task in suite.tasks])
        + f"`polyassay suites tasks {suite.name}` lists them.",
    )


@suites.command()
@click.argument("suite")
@json_option
def tasks(suite: str, as_json: bool) -> None:
    """Lists a suite's tasks and how each is judged; with --json the prompts, to put to a tool.

    \b
    polyassay suites tasks starter-java
    polyassay suites tasks starter-java --json > prompts.jsonl
    """
    for task in Registry(home()).load(suite).tasks:
        if as_json:
            print_json(
                {
                    "task": task.id,
                    "language": task.language,
                    "prompts": dict(task.prompts),
                    "signature": task.signature,
                    "context": task.context,
                    "together_because": task.together_because,
                }
            )
            continue
        prompt = next(iter(task.prompts.values()), "").strip().split("\n", 1)[0]
        judged = Judging.TOGETHER if task.together_because else Judging.APART
        output().print(Text(f"{task.id:<24} {judged:<9} {prompt}"), soft_wrap=True)


@suites.command()
@click.argument("kind")
@click.option("--from", "source", required=True, type=click.Path(path_type=Path), metavar="PATH")
@click.option("--as", "name", metavar="NAME", help="What to call it.")
@click.option("--replace", is_flag=True, help="Put it in place of another suite of that name.")
@json_option
def add(kind: str, source: Path, name: str | None, replace: bool, as_json: bool) -> None:
    """Adds a public suite, or one of your own (KIND native).

    \b
    polyassay suites add aixbench --from ../nl2code-dataset
    polyassay suites add native --from tasks.jsonl --as ours
    """
    if kind not in ADAPTERS:
        raise PolyAssayError(
            f'there is no kind of suite "{kind}".', hint=f"The kinds are {', '.join(ADAPTERS)}."
        )
    if not source.exists():
        raise PolyAssayError(
            f"there is no file or folder {source}.", hint="--from names what the publisher gives."
        )
    registry = Registry(home())
    told: list[dict[str, Any]] = []
    for read in ADAPTERS[kind](source, name):
        suite = _with_test_names(read)
        added = registry.add(suite, replace=replace)
        told.append({"suite": suite.name, "tasks": len(suite.tasks), "added": added})
    if as_json:
        print_json(told)
        return
    for one in told:
        remark = "added" if one["added"] else "is there already, nothing changed"
        output().print(f"{one['suite']}: {counted(one['tasks'], 'task')}, {remark}")


def _with_test_names(suite: Suite) -> Suite:
    """What only pytest can tell is found out now, in the suite's environment and a sandbox."""
    if not has_pytest(suite):
        return suite
    ensure(home(), suite, messages().print)
    return with_test_names(suite, Options().settings(home()), messages().print)


@suites.command()
@click.argument("names", metavar="SUITE…", nargs=-1, required=True)
@json_option
def remove(names: tuple[str, ...], as_json: bool) -> None:
    """Removes suites that were added; runs keep what they need of them.

    \b
    polyassay suites remove ours
    """
    registry = Registry(home())
    for name in dict.fromkeys(names):
        registry.remove(name)
    if as_json:
        print_json({"removed": list(dict.fromkeys(names))})
    else:
        output().print(f"Removed: {', '.join(dict.fromkeys(names))}.")


@suites.command()
@click.argument("suite")
@click.option("-j", "--jobs", type=click.IntRange(1), help="Candidates at a time [cores].")
@json_option
def check(suite: str, jobs: int | None, as_json: bool) -> int:
    """Proves that references pass and empty answers do not; exit code 100 where that fails.

    \b
    polyassay suites check starter-java
    """
    loaded = Registry(home()).load(suite)
    ensure(home(), loaded, messages().print)
    settings = Options().settings(home(), jobs)
    with run_progress(messages(), 2 * len(loaded.tasks), 0) as progress:
        found = check_suite(loaded, settings, progress.add)
    keep_check(home(), loaded, found)
    if as_json:
        print_json({"suite": loaded.name} | dataclasses.asdict(found))
    else:
        console = output()
        console.print(
            f"{loaded.name}: {found.references_passed} of {found.references} references pass, "
            f"{counted(len(found.weak), 'task passes', 'tasks pass')} with an empty answer."
        )
        without = len(loaded.tasks) - found.references
        if without:
            console.print(f"  {counted(without, 'task')} without a reference")
        if found.not_runnable:
            console.print(f"  {counted(len(found.not_runnable), 'task')} that cannot run here")
        for task, reason in found.failing.items():
            console.print(Text(f"  reference of {task}: {reason}"), soft_wrap=True)
        for task in found.weak:
            console.print(Text(f"  weak tests: {task} passes with an empty answer"), soft_wrap=True)
    return MISSED if found.failing or found.weak else 0
