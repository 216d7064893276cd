"""`polyassay run`."""

import dataclasses
import fcntl
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import click

from polyassay import provenance, rules
from polyassay.candidates.selection import Selection
from polyassay.candidates.sources import Sources, read_sources
from polyassay.cli.common import home, json_option, messages, open_store, store_option
from polyassay.cli.results.score import print_scores
from polyassay.environments.interpreters import ensure, list_environments
from polyassay.errors import PolyAssayError
from polyassay.harness.table import Harnesses
from polyassay.model import Judging, Outcome, Style, Suite, Verdict
from polyassay.options import Options
from polyassay.pipeline import execute
from polyassay.report.terminal.progress import run_progress
from polyassay.shown_text import hide_passwords
from polyassay.store import Run, Store
from polyassay.suites.registry import Registry
from polyassay.wording import counted


@click.command()
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
    type=click.IntRange(1),
    default=1,
    metavar="N",
    help="Java: candidates of one tool that share a JVM, at most.",
)
@click.option(
    "--sandbox",
    type=click.Choice(["auto", "bubblewrap", "docker", "none"]),
    default="auto",
    help="What keeps candidates from the machine [bubblewrap].",
)
@click.option("--i-trust-this-code", "trusted", is_flag=True, help="Needed by --sandbox none.")
@click.option("--jdk", metavar="PATH", help="Which JDK to use [JAVA_HOME, else java on PATH].")
@click.option("--timeout", type=click.FloatRange(0.01), metavar="S", help="CPU seconds a test.")
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
    "--published-totals",
    is_flag=True,
    help="AixBench: divide by the paper's own totals; task 164 then has 7 of 4, and is no pass.",
)
@click.option("--task", "tasks", multiple=True, metavar="ID", help="Only these tasks count.")
@click.option("--tool", "tools", multiple=True, metavar="NAME", help="Only these tools' answers.")
@click.option(
    "--answered-only", is_flag=True, help="Tasks that some tool has not answered do not count."
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
    """
    selection = Selection(tasks, tools, answered_only)
    if resume or again:
        chosen = bool(suites or candidates or selection != Selection((), ()))
        _refuse_other_flags("--resume" if resume else "--again", chosen, flags)
        store = open_store(store_url)
        begun = store.run(resume or again or "")
        options = Options.of(begun.provenance)
        harnesses = Harnesses(options.settings(home(), jobs))
        if again:
            begun = begin(store, *judged_before(store, begun), harnesses, options)
        else:
            rules.refuse_older(begun.id, begun.provenance)
            restore_environments(store, begun)
    else:
        options = Options(**flags)
        loaded = load_suites(suites)
        refuse_apart(options, loaded)
        sources = read_sources(
            *(candidates, loaded, answer_format, skip_bad, options.limit),
            some_tasks=selection.of_tasks,
        )
        options = dataclasses.replace(options, tasks=selection.apply(sources, loaded))
        harnesses = Harnesses(options.settings(home(), jobs))
        store = open_store(store_url)
        begun = begin(store, loaded, sources, harnesses, options)
    outcomes = execute_pending(
        store, begun, options.apply(store.suites(begun)), harnesses, store_url
    )
    print_scores(store, begun, as_json)
    if not as_json:
        messages().print(
            f"Run {begun.id} is in {hide_passwords(store_url or '.polyassay')}. Next:  "
            f"polyassay show {begun.id} TASK   polyassay report {begun.id} -o report"
        )
    return int(Outcome.HARNESS_ERROR in outcomes)


def _refuse_other_flags(flag: str, chosen: bool, flags: Mapping[str, Any]) -> None:
    if chosen:
        raise click.UsageError(f"{flag} takes its suites and candidates from the run.")
    if Options(**flags) != Options():
        raise click.UsageError(f"{flag} keeps the flags that the run was started with.")


def judged_before(store: Store, run: Run) -> tuple[dict[str, Suite], Sources]:
    """A run's suites and candidates; how a task is judged is decided anew where it is here."""
    suites = store.suites(run)
    registry = Registry(home())
    for name, suite in suites.items():
        here = registry.load(name) if name in registry.names() else suite
        suites[name] = here if here.checksum == suite.checksum else suite
    described = [{"again": run.id}, *run.provenance["candidates"].get("sources", [])]
    return suites, Sources(list(store.candidates(run.id)), [f"again: run {run.id}"], described)


def load_suites(names: Sequence[str]) -> dict[str, Suite]:
    if not names:
        raise PolyAssayError(
            "No suite was named.", hint="Give -s SUITE; `polyassay suites list` shows all."
        )
    registry = Registry(home())
    loaded = {name: registry.load(name) for name in names}
    for suite in loaded.values():
        if all(task.style is Style.RUBRIC for task in suite.tasks):
            raise PolyAssayError(
                f'The suite "{suite.name}" has no tests to run.',
                hint=f"People grade it: `polyassay grade start --suite {suite.name}`.",
            )
    return loaded


def refuse_apart(options: Options, suites: Mapping[str, Suite]) -> None:
    """Nothing is judged otherwise than was asked for."""
    if options.judge != Judging.APART:
        return
    if options.engine == "gradle":
        raise PolyAssayError(
            "The Gradle engine judges together, as an ordinary project does.",
            hint="Leave --judge apart or --engine gradle out.",
        )
    for suite in suites.values():
        for task in suite.tasks:
            if task.together_because:
                raise PolyAssayError(
                    f"Task {task.id} of {suite.name} cannot be judged apart: "
                    f"{task.together_because}.",
                    hint="Leave --judge out: tasks are judged apart wherever that is possible.",
                )


def ensure_environments(suites: Mapping[str, Suite]) -> None:
    for suite in suites.values():
        ensure(home(), suite, messages().print)


def restore_environments(store: Store, run: Run) -> None:
    """Refuses where others were chosen since: what they give is no verdict of this run."""
    suites = store.suites(run)
    ensure_environments(suites)
    now = _environments(suites)
    for name, had in run.provenance.get("environments", {}).items():
        if now.get(name) != had:
            raise PolyAssayError(
                f"Run {run.id} had the {had['set']} libraries of {name} with Python "
                f"{had['python']}, and others are chosen now.",
                hint=f"`polyassay env create {name} --set {had['set']}` chooses them again; "
                "--python names another Python.",
            )


def _environments(suites: Mapping[str, Suite]) -> dict[str, Any]:
    return {
        one.suite: {"set": one.set, "python": one.python, "pins": list(one.pins)}
        for one in list_environments(home())
        if one.suite in suites
    }


def begin(
    store: Store,
    suites: Mapping[str, Suite],
    sources: Sources,
    harnesses: Harnesses,
    options: Options,
) -> Run:
    """Records the run whole, before any of it is executed."""
    ensure_environments(suites)
    versions = harnesses.prepare(suites.values())
    facts = provenance.describe(
        suites, sources.candidates, sources.described, harnesses.settings, versions
    ) | {
        "options": dataclasses.asdict(options),
        "environments": _environments(suites),
    }
    begun = store.start_run(suites.values(), sources.candidates, facts)
    console = messages()
    console.print(_headline(options.apply(suites), sources))
    for remark in sources.remarks:
        console.print(f"  {remark}")
    return begun


def _headline(suites: Mapping[str, Suite], sources: Sources) -> str:
    """starter-java 1.0 · 30 tasks · java · 60 candidates of 2 tools."""
    named = ", ".join(f"{suite.name} {suite.version}" for suite in suites.values())
    tasks = sum(len(suite.tasks) for suite in suites.values())
    languages = sorted({task.language for suite in suites.values() for task in suite.tasks})
    tools = len({candidate.key.tool for candidate in sources.candidates})
    return (
        f"{named} · {counted(tasks, 'task')} · {', '.join(languages)} · "
        f"{counted(len(sources.candidates), 'candidate')} of {counted(tools, 'tool')}"
    )


def execute_pending(
    store: Store, begun: Run, suites: Mapping[str, Suite], harnesses: Harnesses, url: str | None
) -> set[Outcome]:
    """Executes what has no verdict yet, under a lock; returns the outcomes that came out."""
    outcomes: set[Outcome] = set()
    total = sum(begun.provenance["candidates"]["tools"].values())
    with ExitStack() as stack:
        stack.enter_context(alone(store.folder or home(), begun.id))
        store.forget_harness_errors(begun.id)
        done = len(store.judged_keys(begun.id))
        progress = stack.enter_context(run_progress(messages(), total, done))

        def count(verdicts: Sequence[Verdict]) -> None:
            outcomes.update(verdict.outcome for verdict in verdicts)
            progress.add(verdicts)

        try:
            execute(store, begun.id, suites, harnesses, count)
        except KeyboardInterrupt:
            store_flag = f" --store {hide_passwords(url)}" if url else ""
            messages().print(
                f"Interrupted. Go on with:  polyassay run --resume {begun.id}{store_flag}"
            )
            raise
    return outcomes


@contextmanager
def alone(place: Path, run_id: str) -> Iterator[None]:
    """No two processes execute one run; the lock goes away with the process, however it ends."""
    folder = place / "locks"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / run_id).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise PolyAssayError(
                f"Run {run_id} is being executed by another process.",
                hint="Wait for it, or stop it and resume the run then.",
            ) from None
        yield
