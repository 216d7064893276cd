"""`polyassay run`: loads suites and answers, records the run, has it executed, prints scores."""

import dataclasses
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from polyassay import rules
from polyassay.candidates.selection import Selection
from polyassay.candidates.sources import read_sources
from polyassay.cli.beginning import (
    begin,
    judged_before,
    load_suites,
    naming_their_suite,
    refuse_apart,
    restore_environments,
    tell_alike,
    tell_replaced,
)
from polyassay.cli.common import home, json_option, messages, open_store, store_option
from polyassay.cli.results.score import print_scores
from polyassay.dispatch import Dispatcher
from polyassay.dispatch.local import LocalSlots
from polyassay.errors import PolyAssayError
from polyassay.harness import RunSettings
from polyassay.harness.table import Harnesses
from polyassay.measures.kept_samples import named_failures
from polyassay.model import Outcome, Suite, Verdict
from polyassay.options import Options
from polyassay.pipeline import execute
from polyassay.report.terminal.progress import run_progress
from polyassay.shaking import shake_all, shakeable
from polyassay.shown_text import hide_passwords
from polyassay.store import Run, Store
from polyassay.store.figures import VerdictFigures
from polyassay.wording import counted, some

if TYPE_CHECKING:
    from polyassay.dispatch.on_ray import RayCluster


def _reuse(_: click.Context, __: click.Parameter, value: str) -> int | str:
    """A number from 1 on, or "auto"."""
    if value != "auto" and not (value.isascii() and value.isdigit() and int(value)):
        raise click.BadParameter(f"{value} is neither a number from 1 on nor auto.")
    return value if value == "auto" else int(value)


def _place(_: click.Context, __: click.Parameter, value: str) -> str:
    if value not in ("local", "ray") and not value.startswith("ray://"):
        raise click.BadParameter(f"{value} is none of local, ray and ray://HOST:PORT.")
    return value


