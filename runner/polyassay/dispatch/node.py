"""What another machine needs before it can judge, and how it gets it.

PolyAssay, Ray, Python and the JDK must be there, in the versions that the run's provenance names.
Tasks come with the batches. Jars of suites come by checksum, where a node lacks them. Environments
are made on the node, from the pins of those that the command uses. All of this is kept below the
user's cache folder, for the next run with the same jars and libraries: runs that differ in them
have homes of their own, so that two commands can use one node at once.
"""

import hashlib
import json
import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import polyassay
import polyassay_harness
from polyassay.environments.cache import cache_folder, making, use
from polyassay.environments.harness_jars import find_jars
from polyassay.environments.interpreters import create, list_environments
from polyassay.environments.suite_jars import keep, place_of
from polyassay.errors import PolyAssayError
from polyassay.harness import RunSettings
from polyassay.harness.java.jdk import find_jdk
from polyassay.model import Judging, Suite
from polyassay.sandbox.choose import find


@dataclass(frozen=True, slots=True)
class NodeNeeds:
    """Plain values, the same for all slots of a run."""

    code: str  # the checksum of PolyAssay itself
    versions: Mapping[str, str]  # as in the run's provenance
    suites: tuple[Suite, ...]  # those that have libraries, without tasks and jars
    environments: Mapping[str, tuple[str, str]]  # suite → set of libraries, version of Python
    jars: tuple[str, ...]  # SHA-256 of each
    sandbox: str
    judge: Judging | None
    reuse: int | None
    jdk: Path | None
    engine: str
    comparison: str
    jobs: int

    @property
    def checksum(self) -> str:
        """The checksum of what is kept on a node: the jars, and which libraries each suite has."""
        libraries = {suite.name: suite.libraries for suite in self.suites}
        kept = json.dumps([self.jars, libraries, dict(self.environments)], sort_keys=True)
        return hashlib.sha256(kept.encode()).hexdigest()[:16]


def needs_of(
    settings: RunSettings, suites: Mapping[str, Suite], versions: Mapping[str, str]
) -> NodeNeeds:
    chosen = {one.suite: (one.set, one.python) for one in list_environments(settings.home)}
    jars = {checksum for s in suites.values() for t in s.tasks for checksum in t.jars.values()}
    return NodeNeeds(
        code=own_checksum(),
        versions=versions,
        suites=tuple(replace(s, tasks=(), jars={}) for s in suites.values() if s.libraries),
        environments={name: chosen[name] for name in suites if name in chosen},
        jars=tuple(sorted(jars)),
        sandbox=settings.sandbox.name,
        judge=settings.judge,
        reuse=settings.reuse,
        jdk=settings.jdk,
        engine=settings.engine,
        comparison=settings.comparison,
        jobs=settings.jobs,
    )


def prepare(needs: NodeNeeds, fetch_jar: Callable[[str], bytes]) -> RunSettings:
    """Makes this machine fit for a run's slots; a PolyAssayError where it cannot be."""
    _refuse_other_versions(needs)
    home = use(node_home(needs))
    with making(home):  # nodes have several slots
        home.mkdir(exist_ok=True)
        for checksum in needs.jars:
            if not place_of(home, checksum).is_file():
                keep(home, fetch_jar(checksum))
        for suite in needs.suites:
            set_name, python = needs.environments[suite.name]
            made = create(home, suite, set_name=set_name)
            _refuse(f"the Python of {suite.name}'s libraries", made.python, python)
    return RunSettings(
        sandbox=find(needs.sandbox, trusted=needs.sandbox == "none"),
        home=home,
        judge=needs.judge,
        reuse=needs.reuse,
        jdk=needs.jdk,
        engine=needs.engine,
        comparison=needs.comparison,
        jobs=needs.jobs,
    )


def own_checksum() -> str:
    """The checksum of PolyAssay's code and, if they are built, of the harness' jars."""
    digest = hashlib.sha256()
    for package in (polyassay, polyassay_harness):
        folder = Path(str(package.__file__)).parent
        for file in sorted(folder.rglob("*.py")):
            digest.update(str(file.relative_to(folder)).encode() + file.read_bytes())
    try:
        jars = sorted(find_jars().glob("*.jar"))
    except PolyAssayError:  # a machine that judges Python only
        jars = []
    for jar in jars:
        digest.update(jar.read_bytes())
    return digest.hexdigest()


def node_home(needs: NodeNeeds) -> Path:
    """Where a node keeps what such runs need, below the user's cache folder."""
    return cache_folder(Path.cwd() / ".polyassay") / "nodes" / needs.checksum


def _refuse_other_versions(needs: NodeNeeds) -> None:
    if own_checksum() != needs.code:
        raise PolyAssayError(
            f"Another PolyAssay than the command's is on {platform.node()}.",
            hint="Install the same version on every node, with the same Java harness.",
        )
    _refuse("Python", platform.python_version(), needs.versions.get("python"))
    if "jdk" in needs.versions:
        _refuse("the JDK", find_jdk(needs.jdk).version, needs.versions["jdk"])


def _refuse(what: str, here: str, wanted: str | None) -> None:
    if wanted is not None and here != wanted:
        raise PolyAssayError(
            f"On {platform.node()}, {what} is version {here}, and the run's is {wanted}.",
            hint="Install that version on every node; JAVA_HOME or --jdk names the JDK.",
        )
