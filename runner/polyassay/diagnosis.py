"""What works on this machine, proved by running it."""

import platform
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from polyassay.environments.cache import cache_folder
from polyassay.environments.freeing import entries, size_of
from polyassay.errors import PolyAssayError
from polyassay.harness import RunSettings
from polyassay.languages import LANGUAGES, NeededProgram, Trial
from polyassay.model import Candidate, CandidateKey, Outcome
from polyassay.options import Options
from polyassay.slot import judge_alone
from polyassay.suites.registry import Registry
from polyassay.wording import megabytes


@dataclass(frozen=True, slots=True)
class Finding:
    what: str
    works: bool
    detail: str
    needed: bool = True  # without it nothing, or not all of it, can be run


def diagnose(home: Path) -> Iterator[Finding]:
    """Looks for one thing after the other, so that a slow one does not hold the others up."""
    yield Finding("python", True, platform.python_version())
    for row in LANGUAGES.values():
        for program in row.programs:
            yield _program(program)
    settings: RunSettings | None = None
    try:
        settings = Options().settings(home, jobs=1)
        yield Finding("sandbox", True, settings.sandbox.name)
        for strength in settings.sandbox.strengths():
            yield Finding("sandbox", True, strength)
        for weakness in settings.sandbox.weaknesses():
            yield Finding("sandbox", False, weakness, needed=False)
    except PolyAssayError as error:
        yield Finding("sandbox", False, f"{error.problem} {error.hint}")
    yield _docker()
    yield Finding("suites", True, ", ".join(Registry(home).names()))
    yield _sizes(home)
    if settings:
        for language, row in LANGUAGES.items():
            yield _trial(language, row.trial, settings)


def _program(program: NeededProgram) -> Finding:
    """A program that answers with its version; the first number in what it prints."""
    argv = program.version_command
    if not shutil.which(argv[0]):
        return Finding(program.name, False, f"not found; install {program.package}", program.needed)
    told = subprocess.run(argv, capture_output=True, text=True, check=False)
    version = re.search(r"\d+(\.\d+)+", told.stdout + told.stderr)
    detail = version.group() if version else "?"
    return Finding(program.name, told.returncode == 0, detail, program.needed)


def _sizes(home: Path) -> Finding:
    """What is on the disk: in the cache folder, and in this working folder."""
    cache = cache_folder(home)
    sizes: dict[str, int] = {}
    for entry in entries(cache):
        sizes[entry.kind] = sizes.get(entry.kind, 0) + entry.size
    parts = ", ".join(f"{kind} {megabytes(size)}" for kind, size in sizes.items())
    here = size_of(home) if home.is_dir() else 0
    detail = f"{megabytes(sum(sizes.values()))} in {cache}" + f" ({parts})" * bool(parts)
    detail += f", {megabytes(here)} in {home.name}; `polyassay gc` frees what was not used for long"
    return Finding("disk", True, detail)


def _docker() -> Finding:
    import docker

    try:
        with closing(docker.from_env()) as client:
            return Finding("docker", True, str(client.version()["Version"]), needed=False)
    except docker.errors.DockerException:
        detail = "no engine answers; only --sandbox docker needs one"
        return Finding("docker", False, detail, needed=False)


def _trial(name: str, trial: Trial, settings: RunSettings) -> Finding:
    task, outcomes = trial.task, []
    for answer in (trial.good, trial.bad):
        candidate = Candidate(CandidateKey(task.suite, task.id, "doctor", "en", 0), answer)
        try:
            verdict = judge_alone(task, candidate, settings)
        except PolyAssayError as error:
            return Finding(name, False, f"{error.problem} {error.hint}")
        outcomes.append(verdict.outcome)
        reason = verdict.reason
    if outcomes == [Outcome.PASSED, Outcome.FAILED]:
        return Finding(name, True, "a good candidate passed and a bad one failed")
    told = f"a good candidate {outcomes[0]} and a bad one {outcomes[1]}: {reason}"
    return Finding(name, False, told)
