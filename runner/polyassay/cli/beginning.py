"""Loads suites, makes their environments and records a run, before any candidate is executed."""

import dataclasses
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from polyassay import provenance
from polyassay.candidates.answers import NoAnswerFits
from polyassay.candidates.sources import Sources
from polyassay.cli.common import home, messages
from polyassay.environments.interpreters import ensure, interpreter_of, list_environments
from polyassay.errors import PolyAssayError
from polyassay.harness import cannot_be_apart
from polyassay.harness.table import Harnesses
from polyassay.languages import LANGUAGES
from polyassay.measures.submitting.names import alike
from polyassay.model import Judging, Style, Suite
from polyassay.options import Options
from polyassay.report.terminal.waiting import waiting
from polyassay.shown_text import in_a_line
from polyassay.store import Run, Store
from polyassay.suites.registry import Registry
from polyassay.wording import counted


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


@contextmanager
def naming_their_suite() -> Iterator[None]:
    """Says which suite here the answers are to, if they are to none of those that were named."""
    try:
        yield
    except NoAnswerFits as error:
        raise PolyAssayError(error.problem, _suite_hint(error.tasks) or error.hint) from error


def _suite_hint(tasks: Collection[str]) -> str:
    registry = Registry(home())
    had = {}
    for name in registry.names():
        try:
            had[name] = len({task.id for task in registry.load(name).tasks}.intersection(tasks))
        except PolyAssayError:
            continue  # of another version, say; it is not what was asked for
    most = max(had, key=had.__getitem__, default="")
    if not had.get(most):
        return ""
    many = f"all {had[most]:,}" if had[most] == len(tasks) else f"{had[most]:,} of them"
    return f"Nothing was run. {most} has {many}: -s {most}."


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
            if task.judging is Judging.TOGETHER:
                raise cannot_be_apart(task, task.together_because)


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
    """Which build of Python runs the answers to each suite that has an environment."""
    for name, suite in suites.items():
        if any(LANGUAGES[task.language].needs_environment for task in suite.tasks):
            found = interpreter_of(home(), name)
            yield name, f"Python {found.version} ({found.build})"


def begin(
    store: Store,
    suites: Mapping[str, Suite],
    sources: Sources,
    harnesses: Harnesses,
    options: Options,
) -> Run:
    """Says what will be judged, and records the run whole before any of it is executed."""
    console = messages()
    console.print(_headline(options.apply(suites), sources))
    for remark in sources.remarks:
        console.print(f"  {remark}")
    ensure_environments(suites)
    with waiting(console, "Getting Java and Python ready"):
        versions = harnesses.prepare(suites.values())
    facts = provenance.describe(
        suites, sources.candidates, sources.described, harnesses.settings, versions
    ) | {
        "options": dataclasses.asdict(options),
        "environments": _environments(suites),
        "interpreters": dict(_interpreters(suites)),
    }
    return store.start_run(suites.values(), sources.candidates, facts)


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


def tell_alike(store: Store, tools: Collection[str]) -> None:
    """A name with a slip of the pen makes a tool of its own, on leaderboards, too."""
    known = {tool for run in store.runs() for tool in run.provenance["candidates"]["tools"]}
    for first, second in alike(tools, known | set(tools)):
        told = f"  {first} looks like {second}, and is ranked as another tool."
        messages().print(in_a_line(told), markup=False, soft_wrap=True)


def tell_replaced(store: Store, begun: Run) -> None:
    """Before anything is judged: an import that is judged here counts as this store's own."""
    if not begun.imported:
        return
    for run in store.runs():
        same = begun.provenance["suites"].keys() & run.provenance["suites"].keys()
        theirs, ours = (one.provenance["candidates"]["tools"] for one in (begun, run))
        if both := sorted(theirs.keys() & ours.keys()) if same and not run.imported else []:
            told = (
                f"  {', '.join(both)} of run {run.id}, judged here, will be ranked by this new run"
            )
            told += " instead: are these answers the same tool's?"
            messages().print(in_a_line(told), markup=False, soft_wrap=True)
            return
