"""The last step of every adapter: tasks become a suite with a checksum."""

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from polyassay.errors import PolyAssayError
from polyassay.model import Style, Suite, Task
from polyassay.requirement import package_of
from polyassay.suites.java import judging as java_judging
from polyassay.suites.manifest import sha256
from polyassay.suites.native.task_json import task_to
from polyassay.suites.python import judging as python_judging


def line_of(task: Task) -> str:
    """The task's line in a native file, without its end; the same task gives the same line."""
    return json.dumps(task_to(task), ensure_ascii=False)


def checksum_of(name: str, libraries: Mapping[str, Sequence[str]], tasks: Iterable[Task]) -> str:
    """What the publisher decides, and nothing else: no path, version, date or description.

    Tasks name their jars by their checksums, so that these need no mention of their own.
    How a task can be judged is found out here, by this release and this JDK, so it stays out.
    """
    digest = hashlib.sha256(json.dumps([name, sorted(libraries.items())]).encode())
    for task in tasks:
        undecided = replace(task, together_because="", together_by_author=False)
        digest.update(b"\n" + line_of(undecided).encode())
    return digest.hexdigest()


def content_problem(suite: Suite) -> str:
    """Why a suite that others sent is not what its checksum stands for; empty where it is."""
    if checksum_of(suite.name, suite.libraries, suite.tasks) != suite.checksum:
        return "its checksum stands for other tasks or tests"
    named = {file: known for task in suite.tasks for file, known in task.jars.items()}
    jars = {file: base64.b64decode(jar) for file, jar in suite.jars.items()}
    if {file: hashlib.sha256(jar).hexdigest() for file, jar in jars.items()} != named:
        return "its tasks name other jars"
    return ""


def make_suite(
    name: str,
    tasks: Sequence[Task],
    *,
    version: str = "",
    description: str = "",
    source: str = "",
    licence: str = "",
    canary: str = "",
    libraries: Mapping[str, tuple[str, ...]] | None = None,
    jars: Sequence[Path] = (),
) -> Suite:
    """A suite of these tasks; without a version of its own it gets the checksum's beginning.

    Every Java task that has tests gets all of the jars.
    """
    if not tasks:
        raise PolyAssayError(f'The suite "{name}" has no tasks.', "check the path after --from.")
    seen: set[str] = set()
    for task in tasks:
        if task.id in seen:
            raise PolyAssayError(
                f'The suite "{name}" has two tasks "{task.id}".', "give each task an id of its own."
            )
        seen.add(task.id)
    if libraries is None:
        wanted = sorted({library for task in tasks for library in task.libraries})
        libraries = {"default": tuple(wanted)} if wanted else {}
    if any(task.style is Style.PYTEST for task in tasks):
        libraries = {n: _with_pytest(pins) for n, pins in (libraries or {"default": ()}).items()}
    tasks = _with_jars(tasks, {jar.name: sha256(jar) for jar in jars})
    tasks = java_judging.decide([python_judging.decide(task) for task in tasks], jars)
    checksum = checksum_of(name, libraries, tasks)
    return Suite(
        name,
        version or checksum[:8],
        checksum,
        tuple(tasks),
        description,
        source,
        libraries,
        {jar.name: base64.b64encode(jar.read_bytes()).decode() for jar in jars},
        licence,
        canary,
    )


def with_tasks(suite: Suite, tasks: Sequence[Task]) -> Suite:
    """The suite with other tasks, its checksum and the version that follows from it."""
    checksum = checksum_of(suite.name, suite.libraries, tasks)
    own = suite.version == suite.checksum[:8]
    version = checksum[:8] if own else suite.version
    return replace(suite, tasks=tuple(tasks), checksum=checksum, version=version)


def _with_pytest(pins: tuple[str, ...]) -> tuple[str, ...]:
    """An environment in which pytest files are run needs it, whether its suite says so or not."""
    return pins if "pytest" in map(package_of, pins) else (*pins, "pytest")


def _with_jars(tasks: Sequence[Task], jars: Mapping[str, str]) -> list[Task]:
    for task in tasks:
        if task.jars and task.jars != jars:
            raise PolyAssayError(
                f'The task "{task.id}" names jars that do not come with it.',
                "put them into the folder lib of a suite in a folder, and leave the field out.",
            )
    return [replace(task, jars=jars) if task.style is Style.JUNIT else task for task in tasks]
