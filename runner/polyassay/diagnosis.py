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
class DoctorFinding:
    what: str
    works: bool
    detail: str
    needed: bool = True  # without it nothing, or not all of it, can be run


def diagnose(home: Path) -> Iterator[DoctorFinding]:
    """Looks for one thing after the other, so that a slow one does not hold the others up."""
    yield DoctorFinding("python", True, platform.python_version())
    for row in LANGUAGES.values():
        for program in row.programs:
            yield _program(program)
    settings: RunSettings | None = None
    try:
        settings = Options().settings(home, jobs=1)
        yield DoctorFinding("sandbox", True, settings.sandbox.name)
        for strength in settings.sandbox.strengths():
            yield DoctorFinding("sandbox", True, strength)
        for weakness in settings.sandbox.weaknesses():
            yield DoctorFinding("sandbox", False, weakness, needed=False)
    except PolyAssayError as error:
        yield DoctorFinding("sandbox", False, f"{error.problem} {error.hint}")
    yield _docker()
    yield DoctorFinding("suites", True, ", ".join(Registry(home).names()))
    yield _sizes(home)
    if settings:
        for language, row in LANGUAGES.items():
            yield _trial(language, row.trial, settings)


def _program(program: NeededProgram) -> DoctorFinding:
    """A program that answers with its version; the first number in what it prints."""
    argv = program.version_command
    if not shutil.which(argv[0]):
        return DoctorFinding(
            program.name, False, f"not found; install {program.package}", program.needed
        )
    told = subprocess.run(argv, capture_output=True, text=True, check=False)
    version = re.search(r"\d+(\.\d+)+", told.stdout + told.stderr)
    detail = version.group() if version else "?"
    return DoctorFinding(program.name, told.returncode == 0, detail, program.needed)


def _sizes(home: Path) -> DoctorFinding:
    """What is on the disk: in the cache folder, and in this working folder."""
    cache = cache_folder(home)
    sizes: dict[str, int] = {}
    for entry in entries(cache):
        sizes[entry.kind] = sizes.get(entry.kind, 0) + entry.size
    parts = ", ".join(f"{kind} {megabytes(size)}" for kind, size in sizes.items())
    here = size_of(home) if home.is_dir() else 0
    detail = f"{megabytes(sum(sizes.values()))} in {cache}" + f" ({parts})" * bool(parts)
    detail += f", {megabytes(here)} in {home.name}; `polyassay gc` frees what was not used for long"
    return DoctorFinding("disk", True, detail)


def _docker() -> DoctorFinding:
    import docker

    try:
        with closing(docker.from_env()) as client:
            return DoctorFinding("docker", True, str(client.version()["Version"]), needed=False)
    except docker.errors.DockerException:
        detail = "no engine answers; only --sandbox docker needs one"
        return DoctorFinding("docker", False, detail, needed=False)


def _trial(name: str, trial: Trial, settings: RunSettings) -> DoctorFinding:
    task, outcomes = trial.task, []
    for answer in (trial.good, trial.bad):
        candidate = Candidate(CandidateKey(task.suite, task.id, "doctor", "en", 0), answer)
        try:
            verdict = judge_alone(task, candidate, settings)
        except PolyAssayError as error:
            return DoctorFinding(name, False, f"{error.problem} {error.hint}")
        outcomes.append(verdict.outcome)
        reason = verdict.reason
    if outcomes == [Outcome.PASSED, Outcome.FAILED]:
        return DoctorFinding(name, True, "a good candidate passed and a bad one failed")
    told = f"a good candidate {outcomes[0]} and a bad one {outcomes[1]}: {reason}"
    return DoctorFinding(name, False, told)
