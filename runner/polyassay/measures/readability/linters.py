"""Ruff and PMD on many programs at once: each linter is one process for a whole folder of them."""

import json
import os
import resource
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

SECONDS = 600  # wall time of a linter over one folder
MEMORY = 8 << 30  # of address space; a JVM reserves far more than it uses

# What the letters before a rule's number say, by class of finding.
RUFF = {
    "bug": ("F", "B", "PLE", "PLW"),
    "style": ("E", "W", "N", "UP"),
    "complexity": ("C4", "C90", "PLR", "RET", "SIM"),
    "performance": ("PERF",),
    "security": ("S",),
}
# The answer is not to blame for names and lines that the task gave it, nor for using assert.
RUFF_LEFT_OUT = "F821,E501,S101,W292,W391,W605"
PMD = {
    "Error Prone": "bug",
    "Multithreading": "bug",
    "Best Practices": "style",
    "Code Style": "style",
    "Documentation": "style",
    "Design": "complexity",
    "Performance": "performance",
    "Security": "security",
}
CLASSES = tuple(RUFF)


class LintFinding(NamedTuple):
    program: int
    line: int
    kind: str  # one of CLASSES; empty: the linter could not read the program


def ruff_version() -> str:
    try:
        return f"ruff {version('ruff')}"
    except PackageNotFoundError:
        return ""


def pmd_jars() -> Path | None:
    """Where Gradle put PMD (`gradle :java-harness:pmdJars`), or where POLYASSAY_PMD says it is."""
    checkout = Path(__file__).resolve().parents[4] / "java-harness" / "build" / "pmd"
    for folder in (Path(os.environ.get("POLYASSAY_PMD", "")), checkout):
        if folder.is_dir() and any(folder.glob("pmd-java-*.jar")):
            return folder
    return None


def pmd_version() -> str:
    """Empty where there is no PMD or no Java here."""
    jars = pmd_jars()
    if jars is None or not shutil.which("java"):
        return ""
    return next(jars.glob("pmd-java-*.jar")).stem.replace("pmd-java-", "PMD ")


def lint_python(programs: Sequence[str]) -> list[LintFinding] | None:
    """None where ruff is missing or fails on the whole folder."""
    ruff = _ruff()
    if ruff is None:
        return None
    select = ",".join(letters for kind in RUFF.values() for letters in kind)
    command = [ruff, "check", "--isolated", "--no-cache", "--exit-zero", "--no-respect-gitignore"]
    command += ["--output-format", "json", "--select", select, "--ignore", RUFF_LEFT_OUT]
    report = _reported(command, programs, "py")
    return None if report is None else list(_of_ruff(report))


def _ruff() -> str | None:
    beside = Path(sysconfig.get_path("scripts"), "ruff")
    return str(beside) if beside.is_file() else shutil.which("ruff")


def _of_ruff(report: Any) -> Iterator[LintFinding]:
    for finding in report:
        number = _number(finding["filename"])
        code = finding["code"] or ""
        if not code or code == "invalid-syntax":
            yield LintFinding(number, 0, "")
        elif kind := _kind(code):
            yield LintFinding(number, finding["location"]["row"], kind)


def _kind(code: str) -> str:
    letters = code.rstrip("0123456789")
    matching = [
        (len(known), kind)
        for kind, all_known in RUFF.items()
        for known in all_known
        if code.startswith(known) and letters in (known, known.rstrip("0123456789"))
    ]
    return max(matching)[1] if matching else ""


def lint_java(programs: Sequence[str]) -> list[LintFinding] | None:
    """None where PMD is not installed, or fails on the whole folder."""
    jars = pmd_jars()
    if jars is None or not pmd_version():
        return None
    java = ["java", "-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
    command = [*java, "-cp", f"{jars}/*", "net.sourceforge.pmd.cli.PmdCli", "check"]
    command += ["--no-cache", "--no-progress", "--no-fail-on-violation", "--no-fail-on-error"]
    command += ["--threads", "1", "-R", "rulesets/java/quickstart.xml", "-f", "json", "-d"]
    report = _reported(command, programs, "java")
    return None if report is None else list(_of_pmd(report))


def _of_pmd(report: Any) -> Iterator[LintFinding]:
    for file in report["files"]:
        for violation in file["violations"]:
            kind = PMD.get(violation["ruleset"], "style")
            yield LintFinding(_number(file["filename"]), violation["beginline"], kind)
    for error in report.get("processingErrors", ()):
        yield LintFinding(_number(error["filename"]), 0, "")


def _number(filename: str) -> int:
    return int(Path(filename).parent.name)


def _reported(command: Sequence[str], programs: Sequence[str], suffix: str) -> Any:
    """What a linter says of programs, each in a folder of its own; none where it says nothing."""
    with TemporaryDirectory(prefix="polyassay-lint-") as folder:
        for number, source in enumerate(programs):
            place = Path(folder, str(number))
            place.mkdir()
            text = source.encode("utf-8", "replace")
            (place / f"Answer.{suffix}").write_bytes(text)
        try:
            done = subprocess.run(
                [*command, folder],
                capture_output=True,
                timeout=SECONDS,
                env=_environment(),
                preexec_fn=_limit,
                check=False,
            )
            return json.loads(done.stdout)
        except (subprocess.TimeoutExpired, ValueError):
            return None


def _environment() -> Mapping[str, str]:
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8"}


def _limit() -> None:
    """In the linter's process, before it starts."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
