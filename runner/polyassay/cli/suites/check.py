"""`polyassay suites check`: how far a suite's tests can be trusted."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from polyassay.candidates import empty_candidates, reference_candidates
from polyassay.cli.common import home, json_option, messages, output, print_json
from polyassay.environments.interpreters import ensure
from polyassay.model import Suite, Verdict
from polyassay.options import Options
from polyassay.report.terminal.progress import run_progress
from polyassay.report.terminal.waiting import waiting
from polyassay.report.trust.card import mutants_json, mutants_told, told_by_test
from polyassay.report.trust.proof import Caught, Proof
from polyassay.suites.registry import Registry
from polyassay.trust.checks import Check, check_suite
from polyassay.trust.flakes import FlakeCheck, check_flakes
from polyassay.trust.kept import keep
from polyassay.trust.mutation import MutationCheck, check_mutants
from polyassay.wording import counted, some

MISSED = 100  # the exit code for a threshold that was missed
ALL = "all"


class MutantCount(click.ParamType[int | str]):
    name = "N|all"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | str:
        if value == ALL or isinstance(value, int):
            return ALL if value == ALL else int(value)
        if not str(value).isdigit() or not int(value):
            self.fail(f'"{value}" is neither a number of mutants a task nor "{ALL}".', param, ctx)
        return int(value)


@click.command()
@click.argument("suite")
@click.option("-j", "--jobs", type=click.IntRange(1), help="Candidates at a time [cores].")
@click.option("--mutants", type=MutantCount(), help="Change references; so many changes a task.")
@click.option("--seed", type=int, default=0, help="Which mutants are drawn [0].")
@click.option("--repeat", type=click.IntRange(2), help="Judge references so often, to find flakes.")
@click.option("--under-load", is_flag=True, help="Keep all cores busy during the repetitions.")
@json_option
def check(
    suite: str,
    jobs: int | None,
    mutants: int | str | None,
    seed: int,
    repeat: int | None,
    under_load: bool,
    as_json: bool,
) -> int:
    """Proves that references pass and empty answers do not; exit code 100 where that fails.

    It fails, too, where a task cannot be judged here, unless the task needs the network.

    --mutants changes each reference in one place, again and again, and counts how many of these
    wrong programs the tests catch. --repeat finds tests that pass and fail by turns. What is
    found is kept, and shown in later scores and in `suites show`.

    \b
    polyassay suites check starter-java
    polyassay suites check starter-python --mutants 10
    polyassay suites check starter-python --repeat 5 --under-load
    """
    if under_load and repeat is None:
        raise click.UsageError("--under-load is for --repeat N.")
    loaded = Registry(home()).load(suite)
    with waiting(messages(), f"Installing the libraries of {suite}"):
        ensure(home(), loaded, messages().print)
    settings = Options().settings(home(), jobs)
    total = len(reference_candidates(loaded)) + len(empty_candidates(loaded))
    with run_progress(messages(), total, {}, tally=Proof()) as progress:
        found, references = check_suite(loaded, settings, progress.add)
    keep(home(), loaded.checksum, found)
    flakes = caught = None
    if repeat is not None:
        with run_progress(messages(), repeat * len(references), {}) as progress:
            flakes = check_flakes(loaded, settings, repeat, under_load, progress.add)
        keep(home(), loaded.checksum, flakes)
    if mutants is not None:
        count = None if mutants == ALL else int(mutants)
        with ExitStack() as stack:
            begin = _begun(stack)
            caught = check_mutants(loaded, references, settings, count, seed, begin)
        keep(home(), loaded.checksum, caught)
    if as_json:
        without = [task.id for task in loaded.tasks if task.id not in references]
        print_json(_as_json(loaded, found, flakes, caught) | {"without_reference": without})
    else:
        _print(output(), loaded, found, references)
        _print_flakes(output(), flakes)
        _print_mutants(output(), caught)
    holds = not (found.failing or found.weak or _unjudged(loaded, found))
    return MISSED if not holds or (flakes and flakes.flaky) else 0


def _unjudged(suite: Suite, found: Check) -> bool:
    """Whether tests could not be tried, of which a suite's author would not know otherwise."""
    offline = {task.id for task in suite.tasks if not task.needs_network}
    return not offline.isdisjoint(found.not_runnable)


def _begun(stack: ExitStack) -> Callable[[int], Callable[[Sequence[Verdict]], None]]:
    """How many mutants there are is known only after they were drawn."""

    def begin(total: int) -> Callable[[Sequence[Verdict]], None]:
        return stack.enter_context(run_progress(messages(), total, {}, tally=Caught())).add

    return begin


def _as_json(
    suite: Suite, found: Check, flakes: FlakeCheck | None, caught: MutationCheck | None
) -> dict[str, Any]:
    value: dict[str, Any] = {"suite": suite.name} | dataclasses.asdict(found)
    if flakes:
        value["flakes"] = dataclasses.asdict(flakes)
    if caught:
        value["mutants"] = mutants_json(caught)
    return value


def _print(console: Console, suite: Suite, found: Check, references: Mapping[str, Verdict]) -> None:
    console.print(
        f"{suite.name}: {found.references_passed} of {found.references} references pass, "
        f"{counted(len(found.weak), 'task passes', 'tasks pass')} with an empty answer."
    )
    if not found.references:
        console.print("  Only empty answers were tried: no task has a reference.")
    elif not (found.failing or found.weak or found.not_runnable):
        console.print("  Empty answers failed, as they should.")
    without = [task.id for task in suite.tasks if task.id not in references]
    if without:
        line = f"  {counted(len(without), 'task')} without a reference: {some(without)}"
        line += "; nothing shows that a right answer passes there"
        console.print(Text(line), soft_wrap=True)
    for task in found.not_runnable:
        console.print(Text(f"  not runnable: {task}: {references[task].reason}"), soft_wrap=True)
    for task, reason in found.failing.items():
        console.print(Text(f"  reference of {task}: {reason}"), soft_wrap=True)
    for task in found.weak:
        console.print(Text(f"  weak tests: {task} passes with an empty answer"), soft_wrap=True)


def _print_flakes(console: Console, found: FlakeCheck | None) -> None:
    if found is None:
        return
    load = " under load" if found.under_load else ""
    told = f"{found.flaky_tests} of {counted(found.tests, 'test')}"
    console.print(f"Flaky: {told}, each repeated {found.repeats} times{load}.")
    for task, tests in found.flaky.items():
        for name, flake in tests.items():
            line = f"  {task} {name} passed {flake.passed} of {flake.of}"
            console.print(Text(line), soft_wrap=True)


def _print_mutants(console: Console, found: MutationCheck | None) -> None:
    if found is None:
        return
    console.print(f"Mutants: {mutants_told(found) or 'the references have none'}.")
    out = f"{found.equivalent} that compile to the same code, {found.unbuilt} that do not compile"
    console.print(f"  left out: {out}")
    for line in told_by_test(found):
        console.print(f"  {line}")
    for task, of in found.tasks.items():
        if of.survivors:
            weak = ", weak" if of.weak else ""
            line = f"  {task}: {of.caught} of {of.of} caught{weak}"
            console.print(Text(line), soft_wrap=True)
            for survivor in of.survivors:
                console.print(Text(f"    not caught: {survivor}"), soft_wrap=True)
