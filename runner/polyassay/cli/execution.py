"""Begins and executes runs for the commands that do so."""

import dataclasses
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

from polyassay import provenance
from polyassay.candidates.sources import Sources
from polyassay.cli.common import home, messages
from polyassay.dispatch import Dispatcher
from polyassay.dispatch.local import LocalSlots
from polyassay.environments.interpreters import ensure, interpreter_of, list_environments
from polyassay.errors import PolyAssayError
from polyassay.harness import RunSettings
from polyassay.harness.table import Harnesses
from polyassay.measures.kept_samples import named_failures
from polyassay.model import Judging, Language, Outcome, Style, Suite, Verdict
from polyassay.options import Options
from polyassay.pipeline import execute
from polyassay.report.terminal.progress import run_progress
from polyassay.report.terminal.waiting import waiting
from polyassay.shaking import shake_all, shakeable
from polyassay.shown_text import hide_passwords
from polyassay.store import Run, Store
from polyassay.suites.registry import Registry
from polyassay.wording import counted, some


def judged_before(store: Store, run: Run) -> tuple[dict[str, Suite], Sources]:
    """A run's suites and candidates; how a task is judged is decided anew where it is here."""
    suites = store.suites(run)
    registry = Registry(home())
    for name, suite in suites.items():
        here = registry.load(name) if name in registry.names() else suite
        suites[name] = here if here.checksum == suite.checksum else suite
    described = [{"again": run.id}, *run.provenance["candidates"].get("sources", [])]
    return suites, Sources(list(store.candidates(run.id)), [f"again: run {run.id}"], described)


def load_suites(names: Sequence[str], to_grade: bool = False) -> dict[str, Suite]:
    """Suites by name; with `to_grade` also those that no test can judge."""
    if not names:
        raise PolyAssayError(
            "No suite was named.", hint="Give -s SUITE; `polyassay suites list` shows all."
        )
    registry = Registry(home())
    loaded = {name: registry.load(name) for name in names}
    for suite in loaded.values():
        if not to_grade and all(task.style is Style.RUBRIC for task in suite.tasks):
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
    console = messages()
    for suite in suites.values():
        with waiting(console, f"Getting the libraries of {suite.name} ready"):
            ensure(home(), suite, console.print)


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


def _interpreters(suites: Mapping[str, Suite]) -> Iterator[tuple[str, str]]:
    """Which build of Python runs the answers to each suite that has any in Python."""
    for name, suite in suites.items():
        if any(task.language is Language.PYTHON for task in suite.tasks):
            found = interpreter_of(home(), name)
            yield name, f"Python {found.version} ({found.build})"


def begin(
    store: Store,
    suites: Mapping[str, Suite],
    sources: Sources,
    harnesses: Harnesses,
    options: Options,
) -> Run:
    """Records the run whole, before any of it is executed."""
    ensure_environments(suites)
    with waiting(messages(), "Getting Java and Python ready"):
        versions = harnesses.prepare(suites.values())
    facts = provenance.describe(
        suites, sources.candidates, sources.described, harnesses.settings, versions
    ) | {
        "options": dataclasses.asdict(options),
        "environments": _environments(suites),
        "interpreters": dict(_interpreters(suites)),
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
        done = judged.total()
        progress = stack.enter_context(run_progress(messages(), total, done, pending))

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
    with store.alone(begun.id), run_progress(messages(), rounds * len(usual), 0) as progress:
        shake_all(store, begun.id, suites, settings, rounds, progress.add)


def _tell_defects(
    harnesses: Harnesses, suites: Mapping[str, Suite], answered: Collection[tuple[str, str]]
) -> None:
    """Names the tasks that nobody's answer can be judged by here, with the reason."""
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