@click.command(context_settings={"allow_extra_args": True})  # it refuses them itself
@click.option("-s", "--suite", "suites", multiple=True, metavar="SUITE", help="What to run.")
@click.option(
    "-c",
    "--candidates",
    multiple=True,
    metavar="[TOOL=]PATH",
    help="What a tool wrote; `reference` and `empty` are built in.",
)
@click.option("-j", "--jobs", type=click.IntRange(1), help="Candidates at a time [cores].")
@click.option(
    "--on",
    callback=_place,
    default="local",
    metavar="PLACE",
    help="local; or a Ray cluster: ray (the one of RAY_ADDRESS, or of this machine) or ray://HOST:PORT.",
)
@click.option(
    "--engine",
    type=click.Choice(["worker", "gradle", "nbclient"]),
    default="worker",
    help="worker is quick; the others are slow references, for Java and for notebooks.",
)
@click.option(
    "--comparison",
    type=click.Choice(["default", "exeds"]),
    default="default",
    help="Notebooks: how outputs are compared.",
)
@click.option(
    "--judge",
    type=click.Choice(["auto", "apart", "together"]),
    default="auto",
    help="Tests and candidate in two processes, wherever that is possible (auto), or in one.",
)
@click.option(
    "--reuse",
    callback=_reuse,
    default="auto",
    metavar="N",
    help="Java: candidates of one tool that share a JVM, at most; never two of one task."
    " [auto: 50 where judged apart, else 1]",
)
@click.option(
    "--sandbox",
    type=click.Choice(["auto", "bubblewrap", "docker", "none"]),
    default="auto",
    help="What keeps candidates from the machine [bubblewrap].",
)
@click.option("--i-trust-this-code", "trusted", is_flag=True, help="Needed by --sandbox none.")
@click.option("--jdk", metavar="PATH", help="Which JDK to use [JAVA_HOME, else java on PATH].")
@click.option("--timeout", type=float, metavar="S", help="CPU seconds a test.")
@click.option(
    "--limit", type=click.IntRange(1), metavar="N", help="Only the first N tasks of each suite."
)
@click.option(
    "--eval-tests", type=click.IntRange(1), metavar="N", help="Judge by N drawn tests of each task."
)
@click.option(
    "--hold-out",
    type=click.IntRange(1),
    metavar="N",
    help="Leave out the N tests of each task that prompts with held_out_tests show.",
)
@click.option("--seed", "test_seed", type=click.IntRange(0), default=0, help="Of both draws [0].")
@click.option(
    "--task", "tasks", multiple=True, metavar="ID", help="Only this task counts; repeat it."
)
@click.option(
    "--tool", "tools", multiple=True, metavar="NAME", help="Only this tool's answers; repeat it."
)
@click.option(
    "--answered-only", is_flag=True, help="Tasks that some tool has not answered do not count."
)
@click.option(
    "--published-totals",
    is_flag=True,
    help="AixBench: divide by the paper's own totals; task 164 then has 7 of 4, and is no pass.",
)
@click.option(
    "--shake",
    type=click.IntRange(0, 1000),
    default=0,
    metavar="N",
    help="Judge N times more, with other hash seeds, addresses and orders of tests, and flag"
    " answers whose verdict changes as lucky.",
)
@click.option("--format", "answer_format", help="The answers' format, where guessing fails.")
@click.option("--skip-bad", is_flag=True, help="Leave lines out that cannot be read.")
@click.option("--resume", metavar="RUN", help="Go on with a run that was interrupted.")
@click.option("--again", metavar="RUN", help="Judge a run's candidates again, as a new run.")
@store_option
@json_option
def run(
    suites: tuple[str, ...],
    candidates: tuple[str, ...],
    jobs: int | None,
    on: str,
    tasks: tuple[str, ...],
    tools: tuple[str, ...],
    answered_only: bool,
    answer_format: str | None,
    skip_bad: bool,
    resume: str | None,
    again: str | None,
    store_url: str | None,
    as_json: bool,
    **flags: Any,
) -> int:
    """Executes candidates and prints the score table.

    \b
    polyassay run -s starter-java -s starter-python -c finch=answers/finch -c heron=answers/heron
    polyassay run -s aixbench -c reference -c empty
    polyassay run --resume latest
    polyassay run --again r7f3
    polyassay run -s odex -c answers/ --on ray
    """
    _refuse_stray(click.get_current_context().args)
    selection = Selection(tasks, tools, answered_only)
    cluster = _connect(on)
    jobs = jobs or (cluster.cpus if cluster else None)
    if resume or again:
        chosen = bool(suites or candidates or selection != Selection((), ()))
        _refuse_other_flags("--resume" if resume else "--again", chosen, flags)
        store = open_store(store_url)
        begun = store.run(resume or again or "")
        options = Options.of(begun.provenance)
        harnesses = Harnesses(options.settings(home(), jobs))
        if again:
            tell_replaced(store, begun)
            begun = begin(store, *judged_before(store, begun), harnesses, options)
        else:
            rules.refuse_older(begun.id, begun.provenance)
            restore_environments(store, begun)
    else:
        options = Options(**flags)
        loaded = load_suites(suites)
        refuse_apart(options, loaded)
        with naming_their_suite():
            sources = read_sources(
                *(candidates, loaded, answer_format, skip_bad, options.limit),
                some_tasks=selection.of_tasks,
            )
        options = dataclasses.replace(options, tasks=selection.apply(sources, loaded))
        harnesses = Harnesses(options.settings(home(), jobs))
        store = open_store(store_url)
        tell_alike(store, {candidate.key.tool for candidate in sources.candidates})
        begun = begin(store, loaded, sources, harnesses, options)
    applied = options.apply(store.suites(begun))
    versions = begun.provenance["versions"]
    dispatch = cluster.dispatcher(applied, versions) if cluster else LocalSlots
    outcomes = execute_pending(store, begun, applied, harnesses, store_url, dispatch)
    shake_pending(store, begun, applied, harnesses.settings, options.shake)
    print_scores(store, begun, as_json)
    if not as_json:
        messages().print(
            f"Run {begun.id} is in {hide_passwords(store_url or '.polyassay')}. Next:  "
            f"polyassay show {begun.id} TASK   polyassay report {begun.id} -o report"
        )
    return int(Outcome.HARNESS_ERROR in outcomes)


