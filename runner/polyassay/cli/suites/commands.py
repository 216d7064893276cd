"""`polyassay suites`: what can be run here."""

import dataclasses
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from polyassay.cli.common import (
    home,
    json_option,
    messages,
    open_store,
    output,
    print_json,
    store_option,
)
from polyassay.cli.suites.check import check
from polyassay.cli.suites.widen import widen
from polyassay.environments.interpreters import ensure
from polyassay.errors import PolyAssayError
from polyassay.model import Judging, Suite, Task
from polyassay.options import Options
from polyassay.report.terminal.suites import (
    print_card,
    print_statistics,
    print_task,
    suites_table,
)
from polyassay.report.terminal.waiting import waiting
from polyassay.report.trust.card import TrustCard
from polyassay.report.trust.history import history
from polyassay.suites import ADAPTERS
from polyassay.suites.contents import statistics
from polyassay.suites.kinds import likely_kind
from polyassay.suites.native.folder import SUITE
from polyassay.suites.native.remarks import remarks
from polyassay.suites.registry import Registry
from polyassay.trust.kept import kept
from polyassay.vetting.pytest_names import has_unnamed, with_test_names
from polyassay.wording import counted, did_you_mean


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
@store_option
@json_option
def show(suite: str, task: str | None, store_url: str | None, as_json: bool) -> None:
    """Shows a suite's statistics and its trust card, or one of its tasks in full.

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
    past = history(open_store(store_url), loaded)
    card = TrustCard(loaded, kept(home(), loaded.checksum), past)
    if as_json:
        about = {"suite": loaded.name, "version": loaded.version, "checksum": loaded.checksum}
        more = {"source": loaded.source, "jars": list(loaded.jars), "trust": card.as_json()}
        print_json(about | more | counted)
        return
    print_statistics(output(), loaded, counted)
    print_card(output(), card)


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
                    "style": task.style,
                    "prompts": dict(task.prompts),
                    "entry": task.entry,
                    "class_name": task.class_name,
                    "signature": task.signature,
                    "context": task.context,
                    "solution": dict(task.solution),
                    "together_because": task.together_because,
                }
            )
            continue
        prompt = next(iter(task.prompts.values()), "").strip().split("\n", 1)[0]
        because = f" ({task.together_because})" if task.judging is Judging.TOGETHER else ""
        output().print(Text(f"{task.id:<24} {task.judging:<9} {prompt}{because}"), soft_wrap=True)


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
            f'there is no kind of suite "{kind}".',
            hint=did_you_mean(kind, ADAPTERS) + f"The kinds are {', '.join(ADAPTERS)}.",
        )
    if not source.exists():
        raise PolyAssayError(
            f"there is no file or folder {source}.", hint="--from names what the publisher gives."
        )
    registry = Registry(home())
    registry.refuse_name(name or "x")
    told: list[dict[str, Any]] = []
    with waiting(messages(), f"Reading {source.name or source}"):
        found = _read(kind, source, name)
    for read in found:
        suite = _with_test_names(read)
        with waiting(messages(), f"Looking at the tests of {read.name}"):
            added = registry.add(suite, replace=replace)
        told.append({"suite": suite.name, "tasks": len(suite.tasks), "added": added})
        if kind == "native":
            for remark in remarks(suite, source):
                messages().print(Text(remark), soft_wrap=True)
    if as_json:
        print_json(told)
        return
    for one in told:
        remark = "added" if one["added"] else "is there already, nothing changed"
        # Where nothing else names it, which may not be expected.
        after = one["suite"] not in (kind, name) and one["suite"] == source.stem
        if after and not (source / SUITE).is_file():
            what = "folder" if source.is_dir() else "file"
            remark += f" (named after the {what}; --as gives another name)"
        told_of = f"{one['suite']}: {counted(one['tasks'], 'task')}, {remark}"
        output().print(told_of, soft_wrap=True)


def _read(kind: str, source: Path, name: str | None) -> list[Suite]:
    """What the kind's adapter makes of it; a refusal names the kind that would take it."""
    try:
        return ADAPTERS[kind](source, name)
    except PolyAssayError as error:
        other = likely_kind(source)
        if other in ("", kind) or other not in ADAPTERS:
            raise
        command = f"polyassay suites add {other} --from {source}"
        raise PolyAssayError(
            error.problem, f"it looks like a file of the kind {other}: `{command}`."
        ) from None


def _with_test_names(suite: Suite) -> Suite:
    """What only pytest can tell is found out now, in the suite's environment and a sandbox."""
    if not has_unnamed(suite):
        return suite
    with waiting(messages(), f"Installing the libraries of {suite.name}"):
        ensure(home(), suite, messages().print)
    with waiting(messages(), f"Looking at the tests of {suite.name}"):
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


suites.add_command(check)
suites.add_command(widen)