def execute_pending(
    store: Store,
    begun: Run,
    suites: Mapping[str, Suite],
    harnesses: Harnesses,
    url: str | None,
    dispatch: Dispatcher = LocalSlots,
) -> set[Outcome]:
    """Executes what has no verdict yet, under a lock; returns the outcomes that came out."""
    outcomes: set[Outcome] = set()
    total = sum(begun.provenance["candidates"]["tools"].values())
    with ExitStack() as stack:
        stack.enter_context(store.alone(begun.id))
        store.forget_harness_errors(begun.id)
        judged, answered = store.judged(begun.id), store.answered(begun.id)
        _tell_defects(harnesses, suites, answered)
        pending = Counter(dict.fromkeys(suites, 0))
        for (suite, task), answers in answered.items():
            pending[suite] += answers - judged[suite, task]
        before = VerdictFigures(store).outcomes(begun.id)[begun.id]
        progress = stack.enter_context(run_progress(messages(), total, before, pending))

        def count(verdicts: Sequence[Verdict]) -> None:
            outcomes.update(verdict.outcome for verdict in verdicts)
            progress.add(verdicts)

        tasks = {(task.suite, task.id): task for of in suites.values() for task in of.tasks}
        name_failures = partial(named_failures, tasks=tasks)
        try:
            execute(store, begun.id, suites, harnesses, count, dispatch, name_failures)
        except KeyboardInterrupt:
            store_flag = f" --store {hide_passwords(url)}" if url else ""
            messages().print(
                f"Interrupted. Go on with:  polyassay run --resume {begun.id}{store_flag}"
            )
            raise
    return outcomes


def shake_pending(
    store: Store, begun: Run, suites: Mapping[str, Suite], settings: RunSettings, rounds: int
) -> None:
    """The rounds of shaking that a run was started with, or what is left of them."""
    if not rounds:
        return
    usual = shakeable(store, begun.id)
    messages().print(f"Shaking {counted(rounds, 'time')}: {counted(len(usual), 'answer')} each.")
    with store.alone(begun.id), run_progress(messages(), rounds * len(usual), {}) as progress:
        shake_all(store, begun.id, suites, settings, rounds, progress.add)


def _tell_defects(
    harnesses: Harnesses, suites: Mapping[str, Suite], answered: Collection[tuple[str, str]]
) -> None:
    """Names the tasks to which no answer can be judged here, with the reason."""
    tasks = [task for suite in suites.values() for task in suite.tasks]
    found = [task for task in tasks if (task.suite, task.id) in answered]
    by_reason: dict[tuple[str, str], list[str]] = {}
    harnesses.vet(found)
    for (suite, task), why in harnesses.settings.obstacles.items():
        if why:
            by_reason.setdefault((suite, why), []).append(task)
    for (suite, why), names in by_reason.items():
        many = counted(len(names), "task")
        messages().print(f"  not runnable, {many} of {suite} ({some(names)}): {why}")


def _refuse_stray(words: Sequence[str]) -> None:
    """A file without its flag is most likely one of answers."""
    if not words:
        return
    told = f"{' and '.join(words)} stand{'s'[: len(words) == 1]} alone, without a flag."
    if all(Path(word).exists() for word in words):
        each = "it as the answers of a tool" if len(words) == 1 else "each as a tool's answers"
        flags = " ".join(f"-c NAME={word}" for word in words)
        raise PolyAssayError(told, hint=f"Judge {each}: `{flags}`.")
    suites = " ".join(f"-s {word}" for word in words if not Path(word).exists())
    raise PolyAssayError(
        told, hint=f"A flag takes one value, so repeat -s: `{suites}`; answers are `-c NAME=PATH`."
    )


def _connect(on: str) -> "RayCluster | None":
    """A connection to the cluster that was named; closed with the command."""
    if on == "local":
        return None
    from polyassay.dispatch.on_ray import RayCluster  # an extra, and slow to import

    cluster = RayCluster(on)
    click.get_current_context().call_on_close(cluster.close)
    return cluster


def _refuse_other_flags(flag: str, chosen: bool, flags: Mapping[str, Any]) -> None:
    if chosen:
        raise click.UsageError(f"{flag} takes its suites and candidates from the run.")
    if Options(**flags) != Options():
        raise click.UsageError(f"{flag} keeps the flags that the run was started with.")
